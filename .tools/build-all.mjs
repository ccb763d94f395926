import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { entryPath } from "./lib/artifacts.mjs";
import { compile } from "./lib/build.mjs";
import { executableTarget } from "./lib/executable.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { note } from "./lib/note.mjs";
import { root } from "./lib/root.mjs";
import { withRuntime } from "./lib/runtime.mjs";
import { targets } from "./lib/targets.mjs";
import { runTool, ToolError } from "./lib/tool.mjs";

const releaseDir = join(root, "dist", "release");

// npm run build:all [-- --only linux-x64,darwin-arm64]: dist/release/ with a binary for each target and their checksums.
await runTool(async () => {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const chosen = values.only === undefined ? targets : values.only.split(",").map(findTarget);
  await ensureInstalled(root);
  // Only what is built now belongs to this release and gets a checksum.
  rmSync(releaseDir, { recursive: true, force: true });
  for (const target of chosen) await build(target);
  writeFileSync(join(releaseDir, "SHA256SUMS"), listChecksums());
});

function findTarget(name) {
  const target = targets.find((candidate) => candidate.name === name);
  if (target) return target;
  throw new ToolError(`no target '${name}': there are ${targets.map((each) => each.name).join(", ")}`);
}

async function build(target) {
  const outfile = join(releaseDir, `codelia-${target.name}${target.extension}`);
  await withRuntime(target, (executable) => compile({ entry: entryPath, outfile, target, executable }));
  const built = executableTarget(readFileSync(outfile));
  if (built !== target.name) throw new ToolError(`'${outfile}' is a program for ${built}, not for ${target.name}`);
  note(`built codelia-${target.name}`);
}

/** In the form that `sha256sum -c` reads. */
function listChecksums() {
  const lines = readdirSync(releaseDir)
    .toSorted()
    .map((name) => `${hashFile(join(releaseDir, name))}  ${name}\n`);
  return lines.join("");
}

function hashFile(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
