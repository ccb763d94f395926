import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { tar, tarGz } from "../../.tools/lib/archive.mjs";
import { fillTemplates, writeChecksums, xz } from "../../.tools/lib/release.mjs";
import { readSigningKey, type SigningKey } from "../../.tools/lib/signing.mjs";
import { hostTarget } from "../../.tools/lib/targets.mjs";
import { startProgram, type RunResult } from "../support/run-codelia.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

const FACTS = { version: "1.2.3", description: "A program", license: "MIT", homepage: "https://example.com/codelia" };
const TARGETS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const ARCHIVE = `codelia-1.2.3-${hostTarget()?.name}.tar.gz`;

function makeKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = readSigningKey(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  if (key === undefined) throw new Error("no key");
  return key;
}

const KEY = makeKey();

/** A release with a script for a program, on a server of this machine, signed or not. */
function publish(release: TempTree, key: SigningKey | "unsigned" = KEY, program = "#!/bin/sh\necho 1.2.3\n") {
  const bytes = Buffer.from(program);
  const page = Buffer.from(".TH CODELIA 1\n");
  const archive = tarGz([
    { name: "codelia", mode: 0o755, bytes },
    { name: "man/codelia.1", mode: 0o644, bytes: page },
  ]);
  for (const target of new Set([...TARGETS, hostTarget()?.name]))
    release.write(`codelia-1.2.3-${target}.tar.gz`, archive);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const path = release.path(new URL(url).pathname.slice(1));
      return existsSync(path) ? new Response(Bun.file(path)) : new Response("not found", { status: 404 });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const signing = key === "unsigned" ? undefined : key;
  fillTemplates(release.root, FACTS, url, signing?.publicKey);
  writeChecksums(release.root, signing);
  return { url, [Symbol.dispose]: () => void server.stop(true) };
}

function install(release: TempTree, home: TempTree, env: Record<string, string> = {}): Promise<RunResult> {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home.root, TMPDIR: home.path("tmp"), ...env };
  return startProgram("sh", [release.path("install.sh")], { cwd: home.root, env: environment });
}

/** What the installer calls, without openssl; curl is left out as well where only wget is there. */
const TOOLS = [
  "sh",
  "curl",
  "tar",
  "gzip",
  "sed",
  "cut",
  "mktemp",
  "rm",
  "cp",
  "mv",
  "mkdir",
  "chmod",
  "find",
  "uname",
];

function withoutOpenssl(tree: TempTree): string {
  for (const tool of [...TOOLS, "sha256sum", "shasum"]) {
    const path = Bun.which(tool);
    if (path !== null) symlinkSync(path, tree.path("tools", tool));
  }
  return tree.path("tools");
}

const canVerify = Bun.which("openssl") !== null;

