import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./lib/install.mjs";
import { buildTarget, chooseTargets } from "./lib/release-targets.mjs";
import { root } from "./lib/root.mjs";
import { runTool } from "./lib/tool.mjs";

const releaseDir = join(root, "dist", "release");

// npm run build:all [-- --only linux-x64,darwin-arm64]: dist/release/ with a binary for each target and their checksums.
await runTool(async () => {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const chosen = chooseTargets(values.only);
  await ensureInstalled(root);
  // Only what is built now belongs to this release and gets a checksum.
  rmSync(releaseDir, { recursive: true, force: true });
  for (const target of chosen) {
    await buildTarget(target, join(releaseDir, `codelia-${target.name}${target.extension}`));
  }
  writeFileSync(join(releaseDir, "SHA256SUMS"), listChecksums());
});

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
