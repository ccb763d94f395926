import { isOfType } from "../judge/output.ts";
import { mentionedVariables, readInputs, variableName, type Input } from "../judge/variables.ts";
import type { Flow } from "./flow.ts";
import type { LoadedDefinition } from "./load.ts";
import { error, note, warning, type Finding } from "./problem.ts";
import { promptKey, promptName } from "./prompts.ts";
import { promptReferences, type PlacedReference, type StepView, type StepViews } from "./view.ts";

// Where the data of each step comes from: its inputs, and the variables of its prompts.

interface PromptProblems {
  readonly problems: readonly Finding[];
  /** The variables that a run must be given with `--var`, because no step gives them. */
  readonly given: readonly string[];
}

/** Checks that every prompt can be read and that every variable in it has a source. */
export function checkPrompts(steps: StepViews, prompts: LoadedDefinition["prompts"], flow: Flow): PromptProblems {
  const problems: Finding[] = [];
  const given = new Set<string>();
  for (const placed of promptReferences(steps)) {
    const { path, step, reference } = placed;
    const name = promptName(reference);
    const read = prompts.get(promptKey(reference));
    if (read?.kind !== "text") {
      problems.push(error("prompt", path, `prompt '${name}' can't be used: ${read?.reason ?? "it was not read"}`));
      continue;
    }
    const known = knownVariables(placed, steps, flow);
    for (const variable of mentionedVariables(read.text)) {
      const whenEmpty = known.get(variable);
      if (whenEmpty !== undefined) {
        problems.push(note("variable", path, `prompt '${name}' names '{${variable}}', which is empty ${whenEmpty}`));
      }
      if (known.has(variable)) continue;
      if (/^uv-[A-Za-z0-9-]+$/.test(variable)) given.add(variable.slice("uv-".length));
      else if (!mayBeKnown(variable, placed, steps)) {
        const message = `prompt '${name}' names '{${variable}}', which is no input of step '${step}'; name it in 'inputs'`;
        problems.push(error("variable", path, message));
      }
    }
  }
  return { problems, given: [...given] };
}

/**
 * The variables that a prompt may name, each with the case in which it is empty: the step's inputs, and in the prompt of
 * a check also the step's own output.
 */
function knownVariables(
  placed: PlacedReference,
  steps: StepViews,
  flow: Flow,
): ReadonlyMap<string, string | undefined> {
  const name = placed.step;
  const { inputs, output = {} } = steps.get(name) ?? {};
  const known = new Map<string, string | undefined>();
  for (const input of readInputs(inputs?.spec).inputs) {
    const isSkipped = input.onMissing === "skip" && inputs?.isMalformed === false;
    known.set(variableName(input.step, input.field), isSkipped ? whenSkipped(name, input, steps, flow) : undefined);
  }
  if (!isOfCheck(placed)) return known;
  for (const [field, { required, default: fallback }] of Object.entries(output)) {
    const variable = variableName(name, field);
    if (required !== false || fallback !== undefined) known.set(variable, undefined);
    else if (!known.has(variable)) known.set(variable, `where the answer leaves '${field}' out`);
  }
  return known;
}

/** Whether a malformed part of the definition may declare a variable. */
function mayBeKnown(variable: string, placed: PlacedReference, steps: StepViews): boolean {
  const view = steps.get(placed.step);
  const isOwn = isOfCheck(placed) && variable.startsWith(variableName(placed.step, ""));
  return view?.inputs.isMalformed === true || (isOwn && view?.isOutputMalformed === true);
}

function whenSkipped(name: string, input: Input, steps: StepViews, flow: Flow): string | undefined {
  if (supplyOf(input.step, name, flow) === "later") return `when step '${name}' runs for the first time`;
  return whyMissing(steps, input) === undefined ? undefined : "where its input is skipped";
}

function isOfCheck({ path }: PlacedReference): boolean {
  return path.at(-2) === "check";
}

