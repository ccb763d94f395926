import { isAbsolute } from "node:path";

/** A directory that a variable names, where it names one. */
export function namedDirectory(named: string | undefined, otherwise: string): string {
  return named !== undefined && isAbsolute(named) ? named : otherwise;
}
