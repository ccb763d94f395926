import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { tarGz, zip } from "./archive.mjs";
import { buildTarget } from "./release-targets.mjs";
import { root } from "./root.mjs";
import { billOfMaterials } from "./sbom.mjs";

const templates = join(root, ".tools", "release");
const schemas = join(root, "docs", "schema");

/**
 * Makes everything that a release publishes, in `directory`: an archive for each target, what they are made of, the
 * installer, entries for package managers, the JSON Schemas, the checksums of all of it, and their signature.
 *
 * @param url where the release will stand
 * @param key of `readSigningKey`; undefined leaves the release without a signature
 */
export async function makeRelease(directory, targets, url, key) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // Only what is built now belongs to this release and gets a checksum.
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const target of targets) await writeArchive(directory, target, manifest);
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  writeFileSync(join(directory, `codelia-${manifest.version}.cdx.json`), billOfMaterials(lock));
  if (url !== "") publishSchemas(directory, url);
  fillTemplates(directory, manifest, url, key?.publicKey);
  writeChecksums(directory, key);
}

/** The checksums of all that is in the directory, and with a key their signature and what verifies it. */
export function writeChecksums(directory, key) {
  if (key !== undefined) writeFileSync(join(directory, "codelia.pub"), `${key.publicKey}\n`);
  const checksums = listChecksums(directory);
  writeFileSync(join(directory, "SHA256SUMS"), checksums);
  if (key !== undefined) writeFileSync(join(directory, "SHA256SUMS.sig"), `${key.sign(Buffer.from(checksums))}\n`);
}

async function writeArchive(directory, target, { version }) {
  const workshop = mkdtempSync(join(root, "dist", ".releasing-"));
  try {
    const program = join(workshop, `codelia${target.extension}`);
    await buildTarget(target, program);
    const files = [
      { name: `codelia${target.extension}`, mode: 0o755, bytes: readFileSync(program) },
      ...["LICENSE", "README.md"].map((name) => ({ name, mode: 0o644, bytes: readFileSync(join(root, name)) })),
    ];
    const isForWindows = target.extension !== "";
    const name = `codelia-${version}-${target.name}.${isForWindows ? "zip" : "tar.gz"}`;
    writeFileSync(join(directory, name), isForWindows ? zip(files) : tarGz(files));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** The JSON Schemas, each with the address where it will stand as its id: what an editor looks for, and can fetch. */
export function publishSchemas(directory, url) {
  for (const name of readdirSync(schemas)) {
    const { $schema, ...rest } = JSON.parse(readFileSync(join(schemas, name), "utf8"));
    const published = `codelia-${basename(name, ".json")}.schema.json`;
    const text = JSON.stringify({ $schema, $id: `${url}/${published}`, ...rest }, undefined, 2);
    writeFileSync(join(directory, published), `${text}\n`);
  }
}

/** The templates with what is known of this release; one that needs the checksum of a target that was not built is left out. */
export function fillTemplates(directory, { version, description, license }, url, publicKey = "") {
  const known = { VERSION: version, DESCRIPTION: description, LICENSE: license, URL: url, KEY: publicKey };
  for (const template of readdirSync(templates)) {
    const filled = readFileSync(join(templates, template), "utf8").replaceAll(
      /@([A-Z0-9]+)(?: ([\w-]+))?@/gu,
      (whole, word, target) => (word === "SHA256" ? checksumOf(directory, version, target) : known[word]) ?? whole,
    );
    if (!filled.includes("@SHA256 ")) writeFileSync(join(directory, template), filled, { mode: 0o644 });
  }
}

function checksumOf(directory, version, target) {
  const archive = `codelia-${version}-${target}.tar.gz`;
  return readdirSync(directory).includes(archive) ? hashFile(join(directory, archive)) : undefined;
}

/** In the form that `sha256sum -c` reads. */
function listChecksums(directory) {
  const lines = readdirSync(directory)
    .filter((name) => !name.startsWith("SHA256SUMS"))
    .toSorted()
    .map((name) => `${hashFile(join(directory, name))}  ${name}\n`);
  return lines.join("");
}

function hashFile(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