/** Checks that every input comes from a step that can run before, and that every default fits its field. */
export function checkData(steps: StepViews, flow: Flow): Finding[] {
  const problems: Finding[] = [];
  for (const [name, step] of steps) {
    problems.push(...outputDefaults(name, step), ...sourcesOf(name, step, steps));
    const { inputs, strays } = readInputs(step.inputs.spec);
    const at = (key: string) => ["steps", name, "inputs", "variables", key];
    if (!step.inputs.areSourcesMalformed) {
      for (const key of strays) {
        problems.push(error("input", at(key), `'${key}' names no step: write 'step.${key}', or add 'from_step'`));
      }
    }
    const taken = new Set<string>();
    for (const input of inputs) {
      const { key } = input;
      const faults = [supplyFault(name, input, steps, flow), duplicateFault(input, taken), defaultFault(input)];
      problems.push(...faults.flatMap((fault) => (fault === undefined ? [] : [error("input", at(key), fault)])));
      const why = faults[0] === undefined && input.onMissing === "error" ? whyMissing(steps, input) : undefined;
      if (why === undefined) continue;
      const message = `'${input.step}.${input.field}' may be missing, because ${why}, which ends the run; set 'onMissing'`;
      problems.push(warning("input", at(key), message));
    }
  }
  return problems;
}

function sourcesOf(name: string, { inputs: { sources } }: StepView, steps: StepViews): Finding[] {
  const named = new Set<string>();
  return sources.flatMap(({ path, step }) => {
    const at = ["steps", name, "inputs", ...path];
    const isNamed = named.has(step);
    named.add(step);
    return [
      ...(steps.has(step) ? [] : [error("input", at, `there is no step '${step}'`)]),
      ...(isNamed ? [error("input", at, `step '${step}' is named twice`)] : []),
    ];
  });
}

function supplyFault(
  name: string,
  { step, field, key, onMissing }: Input,
  steps: StepViews,
  flow: Flow,
): string | undefined {
  const giver = steps.get(step);
  // A step named by `from_step` is reported there.
  if (giver === undefined) return key.includes(".") ? `there is no step '${step}'` : undefined;
  const isGiven = giver.isOutputMalformed || Object.hasOwn(giver.output, field);
  if (!isGiven) return `step '${step}' has no field '${field}' in its output`;
  switch (supplyOf(step, name, flow)) {
    case "never":
      return `step '${step}' can't come before step '${name}', so '${field}' never has a value`;
    case "later":
      if (onMissing !== "error") return undefined;
      return `'${step}.${field}' has no value yet when step '${name}' runs for the first time, which ends the run; set 'onMissing'`;
    case "first":
      return undefined;
  }
}

function duplicateFault({ step, field }: Input, taken: Set<string>): string | undefined {
  const variable = variableName(step, field);
  if (taken.has(variable)) return `'${step}.${field}' is an input twice`;
  taken.add(variable);
  return undefined;
}

function defaultFault({ key, onMissing, fallback }: Input): string | undefined {
  if (onMissing === "default") {
    return fallback === undefined ? `'${key}' has no default to fall back on; add 'default'` : undefined;
  }
  if (fallback === undefined) return undefined;
  return `the default of '${key}' is never used, because its 'onMissing' is '${onMissing}'; set it to 'default'`;
}

function outputDefaults(name: string, { output }: StepView): Finding[] {
  return Object.entries(output).flatMap(([field, { type, required, default: value }]) => {
    if (value === undefined) return [];
    const path = ["steps", name, "output", field, "default"];
    if (required !== false) return [error("output", path, `'${field}' is required, so its default is never used`)];
    return isOfType(value, type) ? [] : [error("output", path, `the default of '${field}' must be of type ${type}`)];
  });
}

/**
 * Whether the output of one step exists when another runs: never, not yet the first time ("later"), or already the
 * first time. If the first step is unknown, assumes the best case.
 */
function supplyOf(giver: string, taker: string, { graph, entry }: Flow): "never" | "later" | "first" {
  if (entry === undefined) return "first";
  const comes = giver === entry || graph.after(entry).has(giver);
  if (!comes || !graph.after(giver).has(taker)) return "never";
  const comesFirst = taker !== entry && (giver === entry || graph.after(entry, taker).has(giver));
  return comesFirst ? "first" : "later";
}

/** Why an input may be missing although its step has run; undefined if it can't be. */
function whyMissing(steps: StepViews, { step, field }: Pick<Input, "step" | "field">): string | undefined {
  const giver = steps.get(step);
  const given = giver?.output[field];
  const isLeavable = given?.required === false && given.default === undefined;
  const reasons = [
    ...(giver?.isOptional === true ? [`step '${step}' is optional`] : []),
    ...(isLeavable ? [`its field '${field}' is not required`] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join(" and ");
}
