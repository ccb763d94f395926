import { tmpdir } from "node:os";
import { join } from "node:path";

/** A name in the system's directory for temporary files. Apart from `fs.ts`, which every call loads: so is `node:os`. */
export function temporaryPath(name: string): string {
  return join(tmpdir(), name);
}
