import type { $ZodIssue } from "zod/v4/core";
import { valueAt } from "../../core/table.ts";
import { AgentConnectionSchema, AgentDefinitionSchema, type AgentDefinition } from "../../schema/agent.ts";
import { viewSteps } from "./definition-view.ts";
import { findDeprecated, type Deprecation } from "./deprecations.ts";
import { describeIssues } from "./describe-issues.ts";
import { judgeVersion, type FormatVersion } from "./format-version.ts";
import type { LoadedDefinition } from "./load.ts";
import { finding, type Finding, type Problem } from "./problem.ts";
import { proveData } from "./prove-data.ts";
import { proveFlow } from "./prove-flow.ts";
import { provePrompts } from "./prove-prompts.ts";

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
  const steps = viewSteps(data);
  const flow = proveFlow(data, steps);
  const prompts = provePrompts(steps, loaded.prompts);
  const place = (found: Finding): Problem => ({ ...found, file });
  const errors = [
    ...version.errors,
    ...form.errors,
    ...deprecated.errors,
    ...flow.errors,
    ...prompts.errors,
    ...proveData(steps, flow),
    ...proveConnection(data),
  ].map(place);
  const warnings = [
    ...version.warnings,
    ...form.warnings,
    ...deprecated.warnings,
    ...flow.warnings,
    ...prompts.warnings,
  ].map(place);
  if (errors.length > 0 || form.definition === undefined) return { valid: false, errors, warnings };
  const found = { definition: form.definition, directory, file, given: prompts.given };
  return { valid: true, errors, warnings, validated: found as unknown as ValidatedDefinition };
}

interface Form {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly definition?: AgentDefinition;
}

/** In a file of a newer minor version, a key that is unknown here came later: it is left out. */
function judgeForm(data: unknown, isNewer: boolean): Form {
  const parsed = AgentDefinitionSchema.safeParse(data);
  if (parsed.success) return { errors: [], warnings: [], definition: parsed.data };
  const { issues } = parsed.error;
  const findings = describeIssues(issues, AgentDefinitionSchema);
  if (!isNewer) return { errors: findings, warnings: [] };
  const known = structuredClone(data);
  removeUnknown(known, issues);
  const again = AgentDefinitionSchema.safeParse(known);
  const warnings = findings.filter(({ code }) => code === "unknown_key");
  return again.success
    ? { errors: [], warnings, definition: again.data }
    : { errors: describeIssues(again.error.issues, AgentDefinitionSchema), warnings };
}

function removeUnknown(data: unknown, issues: readonly $ZodIssue[]): void {
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], data);
    for (const key of issue.keys) delete (holder as Record<string, unknown>)[key];
  }
}

function proveConnection(data: unknown): Finding[] {
  const connection = AgentConnectionSchema.safeParse(valueAt(data, "connection")).data;
  if (connection === undefined) return [];
  const { engine, fallback = [], command } = connection;
  const engines = [engine, ...fallback];
  const found: Finding[] = [];
  if (engines.includes("command") && command === undefined) {
    found.push(finding("connection", ["connection"], "the engine 'command' needs a 'command'"));
  }
  if (!engines.includes("command") && command !== undefined) {
    found.push(
      finding("connection", ["connection", "command"], "no engine of the definition is 'command', so it is never run"),
    );
  }
  if (new Set(engines).size < engines.length) {
    found.push(finding("connection", ["connection", "fallback"], "an engine is named twice"));
  }
  return found;
}
