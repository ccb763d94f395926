import { visible } from "../../lib/escape.ts";
import type { LimitedParse } from "../../lib/parse-limit.ts";
import { valueAt } from "../../lib/table.ts";
import { ConfigurationError } from "../errors.ts";
import { EngineNameSchema, type AgentDefinition } from "../schema.ts";
import { proveFlow } from "./flow.ts";
import { judgeForm } from "./form.ts";
import { load, type LoadedDefinition } from "./load.ts";
import { finding, type Finding, type Problem } from "./problem.ts";
import { provePrompts } from "./prompts.ts";
import { proveData } from "./variables.ts";
import { findDeprecated, judgeVersion, type Deprecation, type FormatVersion } from "./version.ts";
import { viewSteps } from "./view.ts";

declare const VALIDATED: unique symbol;

/** A definition that `validate` found nothing wrong with; no one else makes one. */
export interface ValidatedDefinition {
  readonly [VALIDATED]: true;
  readonly definition: AgentDefinition;
  readonly directory: string;
  readonly file: string;
  /** What a run must be given with `--var`. */
  readonly given: readonly string[];
}

export type ValidationResult = {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
} & ({ readonly valid: true; readonly validated: ValidatedDefinition } | { readonly valid: false });

export interface Rules {
  readonly format?: FormatVersion;
  readonly deprecations?: readonly Deprecation[];
}

/**
 * Everything that is wrong with a definition, at once.
 *
 * @input  loaded: from `load`; rules: other than the program's own
 * @output `valid` exactly when there are no errors
 * @effect none
 * @error  none
 */
export function validate(loaded: LoadedDefinition, rules: Rules = {}): ValidationResult {
  const { data, file, directory } = loaded;
  const version = judgeVersion(data, rules.format);
  const deprecated = findDeprecated(data, rules.deprecations);
  const form = judgeForm(data, version.isNewer);
  const { heeded } = form;
  const steps = viewSteps(heeded);
  const flow = proveFlow(heeded, steps);
  const prompts = provePrompts(steps, loaded.prompts, flow);
  const inputs = proveData(steps, flow);
  const place = (found: Finding): Problem => ({ ...found, file });
  const errors = [
    ...version.errors,
    ...form.errors,
    ...deprecated.errors,
    ...flow.errors,
    ...prompts.errors,
    ...inputs.errors,
    ...proveConnection(heeded),
  ].map(place);
  const warnings = [
    ...version.warnings,
    ...form.warnings,
    ...deprecated.warnings,
    ...flow.warnings,
    ...prompts.warnings,
    ...inputs.warnings,
  ].map(place);
  if (errors.length > 0 || form.definition === undefined) return { valid: false, errors, warnings };
  const found = { definition: form.definition, directory, file, given: prompts.given };
  return { valid: true, errors, warnings, validated: found as unknown as ValidatedDefinition };
}

/** Each engine is named once, and the command is of an engine. What is misspelt may be any engine. */
export function proveConnection(data: unknown): Finding[] {
  const first = valueAt(data, "connection", "engine");
  const fallback = valueAt(data, "connection", "fallback") ?? [];
  const named = [first, ...(Array.isArray(fallback) ? fallback : [undefined])];
  const engines = named.flatMap((name) => EngineNameSchema.safeParse(name).data ?? []);
  const areAllKnown = engines.length === named.length;
  const hasCommand = valueAt(data, "connection", "command") !== undefined;
  const found: Finding[] = [];
  if (engines.includes("command") && !hasCommand) {
    found.push(finding("connection", ["connection"], "the engine 'command' needs a 'command'"));
  }
  if (areAllKnown && !engines.includes("command") && hasCommand) {
    found.push(
      finding("connection", ["connection", "command"], "no engine of the definition is 'command', so it is never run"),
    );
  }
  if (new Set(engines).size < engines.length) {
    found.push(finding("connection", ["connection", "fallback"], "an engine is named twice"));
  }
  return found;
}

/** What is wrong with a definition, and where: a line, or a value by its JSON pointer. */
export interface DefinitionFault {
  readonly file: string;
  readonly message: string;
  readonly pointer: string;
  readonly line?: number;
  readonly isError: boolean;
}

/**
 * @input  limited: how its file is parsed; directory: of the definition
 * @output everything that `agent validate` says of it
 * @effect reads
 * @error  none: what can't be read is the one thing that is wrong
 */
export async function judgeDefinition(limited: LimitedParse, directory: string): Promise<readonly DefinitionFault[]> {
  try {
    const { errors, warnings } = validate(await load(limited, directory));
    return [
      ...errors.map(({ file, message, pointer }) => ({ file, message, pointer, isError: true })),
      ...warnings.map(({ file, message, pointer }) => ({ file, message, pointer, isError: false })),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { file = directory, line } = error.details as { file?: string; line?: number };
    return [{ file, message: error.message, pointer: "", isError: true, ...(line === undefined ? {} : { line }) }];
  }
}

interface Shown {
  readonly pointer: string;
  readonly message: string;
}

/** What is wrong with a definition, for a person: one line each, errors first. */
export function renderAgentProblems(file: string, errors: readonly Shown[], warnings: readonly Shown[]): string {
  const line = (kind: string) => (problem: Shown) =>
    `${kind} ${visible(problem.pointer || "/")}: ${visible(problem.message)}\n`;
  const count = (many: number, word: string) => `${many} ${word}${many === 1 ? "" : "s"}`;
  const verdict = `${visible(file)}: ${count(errors.length, "error")}, ${count(warnings.length, "warning")}\n`;
  return [...errors.map(line("error")), ...warnings.map(line("warning")), verdict].join("");
}