describe.skipIf(process.platform === "win32" || !canVerify)("install.sh", () => {
  const small = xz(tar([{ name: "codelia", mode: 0o755, bytes: Buffer.from("#!/bin/sh\necho 1.2.3 from xz\n") }]));

  test.skipIf(small === undefined)("takes the smaller archive where there is one and xz can unpack it", async () => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "", tools: dir });
    release.write(ARCHIVE.replace(".gz", ".xz"), small ?? "");
    using server = publish(release);
    expect((await install(release, home)).exitCode).toBe(0);
    expect(home.read(".local/bin/codelia")).toContain("from xz");
    const env = { PATH: withoutOpenssl(home), CODELIA_UNVERIFIED: "1", CODELIA_URL: server.url };
    expect((await install(release, home, env)).exitCode).toBe(0);
    expect(home.read(".local/bin/codelia")).not.toContain("from xz");
  });

  test("downloads, verifies and installs; nothing is left beside the program", async () => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "" });
    using _ = publish(release);
    expect(await install(release, home)).toEqual({
      stdout: `installed codelia 1.2.3 in ${home.path(".local/bin")}\n`,
      stderr: `note: ${home.path(".local/bin")} is not on your PATH\n`,
      exitCode: 0,
    });
    expect(readdirSync(home.path(".local/bin"))).toEqual(["codelia"]);
    expect(statSync(home.path(".local/bin/codelia")).mode & 0o777).toBe(0o755);
    expect(home.read(".local/share/man/man1/codelia.1")).toBe(".TH CODELIA 1\n");
    expect(readdirSync(home.path("tmp"))).toEqual([".keep"]);
  });

  // Answers of other machines. A program of another machine is never started: the archive holds a script.
  test.each([
    ["Alpine", { getconf: [1, ""], ldd: [1, "musl libc (x86_64)"] }, "linux-x64-musl"],
    ["glibc beside a musl loader", { getconf: [0, "glibc 2.36"], ldd: [0, "ldd (Debian GLIBC) 2.36"] }, "linux-x64"],
    ["glibc without getconf", { getconf: [127, ""], ldd: [0, "ldd (GNU libc) 2.28"] }, "linux-x64"],
  ] satisfies [string, Record<string, [number, string]>, string][])(
    "asks what the system runs with: %s",
    async (_, answers, target) => {
      using release = tempTree();
      const tools = Object.entries({ ...answers, uname: [0, ""] as [number, string] }).map(([name, [code, text]]) => {
        const answer =
          name === "uname" ? `[ "$1" = -s ] && echo Linux || echo x86_64` : `echo "${text}" >&2; exit ${code}`;
        return [`tools/${name}`, { text: `#!/bin/sh\n${answer}\n`, mode: 0o755 }] as const;
      });
      using home = tempTree({ "tmp/.keep": "", ...Object.fromEntries(tools) });
      using server = publish(release);
      for (const name of readdirSync(release.root)) if (/x64.*gz$/.test(name)) release.remove(name);
      const { stderr } = await install(release, home, { PATH: `${home.path("tools")}:${process.env["PATH"]}` });
      expect(stderr).toContain(`can't download ${server.url}/codelia-1.2.3-${target}.tar.gz`);
    },
  );

  test("installs nothing over the old program when the new one does not start", async () => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "", "bin/codelia": "the old one" });
    using _ = publish(release, KEY, "#!/bin/sh\necho 'Error loading shared library libstdc++.so.6' >&2\nexit 127\n");
    const result = await install(release, home, { CODELIA_BIN: home.path("bin") });
    expect(result).toMatchObject({ stdout: "", exitCode: 1 });
    expect(result.stderr).toContain("the program does not start here (Error loading shared library libstdc++.so.6)");
    expect([home.read("bin/codelia"), readdirSync(home.path("bin"))]).toEqual(["the old one", ["codelia"]]);
  });

  test("a release that is not signed says so", async () => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "" });
    using server = publish(release, "unsigned");
    expect(readdirSync(release.root)).not.toContain("SHA256SUMS.sig");
    const { stderr, exitCode } = await install(release, home);
    expect(stderr).toContain(`note: this release is not signed; its checksums are only as good as ${server.url}\n`);
    expect(exitCode).toBe(0);
  });

  const other = tarGz([{ name: "codelia", mode: 0o755, bytes: Buffer.from("#!/bin/sh\necho another\n") }]);
  /** What one can do who has the place of the release, but not its key. */
  const forge = (release: TempTree, key?: SigningKey): void => {
    const signature = release.read("SHA256SUMS.sig");
    for (const target of [...TARGETS, hostTarget()?.name]) release.write(`codelia-1.2.3-${target}.tar.gz`, other);
    writeChecksums(release.root, key);
    if (key === undefined) release.write("SHA256SUMS.sig", signature);
  };

  test.each([
    [
      "an archive that was changed",
      (release: TempTree) => release.write(ARCHIVE, "something else"),
      "is not what was published: its checksum",
    ],
    ["an archive and its checksum that were changed", forge, "its signature is not ours"],
    ["a release signed by another", (release: TempTree) => forge(release, makeKey()), "its signature is not ours"],
    ["no signature", (release: TempTree) => release.remove("SHA256SUMS.sig"), "can't download"],
    ["an empty signature", (release: TempTree) => release.write("SHA256SUMS.sig", ""), "its signature is not ours"],
    ["a signature that is none", (release: TempTree) => release.write("SHA256SUMS.sig", "\0!"), "SHA256SUMS"],
    ["the checksums of another release", (release: TempTree) => resign(release, ""), "has no line for"],
    ["no archive for this machine", (release: TempTree) => release.remove(ARCHIVE), "can't download"],
  ])("installs nothing over the old program with %s", async (_, spoil, sentence) => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "", "bin/codelia": "the old one" });
    using server = publish(release);
    spoil(release);
    const result = await install(release, home, { CODELIA_BIN: home.path("bin"), CODELIA_URL: server.url });
    expect(result).toMatchObject({ stdout: "", stderr: expect.stringContaining(sentence), exitCode: 1 });
    expect(home.read("bin/codelia")).toBe("the old one");
    expect(readdirSync(home.path("bin"))).toEqual(["codelia"]);
    expect(readdirSync(home.path("tmp"))).toEqual([".keep"]);
  });

  test("where nothing can verify the signature, it is left out only by the user's word", async () => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "", "tools/.keep": "" });
    using _ = publish(release);
    const PATH = withoutOpenssl(home);
    expect(await install(release, home, { PATH })).toMatchObject({
      stderr: "codelia: this needs openssl to verify the signature; CODELIA_UNVERIFIED=1 goes without\n",
      exitCode: 1,
    });
    const unverified = await install(release, home, { PATH, CODELIA_UNVERIFIED: "1" });
    expect(unverified).toMatchObject({
      stderr: expect.stringContaining("note: the signature is not verified, as CODELIA_UNVERIFIED says\n"),
      exitCode: 0,
    });
  });

  test.each(["http://example.com/codelia", "http://127.0.0.1:1@example.com", "ftp://example.com", "file:///tmp"])(
    "downloads nothing from %s",
    async (url) => {
      using release = tempTree();
      using home = tempTree({ "tmp/.keep": "" });
      using _ = publish(release);
      expect(await install(release, home, { CODELIA_URL: url })).toEqual({
        stdout: "",
        stderr: `codelia: '${url}' is no https address\n`,
        exitCode: 1,
      });
    },
  );

  test("asks curl for https alone, whatever it is led to", async () => {
    using release = tempTree();
    using home = tempTree({
      "tmp/.keep": "",
      "tools/curl": { text: '#!/bin/sh\nprintf "%s\\n" "$*" >>"$HOME/asked"\nexit 1\n', mode: 0o755 },
    });
    using _ = publish(release);
    const env = { PATH: `${home.path("tools")}:${process.env["PATH"]}`, CODELIA_URL: "https://example.com/1.2.3" };
    expect(await install(release, home, env)).toMatchObject({
      stderr: "codelia: can't download https://example.com/1.2.3/SHA256SUMS\n",
      exitCode: 1,
    });
    expect(home.read("asked")).toMatch(/^--proto =https --tlsv1\.2 .* https:\/\/example\.com\/1\.2\.3\/SHA256SUMS\n$/);
  });

  test("half a script does nothing", async () => {
    using release = tempTree();
    using home = tempTree({ "tmp/.keep": "" });
    using _ = publish(release);
    const text = release.read("install.sh");
    release.write("install.sh", text.slice(0, text.lastIndexOf("main")));
    expect(await install(release, home)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    expect(existsSync(home.path(".local/bin"))).toBe(false);
  });
});

