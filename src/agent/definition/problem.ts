/** What is wrong with a definition, and where. */
export interface Problem {
  readonly code: ProblemCode;
  /** A sentence: what, and the way out. */
  readonly message: string;
  readonly file: string;
  /** A JSON pointer into that file. */
  readonly pointer: string;
}

export type ProblemCode =
  /** A value of another form than the format wants. */
  | "form"
  | "unknown_key"
  | "version"
  | "deprecated"
  | "entry"
  | "transition"
  | "unreachable"
  | "endless"
  | "prompt"
  | "variable"
  | "input"
  | "output"
  | "optional"
  | "connection";

/** A problem before it is known in which file. */
export type Finding = Omit<Problem, "file">;

export function finding(code: ProblemCode, path: readonly PropertyKey[], message: string): Finding {
  return { code, pointer: pointerOf(path), message };
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
