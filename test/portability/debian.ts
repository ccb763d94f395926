import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";

// Packages of Debian, unpacked into a directory of their own: nothing on this machine is changed, and no package's
// script is run.

export type Architecture = "amd64" | "arm64";

/** The release whose Wine is new enough; an older one lacks a library that the program needs. */
const SUITE = "trixie";
const MIRROR = process.env["DEBIAN_MIRROR"] ?? "http://deb.debian.org/debian";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const AT_ONCE = 6;

/** Kept between runs, outside the repository. */
export const CACHE = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "codelia-portability");

interface Package {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
  /** Names that each stand for one of several packages. */
  readonly needs: readonly (readonly string[])[];
}

/**
 * A directory with these packages and all that they depend on, made once.
 *
 * @error why they can't be had: no network, no `dpkg-deb`, a bad signature or checksum
 */
export async function debianTree(architecture: Architecture, names: readonly string[]): Promise<string> {
  const place = join(CACHE, `${SUITE}-${architecture}-${names.join("-")}`);
  if (existsSync(place)) return place;
  const wanted = withAllNeeded(await packageIndex(architecture), names);
  const draft = `${place}.${process.pid}.tmp`;
  linkUsr(draft);
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const files = await Promise.all(wanted.slice(at, at + AT_ONCE).map((each) => download(each.file, each.sha256)));
    for (const file of files) execFileSync("dpkg-deb", ["--extract", file, draft]);
  }
  renameSync(draft, place);
  return place;
}

/** As Debian lays it out: what packages put into /bin and /lib is in /usr. */
function linkUsr(root: string): void {
  rmSync(root, { recursive: true, force: true });
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", name), { recursive: true });
    execFileSync("ln", ["-s", `usr/${name}`, join(root, name)]);
  }
  mkdirSync(join(root, "tmp"));
}

function withAllNeeded(index: ReadonlyMap<string, Package>, names: readonly string[]): readonly Package[] {
  const found = new Map<string, Package>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const each = index.get(name);
    if (each === undefined) throw new Error(`${SUITE} has no package '${name}'`);
    if (found.has(each.name)) continue;
    found.set(each.name, each);
    for (const alternatives of each.needs) {
      const chosen = alternatives.find((one) => index.has(one));
      if (chosen !== undefined) open.push(chosen);
    }
  }
  return [...found.values()];
}

/** By name, and by what they provide. */
async function packageIndex(architecture: Architecture): Promise<ReadonlyMap<string, Package>> {
  const path = `main/binary-${architecture}/Packages.xz`;
  const release = await signedRelease();
  const sha256 = new RegExp(`^ ([0-9a-f]{64}) +\\d+ ${path}$`, "m").exec(release)?.[1];
  if (sha256 === undefined) throw new Error(`${SUITE} has no ${path}`);
  const file = await download(`dists/${SUITE}/${path}`, sha256);
  const text = execFileSync("xz", ["--decompress", "--stdout", file], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const packages = new Map<string, Package>();
  const provided = new Map<string, Package>();
  for (const paragraph of text.split("\n\n")) {
    if (paragraph.trim() === "") continue;
    const fields = new Map([...paragraph.matchAll(/^([\w-]+): (.*)$/gm)].map((found) => [found[1], found[2] ?? ""]));
    const names = (field: string) =>
      (fields.get(field) ?? "")
        .split(",")
        .map((need) => need.split("|").map((one) => one.trim().split(/[ (:]/)[0] ?? ""));
    const each: Package = {
      name: fields.get("Package") ?? "",
      version: fields.get("Version") ?? "",
      file: fields.get("Filename") ?? "",
      sha256: fields.get("SHA256") ?? "",
      needs: [...names("Pre-Depends"), ...names("Depends")].filter(([first]) => first !== ""),
    };
    packages.set(each.name, each);
    for (const [name = ""] of names("Provides")) if (!provided.has(name)) provided.set(name, each);
  }
  return new Map([...provided, ...packages]);
}

/** The list of checksums, once its signature is found good. */
async function signedRelease(): Promise<string> {
  const text = await (await get(`dists/${SUITE}/InRelease`)).text();
  if (!existsSync(KEYRING)) throw new Error(`the keys of Debian are not here (${KEYRING})`);
  return execFileSync("gpgv", ["--quiet", "--keyring", KEYRING, "--output", "-"], {
    input: text,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, GNUPGHOME: tmpdir() },
  });
}

/** The file, kept by its checksum. */
async function download(path: string, sha256: string): Promise<string> {
  const place = join(CACHE, "files", sha256);
  if (existsSync(place)) return place;
  const bytes = new Uint8Array(await (await get(path)).arrayBuffer());
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual !== sha256) throw new Error(`${path} has the checksum ${actual}, not ${sha256}`);
  mkdirSync(dirname(place), { recursive: true });
  const draft = `${place}.${process.pid}.tmp`;
  writeFileSync(draft, bytes);
  renameSync(draft, place);
  return place;
}

async function get(path: string): Promise<Response> {
  const response = await fetch(`${MIRROR}/${path}`, { signal: AbortSignal.timeout(120_000) });
  if (!response.ok) throw new Error(`${MIRROR}/${path}: ${response.status}`);
  return response;
}
