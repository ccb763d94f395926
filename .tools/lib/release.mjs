import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { tar, tarGz, zip } from "./archive.mjs";
import { buildTarget } from "./release-targets.mjs";
import { root } from "./tool.mjs";
import { billOfMaterials } from "./sbom.mjs";

const templates = join(root, ".tools", "release");
const manual = join(root, "docs", "man");
const schemas = join(root, "docs", "schema");

/**
 * Makes everything that a release publishes, in `directory`: an archive for each target, the bill of materials, the
 * installer, entries for package managers, the JSON Schemas, the checksums of all of it, and their signature.
 *
 * @param url where the release will be published
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

/** The checksums of everything in the directory, and with a key their signature and the public key. */
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
      ...manPages(),
    ];
    const isForWindows = target.extension !== "";
    const name = `codelia-${version}-${target.name}`;
    if (isForWindows) {
      writeFileSync(join(directory, `${name}.zip`), zip(files));
      return;
    }
    writeFileSync(join(directory, `${name}.tar.gz`), tarGz(files));
    const small = xz(tar(files));
    if (small !== undefined) writeFileSync(join(directory, `${name}.tar.xz`), small);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** A quarter smaller than gzip; undefined if there is no `xz` here. */
export function xz(bytes) {
  const { error, status, stdout } = spawnSync("xz", ["-6", "--threads=1", "--stdout"], {
    input: bytes,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return error === undefined && status === 0 ? stdout : undefined;
}

function manPages() {
  const names = readdirSync(manual).toSorted();
  return names.map((name) => ({ name: `man/${name}`, mode: 0o644, bytes: readFileSync(join(manual, name)) }));
}

/** The JSON Schemas, each with the address of its publication as its id, which is where editors look for it. */
export function publishSchemas(directory, url) {
  for (const name of readdirSync(schemas)) {
    const { $schema, ...rest } = JSON.parse(readFileSync(join(schemas, name), "utf8"));
    const published = `codelia-${basename(name, ".json")}.schema.json`;
    const text = JSON.stringify({ $schema, $id: `${url}/${published}`, ...rest }, undefined, 2);
    writeFileSync(join(directory, published), `${text}\n`);
  }
}

/**
 * The templates, filled in for this release; one that needs the checksum of a target that was not built is left out.
 */
export function fillTemplates(directory, { version, description, license, homepage }, url, publicKey = "") {
  const known = {
    VERSION: version,
    DESCRIPTION: description,
    LICENSE: license,
    HOMEPAGE: homepage,
    URL: url,
    KEY: publicKey,
  };
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

/** In the format that `sha256sum -c` reads. */
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
