import { readInputs, type Input } from "../judgement/inputs.ts";
import { promptKey, promptName } from "../judgement/prompt-path.ts";
import { mentionedVariables, variableName } from "../judgement/variables.ts";
import { promptReferences, type StepViews } from "./definition-view.ts";
import type { LoadedDefinition } from "./load.ts";
import { finding, type Finding } from "./problem.ts";

export interface PromptProof {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The variables that a run must be given with `--var`, because no step can. */
  readonly given: readonly string[];
}

/**
 * Each prompt is there, and each variable in it is an input of its step. The prompt of a check may also name what its step
 * has just given.
 */
export function provePrompts(steps: StepViews, prompts: LoadedDefinition["prompts"]): PromptProof {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  const given = new Set<string>();
  for (const { path, step, reference } of promptReferences(steps)) {
    const name = promptName(reference);
    const read = prompts.get(promptKey(reference));
    if (read?.kind !== "text") {
      errors.push(finding("prompt", path, `prompt '${name}' can't be used: ${read?.reason ?? "it was not read"}`));
      continue;
    }
    const view = steps.get(step);
    const { inputs } = readInputs(view?.inputs);
    const known = new Set(inputs.map((input) => variableName(input.step, input.field)));
    const skipped = inputs.filter((input) => input.onMissing === "skip" && canBeLeftOut(steps, input));
    const leavable = new Set(skipped.map((input) => variableName(input.step, input.field)));
    if (path.at(-2) === "check")
      for (const field of Object.keys(view?.output ?? {})) known.add(variableName(step, field));
    for (const variable of mentionedVariables(read.text)) {
      if (leavable.has(variable)) {
        const message = `prompt '${name}' names '{${variable}}', which has no value where its input is left out; give the input a default`;
        warnings.push(finding("variable", path, message));
      }
      if (known.has(variable)) continue;
      if (/^uv-[A-Za-z0-9-]+$/.test(variable)) given.add(variable.slice("uv-".length));
      else if (view?.areInputsLost !== true) {
        const message = `prompt '${name}' names '{${variable}}', which is no input of step '${step}'; name it in 'inputs'`;
        errors.push(finding("variable", path, message));
      }
    }
  }
  return { errors, warnings, given: [...given] };
}

/** Whether its step may give none, also where it has given all that it must. */
function canBeLeftOut(steps: StepViews, { step, field }: Input): boolean {
  const giver = steps.get(step)?.output?.[field];
  return giver?.required === false && giver.default === undefined;
}
