import { describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hostTarget } from "../../.tools/lib/targets.mjs";
import manifest from "../../package.json" with { type: "json" };
import { startProgram, type RunResult } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { read } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { RULED_FILES, told } from "./lib/codelia-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { countSeen } from "./lib/seen.ts";

// The packages as npm has them, from their tarballs into a directory that knows nothing of this checkout.

const PACKAGES = process.env["CODELIA_PACKAGES"] ?? "";
const TARBALLS = PACKAGES === "" ? [] : readdirSync(PACKAGES).map((name) => join(PACKAGES, name));
const VERSION = manifest.version;
const MAIN_CONTENT = ["LICENSE", "README.md", "bin", "lib", "package.json"];
const LIB_CONTENT = ["codelia.mjs", "native.cjs", "postinstall.cjs"];
const NATIVE = `node_modules/codelia-${hostTarget()?.name}`;

describe.skipIf(PACKAGES === "")("the packages", () => {
  test(
    "hold what their manifests name, and put the program itself behind the name: no Node stands before it",
    async () => {
      using project = await install();
      expect(readdirSync(project.path("node_modules/codelia")).toSorted()).toEqual(MAIN_CONTENT);
      expect(readdirSync(project.path("node_modules/codelia/lib")).toSorted()).toEqual(LIB_CONTENT);
      expect(readdirSync(project.path(NATIVE)).toSorted()).toEqual(["LICENSE", "bin", "package.json"]);
      const program = readFileSync(project.path("node_modules/codelia/bin/codelia"));
      expect(program.equals(readFileSync(project.path(NATIVE, "bin/codelia")))).toBe(true);
      expect(await version(project)).toEqual({ stdout: `${VERSION}\n`, stderr: "", exitCode: 0 });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "work without any install script, and as a script where there is no program for the machine",
    async () => {
      using project = await install("--ignore-scripts");
      expect(lstatSync(project.path("node_modules/codelia/bin/codelia")).size).toBeLessThan(10_000);
      expect(await version(project)).toEqual({ stdout: `${VERSION}\n`, stderr: "", exitCode: 0 });
      const mistaken = await call(project, ["no-such-verb"]);
      expect(mistaken).toMatchObject({ stdout: "", stderr: expect.stringContaining("no-such-verb"), exitCode: 64 });

      rmSync(project.path(NATIVE), { recursive: true });
      project.write("AGENTS.md", "Rule.\n");
      const resolved = await call(project, ["resolve", "package.json"]);
      const stdout = expect.stringContaining(told(project, "AGENTS.md"));
      expect(resolved).toMatchObject({ stdout, stderr: "", exitCode: 0 });
      const hooks = await call(project, ["install", "claude", "--dry-run"]);
      expect(hooks.stdout).toContain(project.path("node_modules/codelia/lib/codelia.mjs"));
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(PACKAGES === "" || CLAUDE.missing !== undefined)("from tarballs to the first reminder", () => {
  test(
    "three commands: install the packages, install the hooks, start the client",
    async () => {
      using home = tempTree();
      using project = tempTree({ ...RULED_FILES, "CLAUDE.md": "Be brief.\n" });
      await npmInstall(project, home);
      const hooks = await call(project, ["install", "claude", "--yes"], home);
      expect({ exitCode: hooks.exitCode }).toEqual({ exitCode: 0 });
      const run = await runClaude({
        tree: project,
        home,
        prompt: "Go.",
        script: { main: [{ toolUses: [read(project.path("app/main.ts"))] }] },
      });
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(countSeen(run, told(project, "app/AGENTS.md"))).toEqual([0, 1]);
    },
    TEST_TIMEOUT_MS,
  );
});

async function install(...flags: readonly string[]): Promise<TempTree> {
  using home = tempTree();
  const project = tempTree({ "package.json": "{}\n" });
  await npmInstall(project, home, ...flags);
  return project;
}

/** Offline: the packages need nothing but each other. */
async function npmInstall(project: TempTree, home: TempTree, ...flags: readonly string[]): Promise<void> {
  const args = ["install", "--offline", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", ...flags];
  const { exitCode, stdout, stderr } = await startProgram("npm", [...args, ...TARBALLS], {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: home.root },
    timeoutMs: TEST_TIMEOUT_MS,
  });
  expect({ exitCode, output: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, output: "" });
}

function version(project: TempTree): Promise<RunResult> {
  return call(project, ["--version"]);
}

async function call(project: TempTree, args: readonly string[], home?: TempTree): Promise<RunResult> {
  using own = tempTree();
  return startProgram(project.path("node_modules/.bin/codelia"), args, {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: (home ?? own).root },
  });
}