/** With our key, what was changed. */
function resign(release: TempTree, checksums: string): void {
  release.write("SHA256SUMS", checksums);
  release.write("SHA256SUMS.sig", KEY.sign(Buffer.from(checksums)));
}

test("what signs a release is a key over P-256 or nothing", () => {
  const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
  expect(readSigningKey(undefined)).toBeUndefined();
  expect(readSigningKey("")).toBeUndefined();
  for (const wrong of [
    "no key",
    pem(generateKeyPairSync("ed25519").privateKey),
    pem(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey),
    KEY.publicKey,
  ]) {
    expect(() => readSigningKey(wrong)).toThrow("CODELIA_SIGNING_KEY is no private key over P-256 in PEM");
  }
});

test("a release holds the key that its checksums are verified with, and the checksum of that", () => {
  using release = tempTree();
  using _ = publish(release);
  expect(release.read("codelia.pub")).toBe(`${KEY.publicKey}\n`);
  const names = release
    .read("SHA256SUMS")
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(66));
  expect(names).toEqual(
    readdirSync(release.root)
      .filter((name) => !name.startsWith("SHA256SUMS"))
      .toSorted(),
  );
  const signature = Buffer.from(release.read("SHA256SUMS.sig"), "base64");
  expect(verify("sha256", Buffer.from(release.read("SHA256SUMS")), KEY.publicKey, signature)).toBe(true);
});

test("the entries for package managers name this release and its checksums", () => {
  using release = tempTree();
  using _ = publish(release);
  const formula = release.read("codelia.rb");
  expect(formula).not.toContain("@");
  expect(formula.match(/sha256 "[0-9a-f]{64}"/g)).toHaveLength(TARGETS.length);
  expect(release.read("aqua.yaml")).not.toMatch(/@[A-Z]/);
});

test("an entry that needs a target which was not built is left out", () => {
  using release = tempTree();
  fillTemplates(release.root, FACTS, "http://127.0.0.1");
  expect(readdirSync(release.root).toSorted()).toEqual(["aqua.yaml", "install.sh"]);
});
