import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { giveAway, UNPRIVILEGED, WHY_NOT_UNPRIVILEGED } from "../reliability/lib/unprivileged.ts";
import { CODELIA, runCodelia, startProgram } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

const MTIME = 1_738_970_000_000;

function reminder(path: string): string {
  return `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- ${path} (mtime: ${MTIME})
Read and apply these files before editing files in this scope.
</system-reminder>
`;
}

test("the binary works from another directory under another name, its lazy parts included", () => {
  using tree = tempTree({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": { text: "x\n", mtimeMs: MTIME },
    "repo/.codelia/config.yaml": "agents:\n  initial: { maxFiles: 2 }\n",
    "elsewhere/": { dir: true },
    "home/": { dir: true },
  });
  const moved = tree.path("elsewhere", "c");
  copyFileSync(CODELIA, moved);
  const at = { cwd: tree.path("repo"), home: tree.path("home"), binary: moved };
  const expected = { stdout: reminder(tree.path("repo/AGENTS.md")), stderr: "", exitCode: 0 };
  expect(runCodelia(["resolve", "a.ts"], at)).toEqual(expected);
  const config = runCodelia(["config", "--json"], at);
  expect(config.stdout).toContain('"key":"agents.initial.maxFiles","value":2');
  for (const args of [["--help"], ["resolve", "--help"], ["schema", "config"]]) {
    expect(runCodelia(args, at)).toMatchObject({ stderr: "", exitCode: 0 });
  }
});

/** Everything with which a directory could take over a Bun or Node program that is started in it. */
const HOSTILE = {
  ".env":
    "CODELIA_AGENTS_ROOT=/\nCODELIA_SESSION_ID=evil\nBUN_OPTIONS=--preload=./evil.js\nNODE_OPTIONS=--require=./evil.js\n",
  ".env.local": "CODELIA_AGENTS_MARKERS=evil\n",
  "bunfig.toml": 'preload = ["./evil.js"]\n[run]\nsilent = false\n',
  "package.json": '{ "type": "module", "imports": { "#x": "./evil.js" }, "main": "./evil.js" }',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "node:fs": ["./evil.js"], "*": ["./evil.js"] } } }',
  "evil.js": 'require("node:fs").writeFileSync("taken-over", "")',
  "node_modules/citty/index.js": 'require("node:fs").writeFileSync("taken-over", "")',
  "node_modules/zod/index.js": 'require("node:fs").writeFileSync("taken-over", "")',
};

test("a hostile .env, bunfig.toml, package.json, tsconfig.json and node_modules in the cwd have no say", () => {
  using tree = tempTree({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": { text: "x\n", mtimeMs: MTIME },
    "repo/.codelia/config.json": "{}",
    "home/": { dir: true },
  });
  for (const [name, text] of Object.entries(HOSTILE)) tree.write(`repo/${name}`, text);
  const at = { cwd: tree.path("repo"), home: tree.path("home") };
  const expected = { stdout: reminder(tree.path("repo/AGENTS.md")), stderr: "", exitCode: 0 };
  expect(runCodelia(["resolve", "a.ts"], at)).toEqual(expected);
  for (const args of [["config"], ["schema", "config"], ["--help"], ["skills", "list"]]) {
    expect(runCodelia(args, at)).toMatchObject({ stderr: "", exitCode: 0 });
  }
  expect(existsSync(tree.path("repo/taken-over"))).toBe(false);
  expect(Object.keys(JSON.parse(readFileSync(tree.path("repo/.codelia/session.json"), "utf8")).sessions)).toEqual([
    "default",
  ]);
});

test("a package that looks for another one as it runs does not find it in a clone's node_modules", () => {
  using tree = tempTree({
    "repo/.git/": { dir: true },
    "repo/.agents/skills/good/SKILL.md": "---\nname: good\ndescription: Good\n---\nThe good text.\n",
    "home/": { dir: true },
  });
  for (const name of ["picomatch", "fdir", "tinyglobby", "jiti", "giget", "nypm"]) {
    tree.write(`repo/node_modules/${name}/index.js`, HOSTILE["evil.js"]);
  }
  const calls = [
    "skills load good",
    "skills check",
    "skills search good",
    "skills list",
    "resolve **/*.md",
    "check .agents/*",
  ];
  for (const call of calls) {
    const { exitCode } = runCodelia(call.split(" "), { cwd: tree.path("repo"), home: tree.path("home") });
    expect([0, 1]).toContain(exitCode);
  }
  expect(existsSync(tree.path("repo/taken-over"))).toBe(false);
});

test.skipIf(WHY_NOT_UNPRIVILEGED !== undefined)("in a tree that can't be written the answer still comes", async () => {
  using tree = tempTree({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": { text: "x\n", mtimeMs: MTIME },
    "home/": { dir: true },
  });
  giveAway(tree.root);
  const at = { cwd: tree.path("repo"), env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin" } };
  const [program = CODELIA, ...rest] = [...UNPRIVILEGED, "sh", "-c", `chmod 0555 . && exec "$0" "$@"`, CODELIA];
  const told = await startProgram(program, [...rest, "resolve", "a.ts"], at);
  expect(told).toEqual({ stdout: reminder(tree.path("repo/AGENTS.md")), stderr: "", exitCode: 0 });
  expect(existsSync(tree.path("repo/.codelia"))).toBe(false);
  const again = await startProgram(program, [...rest, "resolve", "a.ts"], at);
  expect(again).toEqual({ stdout: "", stderr: "", exitCode: 0 });
});
