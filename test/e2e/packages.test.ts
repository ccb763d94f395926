import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages, packAll } from "../../.tools/lib/pack.mjs";
import { executableTarget } from "../../.tools/lib/executable.mjs";
import { hostTarget, targets } from "../../.tools/lib/targets.mjs";
import manifest from "../../package.json" with { type: "json" };
import { REPOSITORY, startProgram, type RunResult } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { read } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { RULED_FILES, told } from "./lib/codelia-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { npmIn, npmInstall, npmKnows } from "./lib/npm-install.ts";
import { startNpmRegistry, type NpmRegistry } from "./lib/npm-registry.ts";
import { countSeen } from "./lib/seen.ts";
import { readTarball } from "./lib/tarball.ts";

// The packages as npm has them: all of them in a registry, from where npm chooses for a directory that knows nothing of
// this checkout.

const VERSION = manifest.version;
const HOST = hostTarget()?.name ?? "";
const NATIVE = `node_modules/codelia-${HOST}`;
/** A minute on two quiet cores where nothing is packed yet, and the download of the runtimes. */
const PACKING_TIMEOUT_MS = 600_000;

/** What a machine calls itself, and the package that is for it. */
const MACHINES: readonly (readonly [name: string, os: string, cpu: string, libc?: string])[] = [
  ["linux-x64", "linux", "x64", "glibc"],
  ["linux-arm64", "linux", "arm64", "glibc"],
  ["linux-x64-musl", "linux", "x64", "musl"],
  ["linux-arm64-musl", "linux", "arm64", "musl"],
  ["darwin-x64", "darwin", "x64"],
  ["darwin-arm64", "darwin", "arm64"],
  ["windows-x64", "win32", "x64"],
  ["windows-arm64", "win32", "arm64"],
];

const knowsLibc = await npmKnows("libc");
let packages: string;
let registry: NpmRegistry;

beforeAll(async () => {
  packages = await ensurePackages();
  registry = await startNpmRegistry(packages);
}, PACKING_TIMEOUT_MS);

afterAll(() => registry?.close());

