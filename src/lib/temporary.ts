import { tmpdir } from "node:os";
import { join } from "node:path";
import { disk, errnoOf } from "./fs.ts";
import { createFile, removeTreeQuietly } from "./write-file.ts";

/*
 * What is made in the system's temporary directory. Apart from `fs.ts` and `write-file.ts`, which most calls load, because
 * it needs `node:os`: a tenth of a hook call.
 */

export function temporaryPath(name: string): string {
  return join(tmpdir(), name);
}

type WithFile<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly errno: string };

/**
 * Writes a text into a temporary file, for a program that needs a path.
 *
 * @output what `use` returns; `failed` if no file can be created
 * @effect a temporary directory that nobody else can read, removed afterwards
 * @error  what `use` throws
 */
export async function withTemporaryFile<Value>(
  name: string,
  text: string,
  use: (path: string) => Promise<Value>,
): Promise<WithFile<Value>> {
  let directory: string;
  try {
    directory = disk.makeTemporary(temporaryPath("codelia-"));
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  try {
    const path = join(directory, name);
    const written = createFile(path, text);
    return written.kind === "failed" ? written : { kind: "done", value: await use(path) };
  } finally {
    removeTreeQuietly(directory);
  }
}
