import { tmpdir } from "node:os";
import { join } from "node:path";
import { disk, errnoOf } from "./fs.ts";
import { createFile, removeTreeQuietly } from "./write-file.ts";

export type WithFile<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly errno: string };

/**
 * Lends a file of its own, for a program that takes a path where it means a text.
 *
 * @input  use: given the file's path
 * @output what `use` answers; `failed` where no file can be made
 * @effect a temporary directory that nobody else can read, gone afterwards
 * @error  what `use` throws
 */
export async function withTemporaryFile<Value>(
  name: string,
  text: string,
  use: (path: string) => Promise<Value>,
): Promise<WithFile<Value>> {
  let directory: string;
  try {
    directory = disk.makeTemporary(join(tmpdir(), "codelia-"));
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