describe("the tarballs", () => {
  test("are those of the main package and of every target", () => {
    const names = targets.map(({ name }) => `codelia-${name}`);
    expect([...registry.manifests.keys()].toSorted()).toEqual(["codelia", ...names].toSorted());
    expect(MACHINES.map(([name]) => name)).toEqual(targets.map(({ name }) => name));
    const { optionalDependencies } = registry.manifests.get("codelia") ?? {};
    expect(optionalDependencies).toEqual(Object.fromEntries(names.map((name) => [name, VERSION])));
  });

  test(
    "hold what their manifests name and no more, and only the program may be executed",
    () => {
      const plain = ["LICENSE", "package.json"];
      const schemas = ["agent/run-", "agent/", "config/", "instructions/", "skills/"].map((room) => `${room}schema`);
      const others = ["public", "config/rule-names", "lib/glob", "lib/brace-glob"];
      const types = [...others, ...schemas].map((name) => `types/${name}.d.ts`);
      const scripts = ["codelia.mjs", "native.cjs", "postinstall.cjs", "public.mjs"];
      const library = [...scripts, ...types].map((name) => `lib/${name}`);
      const manual = readdirSync(join(REPOSITORY, "docs/man")).map((name) => `man/${name}`);
      const all = [...plain, "README.md", ...library, ...manual];
      expect(modesIn("codelia")).toEqual({ ...modes(all), "bin/codelia": "755" });
      for (const { name, extension } of targets) {
        const expected = { ...modes(plain), [`bin/codelia${extension}`]: "755" };
        expect([name, modesIn(`codelia-${name}`)]).toEqual([name, expected]);
      }
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "are the same bytes when they are packed again",
    async () => {
      using again = tempTree();
      // Of each kind of executable one, and both of those that are signed in different ways.
      const some = targets.filter(({ name }) => [HOST, "darwin-x64", "darwin-arm64", "windows-x64"].includes(name));
      await packAll(some, again.root);
      const names = readdirSync(again.root);
      expect(names).toHaveLength(some.length + 1);
      for (const name of names) {
        expect([name, readFileSync(again.path(name)).equals(readFileSync(join(packages, name)))]).toEqual([name, true]);
      }
    },
    PACKING_TIMEOUT_MS,
  );
});

describe("npm chooses", () => {
  test(
    "for this machine its package alone, and the program itself is what the name stands for: no Node before it",
    async () => {
      const before = registry.fetched.length;
      using project = await npmInstall(registry.url, "--save-dev", "codelia");
      expect(installed(project)).toEqual(["codelia", `codelia-${HOST}`]);
      expect(registry.fetched.slice(before).toSorted()).toEqual(
        [`codelia-${VERSION}.tgz`, `codelia-${HOST}-${VERSION}.tgz`].toSorted(),
      );
      expect(JSON.parse(project.read("package.json"))).toEqual({ devDependencies: { codelia: `^${VERSION}` } });
      const program = readFileSync(project.path("node_modules/codelia/bin/codelia"));
      expect(program.equals(readFileSync(project.path(NATIVE, "bin/codelia")))).toBe(true);
      expect(await version(project)).toEqual({ stdout: `${VERSION}\n`, stderr: "", exitCode: 0 });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "the same by the lockfile, where an npm that writes no libc into it brings two, and one of them does not start",
    async () => {
      using project = await npmInstall(registry.url, "codelia");
      const lock = JSON.parse(project.read("package-lock.json"));
      for (const { name } of targets) delete lock.packages[`node_modules/codelia-${name}`].libc;
      project.write("package-lock.json", JSON.stringify(lock));
      await npmIn(project, registry.url, "ci");
      const twin = HOST.endsWith("-musl") ? HOST.replace("-musl", "") : `${HOST}-musl`;
      const two = targets.some(({ name }) => name === twin) ? [`codelia-${twin}`] : [];
      expect(installed(project)).toEqual(["codelia", `codelia-${HOST}`, ...two].toSorted());
      expect(executableTarget(readFileSync(project.path("node_modules/codelia/bin/codelia")))).toBe(HOST);
      expect(await version(project)).toEqual({ stdout: `${VERSION}\n`, stderr: "", exitCode: 0 });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "the same where it is installed for all of the machine",
    async () => {
      using place = tempTree();
      await npmIn(place, registry.url, "install", "--global", `--prefix=${place.path("prefix")}`, "codelia");
      const { stdout, exitCode } = await call(place, ["--version"], "prefix/bin/codelia");
      expect({ stdout, exitCode }).toEqual({ stdout: `${VERSION}\n`, exitCode: 0 });
      const real = place.path("prefix/lib/node_modules/codelia/bin/codelia");
      expect(executableTarget(readFileSync(real))).toBe(HOST);
    },
    TEST_TIMEOUT_MS,
  );

  for (const [name, os, cpu, libc] of MACHINES) {
    const skip = libc !== undefined && !knowsLibc;
    test.skipIf(skip)(
      `for ${os} ${cpu} ${libc ?? ""}: codelia-${name} alone, and a program for just that${skip ? " (this npm has no --libc)" : ""}`,
      async () => {
        const libcFlag = libc === undefined ? [] : [`--libc=${libc}`];
        using project = await npmInstall(registry.url, `--os=${os}`, `--cpu=${cpu}`, ...libcFlag, "codelia");
        expect(installed(project)).toEqual(["codelia", `codelia-${name}`]);
        const program = project.path(`node_modules/codelia-${name}/bin/codelia${os === "win32" ? ".exe" : ""}`);
        expect(executableTarget(readFileSync(program))).toBe(name);
        expect((statSync(program).mode & 0o111).toString(8)).toBe("111");
      },
      TEST_TIMEOUT_MS,
    );
  }

  test.each([
    ["a machine that there is no program for", ["--os=linux", "--cpu=ppc64"]],
    ["one who wants no optional packages", ["--omit=optional"]],
  ])(
    "none for %s: the same runs as a script",
    async (_, flags) => {
      using project = await npmInstall(registry.url, ...flags, "codelia");
      expect(installed(project)).toEqual(["codelia"]);
      expect(await version(project)).toEqual({ stdout: `${VERSION}\n`, stderr: "", exitCode: 0 });
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

test(
  "without any install script a script starts the program, and hands on what it says and how it ends",
  async () => {
    using project = await npmInstall(registry.url, "--ignore-scripts", "codelia");
    expect(lstatSync(project.path("node_modules/codelia/bin/codelia")).size).toBeLessThan(10_000);
    expect(await version(project)).toEqual({ stdout: `${VERSION}\n`, stderr: "", exitCode: 0 });
    const mistaken = await call(project, ["no-such-verb"]);
    expect(mistaken).toMatchObject({ stdout: "", stderr: expect.stringContaining("no-such-verb"), exitCode: 64 });
    const hooks = await call(project, ["install", "claude", "--dry-run"]);
    expect(hooks.stdout).toContain(project.path(NATIVE, "bin/codelia"));
  },
  TEST_TIMEOUT_MS,
);

test.skipIf(CLAUDE.missing !== undefined)(
  "from the registry to the first reminder in three commands: install the package, install the hooks, start the client",
  async () => {
    using home = tempTree();
    using project = tempTree({ ...RULED_FILES, "CLAUDE.md": "Be brief.\n", "package.json": "{}\n" });
    await npmIn(project, registry.url, "install", "codelia");
    const hooks = await call(project, ["install", "claude", "--yes"], undefined, home);
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

/** The packages in a project, by name. */
function installed(project: TempTree): string[] {
  return readdirSync(project.path("node_modules"))
    .filter((name) => !name.startsWith("."))
    .toSorted();
}

function modesIn(name: string): Record<string, string> {
  const files = readTarball(join(packages, `${name}-${VERSION}.tgz`));
  return Object.fromEntries(files.map(({ name: path, mode }) => [path, mode.toString(8)]));
}

function modes(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, "644"]));
}

function version(project: TempTree): Promise<RunResult> {
  return call(project, ["--version"]);
}

async function call(
  project: TempTree,
  args: readonly string[],
  program = "node_modules/.bin/codelia",
  home?: TempTree,
): Promise<RunResult> {
  using own = tempTree();
  return startProgram(project.path(program), args, {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: (home ?? own).root },
  });
}
