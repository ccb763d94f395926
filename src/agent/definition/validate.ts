import type { Diagnostic } from "../../lib/diagnostic.ts";
import { visible } from "../../lib/escape.ts";
import type { LimitedParse } from "../../lib/parse-limit.ts";
import { valueAt } from "../../lib/table.ts";
import { counted } from "../../lib/words.ts";
import { ConfigurationError } from "../errors.ts";
import { EngineNameSchema, type AgentDefinition, CompletionSchema, type Completion } from "../schema.ts";
import { checkFlow } from "./flow.ts";
import { checkForm, checkVersion } from "./form.ts";
import { load, type LoadedDefinition } from "./load.ts";
import { error, type Finding, type Problem, warning } from "./problem.ts";
import { promptKey } from "./prompts.ts";
import { checkData, checkPrompts } from "./variables.ts";
import { viewSteps, promptReferences, type StepViews } from "./view.ts";

declare const VALIDATED: unique symbol;

/** A definition without errors; only `validate` makes one. */
export interface ValidatedDefinition {
  readonly [VALIDATED]: true;
  readonly definition: AgentDefinition;
  readonly directory: string;
  readonly file: string;
  /** The variables that a run must be given with `--var`. */
  readonly given: readonly string[];
}

export type ValidationResult = {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Things the author should know but need not change. */
  readonly notes: readonly Problem[];
} & ({ readonly valid: true; readonly validated: ValidatedDefinition } | { readonly valid: false });

/**
 * Everything that is wrong with a definition, at once.
 *
 * @ensures `valid` exactly when there are no errors
 */
export function validate(loaded: LoadedDefinition): ValidationResult {
  const { data, file, directory } = loaded;
  const version = checkVersion(data);
  const form = checkForm(data, version.isNewer);
  const { known } = form;
  const steps = viewSteps(known);
  const flow = checkFlow(known, steps);
  const prompts = checkPrompts(steps, loaded.prompts, flow);
  const inputs = checkData(steps, flow);
  const inFile = (found: Finding): Problem => ({ ...found, path: file });
  const problems = [
    ...version.problems,
    ...form.problems,
    ...flow.problems,
    ...prompts.problems,
    ...inputs,
    ...checkSignals(known, steps, loaded.prompts),
    ...checkConnection(known),
  ].map(inFile);
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity === "warning");
  const notes = problems.filter(({ severity }) => severity === "note");
  if (errors.length > 0 || form.definition === undefined) return { valid: false, errors, warnings, notes };
  const found = { definition: form.definition, directory, file, given: prompts.given };
  return { valid: true, errors, warnings, notes, validated: found as unknown as ValidatedDefinition };
}

/** Each engine may be named once, and 'command' needs a command. A misspelt engine could be any of them. */
function checkConnection(data: unknown): Finding[] {
  const first = valueAt(data, "connection", "engine");
  const fallback = valueAt(data, "connection", "fallback") ?? [];
  const named = [first, ...(Array.isArray(fallback) ? fallback : [undefined])];
  const engines = named.flatMap((name) => EngineNameSchema.safeParse(name).data ?? []);
  const areAllKnown = engines.length === named.length;
  const hasCommand = valueAt(data, "connection", "command") !== undefined;
  const found: Finding[] = [];
  if (engines.includes("command") && !hasCommand) {
    found.push(error("connection", ["connection"], "the engine 'command' needs a 'command'"));
  }
  if (areAllKnown && !engines.includes("command") && hasCommand) {
    found.push(error("connection", ["connection", "command"], "no engine is 'command', so this is never run"));
  }
  if (new Set(engines).size < engines.length) {
    found.push(error("connection", ["connection", "fallback"], "an engine is named twice"));
  }
  return found;
}

/** Checks that some prompt says when to signal; each prompt is told how. */
function checkSignals(data: unknown, steps: StepViews, prompts: LoadedDefinition["prompts"]): Finding[] {
  const completion = CompletionSchema.safeParse(valueAt(data, "completion")).data;
  if (completion === undefined) return [];
  const asked = promptReferences(steps).filter(({ path }) => path.at(-2) !== "check");
  const texts = asked.map(({ reference }) => prompts.get(promptKey(reference)));
  // A prompt that can't be read is reported elsewhere, and may name it.
  if (texts.some((read) => read?.kind !== "text")) return [];
  return placedKeywords(completion, ["completion"]).flatMap(({ keyword, path }) => {
    if (texts.some((read) => read?.kind === "text" && read.text.includes(keyword))) return [];
    return [warning("completion", path, `no prompt names '${keyword}': say in one of them when to write it`)];
  });
}

interface PlacedKeyword {
  readonly keyword: string;
  readonly path: readonly string[];
}

function placedKeywords(completion: Completion, at: readonly string[]): PlacedKeyword[] {
  switch (completion.type) {
    case "keywordSignal":
      return [{ keyword: completion.keyword, path: [...at, "keyword"] }];
    case "composite":
      return completion.conditions.flatMap((part, index) => placedKeywords(part, [...at, "conditions", String(index)]));
    case "iterationBudget":
      return [];
  }
}

/**
 * Everything that `agent validate` reports for the definition in a directory. If it can't be read, that is the only
 * problem.
 *
 * @param limited how its file is parsed
 */
export async function checkDefinition(limited: LimitedParse, directory: string): Promise<readonly Diagnostic[]> {
  try {
    const { errors, warnings, notes } = validate(await load(limited, directory));
    return [...errors, ...warnings, ...notes];
  } catch (unread) {
    if (!(unread instanceof ConfigurationError)) throw unread;
    const { kind, file = directory, line } = unread.details as { kind: string; file?: string; line?: number };
    const place = line === undefined ? {} : { line };
    return [{ rule: kind, severity: "error", path: file, pointer: "", message: unread.message, ...place }];
  }
}

/** The problems of a definition for people: one line each, errors first. */
export function renderAgentProblems(file: string, { errors, warnings, notes }: ValidationResult): string {
  const line = ({ severity, pointer, message }: Problem) =>
    `${severity} ${visible(pointer || "/")}: ${visible(message)}\n`;
  const noted = notes.length === 0 ? "" : `, ${counted(notes.length, "note")}`;
  const verdict = `${visible(file)}: ${counted(errors.length, "error")}, ${counted(warnings.length, "warning")}${noted}\n`;
  return [...[...errors, ...warnings, ...notes].map(line), verdict].join("");
}
