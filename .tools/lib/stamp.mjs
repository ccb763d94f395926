import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Whether the stamp file says that the output beside it was made from inputs with this hash. */
export function isCurrent(stamp, hash) {
  try {
    return readFileSync(stamp, "utf8") === hash;
  } catch {
    return false;
  }
}

/** Makes something and then its stamp, so that an interrupted attempt never looks finished. */
export async function makeStamped(stamp, hash, make) {
  rmSync(stamp, { force: true });
  await make();
  writeFileSync(stamp, hash);
}

/**
 * sha256 over the names and contents of files below `dir`, and over `facts` that aren't files.
 * Contents, because a checkout or a copy gives every file a new mtime and changes nothing.
 *
 * @param names files and whole directories, relative to `dir`; one that doesn't exist counts as absent
 */
export function hashFiles(dir, names, facts = []) {
  const hash = createHash("sha256");
  const add = (text) => hash.update(`${Buffer.byteLength(text)}:`).update(text);
  for (const fact of facts) add(fact);
  for (const name of names.flatMap((entry) => listFiles(dir, entry))) {
    add(name);
    const content = readFileSync(join(dir, name));
    hash.update(`${content.length}:`).update(content);
  }
  return hash.digest("hex");
}

function listFiles(dir, name) {
  const path = join(dir, name);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path, { recursive: true })
    .map((entry) => join(path, entry))
    .filter((file) => statSync(file).isFile())
    .map((file) => relative(dir, file).split(sep).join("/"))
    .toSorted();
}
