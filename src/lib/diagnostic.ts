/** A problem in a file. Every reader and every check reports this type; the callers that print it choose the format. */
export interface Diagnostic<Rule extends string = string> {
  /** The rule of `check` that is broken, or the code of `agent validate`. */
  readonly rule: Rule;
  readonly severity: Severity;
  /** Absolute. */
  readonly path: string;
  /** From 1; undefined if it is about the file as a whole. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** A JSON pointer to the value, in a data file. */
  readonly pointer?: string;
  /** What is wrong; no full stop. */
  readonly message: string;
  /** How to repair it, if the message does not say so. */
  readonly remedy?: string;
  /** Identifies it if the message contains figures that may change. */
  readonly about?: string;
}

export type Severity = "error" | "warning" | "note";

/** Most severe first. */
export const SEVERITIES = ["error", "warning", "note"] as const satisfies readonly Severity[];

/** The message with its line, for output without a column for lines. */
export function messageWithLine({ line, message }: Diagnostic): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}

/** Several problems of one file in one sentence. */
export function joinMessages(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(messageWithLine).join("; ");
}
