import type { Diagnostic, Severity } from "../../lib/diagnostic.ts";

/** A problem of a definition, at a value of its file. */
export type Problem = Diagnostic<ProblemCode> & { readonly pointer: string };

type ProblemCode =
  /** A value that the schema does not allow. */
  | "form"
  | "unknown_key"
  | "version"
  | "entry"
  | "transition"
  | "unreachable"
  | "endless"
  | "prompt"
  | "variable"
  | "input"
  | "output"
  | "optional"
  | "completion"
  | "connection";

/** A problem in whatever file is being checked. */
export type Finding = Omit<Problem, "path">;

export function error(code: ProblemCode, keys: readonly PropertyKey[], message: string): Finding {
  return finding("error", code, keys, message);
}

export function warning(code: ProblemCode, keys: readonly PropertyKey[], message: string): Finding {
  return finding("warning", code, keys, message);
}

/** Something an author should know but need not change. */
export function note(code: ProblemCode, keys: readonly PropertyKey[], message: string): Finding {
  return finding("note", code, keys, message);
}

function finding(severity: Severity, rule: ProblemCode, keys: readonly PropertyKey[], message: string): Finding {
  const parts = keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return { rule, severity, pointer: parts.join(""), message };
}

/** The public shape. */
export function asValidationError({ rule, message, path, pointer }: Problem): object {
  return { code: rule, message, file: path, pointer };
}
