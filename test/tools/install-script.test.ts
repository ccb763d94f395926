import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { tarGz } from "../../.tools/lib/archive.mjs";
import { fillTemplates, listChecksums } from "../../.tools/lib/release.mjs";
import { hostTarget } from "../../.tools/lib/targets.mjs";
import { startProgram, type RunResult } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const FACTS = { version: "1.2.3", description: "A program", license: "MIT" };
const TARGETS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const ARCHIVE = `codelia-1.2.3-${hostTarget()?.name}.tar.gz`;

/** A release with a script for a program, on a server of this machine. */
function publish(release: TempTree) {
  const bytes = Buffer.from("#!/bin/sh\necho 1.2.3\n");
  const archive = tarGz([{ name: "codelia", mode: 0o755, bytes }]);
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
  fillTemplates(release.root, FACTS, url);
  release.write("SHA256SUMS", listChecksums(release.root));
  return { url, [Symbol.dispose]: () => void server.stop(true) };
}

function install(release: TempTree, home: TempTree, env: Record<string, string> = {}): Promise<RunResult> {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home.root, TMPDIR: home.path("tmp"), ...env };
  return startProgram("sh", [release.path("install.sh")], { cwd: home.root, env: environment });
}

describe.skipIf(process.platform === "win32")("install.sh", () => {
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
    expect(readdirSync(home.path("tmp"))).toEqual([".keep"]);
  });

  test.each([
    [
      "an archive that was changed",
      (release: TempTree) => release.write(ARCHIVE, "something else"),
      "is not what was published",
    ],
    ["checksums without it", (release: TempTree) => release.write("SHA256SUMS", ""), "has no line for"],
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
