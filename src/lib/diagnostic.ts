/**
 * Something that is wrong in a file, or that its author should know of. Every reader and every check reports this one
 * type; how it looks is up to those who print it.
 */
export interface Diagnostic<Rule extends string = string> {
  /** The rule of `check` that is broken, or the code of `agent validate`. */
  readonly rule: Rule;
  readonly severity: Severity;
  /** Absolute. */
  readonly path: string;
  /** From 1; undefined where it is about the file as a whole. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** A JSON pointer to the value, in a file of data. */
  readonly pointer?: string;
  /** What is wrong; no full stop. */
  readonly message: string;
  /** How to repair it, where the message does not say so. */
  readonly remedy?: string;
  /** What identifies it, where the message has figures that may change. */
  readonly about?: string;
}

export type Severity = "error" | "warning" | "note";

/** Most severe first. */
export const SEVERITIES = ["error", "warning", "note"] as const satisfies readonly Severity[];

/** Its message after its line, for output that has no column for lines. */
export function messageWithLine({ line, message }: Diagnostic): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}

/** Several of one file in one sentence. */
export function joinMessages(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(messageWithLine).join("; ");
}
