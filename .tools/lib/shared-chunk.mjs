import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ToolError } from "./tool.mjs";

/** What nearly every call needs, with everything that these import. */
const sharedFiles = ["workspace.ts", "instructions/tell.ts", "hooks/tool.ts", "clients/events.ts"];
/** Loaded where no workspace is opened: help, the version, code for a terminal. */
const apart = ["cli/"];

const DYNAMIC_IMPORT = /\bimport\("(\.[^"]+\.ts)"\)/g;

/**
 * Copies the program's source so that the bundler puts what nearly every call needs into one chunk.
 *
 * The bundler makes a chunk for each set of entry points that need the same modules, and every `import()` is an entry
 * point: left to itself it divides what a call loads into 25 chunks, which takes a hook 0.6 ms. Here each of those entry
 * points needs the shared files, so that they are one set.
 *
 * @param source the directory of the program's source, with package.json beside it
 * @param into an existing directory
 * @returns the copy of the source
 */
export function copyWithSharedChunk(source, into) {
  const copy = join(into, "src");
  cpSync(source, copy, { recursive: true });
  cpSync(join(source, "../package.json"), join(into, "package.json"));
  const entries = listLazyFiles(copy);
  if (entries.length === 0) throw new ToolError("no 'import()' found in the source");
  const shared = join(copy, "shared-chunk.ts");
  writeFileSync(shared, sharedFiles.map((file) => `import "./${file}";\n`).join(""));
  for (const file of entries) {
    if (apart.some((room) => slashed(relative(copy, file)).startsWith(room))) continue;
    // On the same line as the following code, so that line numbers stay.
    writeFileSync(file, `import "${importPath(file, shared)}"; ${readFileSync(file, "utf8")}`);
  }
  return copy;
}

/** The files that some `import()` names. */
function listLazyFiles(directory) {
  const files = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith(".ts"));
  const lazy = files.flatMap((name) => {
    const matches = readFileSync(join(directory, name), "utf8").matchAll(DYNAMIC_IMPORT);
    return [...matches].map(([, path]) => resolve(directory, dirname(name), path));
  });
  return [...new Set(lazy)].toSorted();
}

function importPath(from, to) {
  const path = slashed(relative(dirname(from), to));
  return path.startsWith(".") ? path : `./${path}`;
}

function slashed(path) {
  return path.split(sep).join("/");
}
