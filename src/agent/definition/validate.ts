import type { AgentDefinition } from "../schema.ts";
import { viewSteps } from "./definition-view.ts";
import { findDeprecated, type Deprecation } from "./deprecations.ts";
import { judgeVersion, type FormatVersion } from "./format-version.ts";
import { judgeForm } from "./judge-form.ts";
import type { LoadedDefinition } from "./load.ts";
import type { Finding, Problem } from "./problem.ts";
import { proveConnection } from "./prove-connection.ts";
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
