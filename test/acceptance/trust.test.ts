import { expect, test } from "bun:test";
import { chmodSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { sha256 } from "../../src/lib/sha256.ts";
import { trustOfDefinition } from "../../src/trust/verify.ts";
import { userDirectoriesOf } from "../../src/config/user-directories.ts";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, NOTHING, says, type Bench } from "./agents-bench.ts";

// What a clone may not decide counts only after `codelia trust`, and only unchanged.

const CONFIG = "repo/.codelia/config.json";
const ALLOWING = JSON.stringify({ permissions: { allow: [{ tool: "skill_load", skill_name: "deploy" }] } });
const ASKING = JSON.stringify({ permissions: { confirm: [{ tool: "skill_load" }] } });
const SKILL = "---\nname: deploy\ndescription: Deploy the shop\n---\nRun it.\n";

function project(more: Readonly<Record<string, Entry>> = {}): Bench {
  return bench({
    "repo/.git/": dir,
    [CONFIG]: ALLOWING,
    "repo/.agents/skills/deploy/SKILL.md": SKILL,
    "home/.codelia/config.json": ASKING,
    ...more,
  });
}

function loads(tree: Bench): boolean {
  return tree.codelia(["skills", "load", "deploy"]).exitCode === 0;
}

function storeOf(tree: Bench): string {
  return tree.path("home/.local/state/codelia/trust");
}

const hash = (text: string) => sha256(new TextEncoder().encode(text));

test("permissions.allow of a project counts after trust, until its config changes, and again after trust", () => {
  using tree = project();
  const denied = tree.codelia(["skills", "load", "deploy"]);
  expect(denied.exitCode).toBe(1);
  expect(denied.stderr).toContain(
    `config '${tree.path(CONFIG)}': 'permissions.allow' is not in force: you have not trusted this project; run 'codelia trust' in '${tree.path("repo")}'`,
  );
  expect(tree.codelia(["trust", "--yes"])).toEqual({
    stdout: "",
    stderr: [
      `Project ${tree.path("repo")}`,
      `  asks for permissions.allow[0] = {"tool":"skill_load","skill_name":"deploy"}`,
      `  ${hash(ALLOWING)}  .codelia/config.json  (${ALLOWING.length} bytes, new)`,
      `codelia: '${tree.path("repo")}' is trusted now`,
      "",
    ].join("\n"),
    exitCode: 0,
  });
  expect(tree.codelia(["skills", "load", "deploy"])).toMatchObject({ stderr: "", exitCode: 0 });
  expect(tree.codelia(["config"]).stdout).toEndWith(
    `permissions.confirm[0] = {"tool":"skill_load"}  (${tree.path("home/.codelia/config.json")})\n`,
  );
  tree.write(CONFIG, `${ALLOWING}\n`);
  const changed = tree.codelia(["skills", "load", "deploy", "--again"]);
  expect(changed.exitCode).toBe(1);
  expect(changed.stderr).toContain("this file has changed since you trusted the project");
  expect(tree.codelia(["trust", "--yes"]).stderr).toContain("bytes, changed)");
  expect(loads(tree)).toBeTrue();
});

test("a rule that denies stays stronger than what a trusted project allows", () => {
  using tree = project({
    "home/.codelia/config.json": JSON.stringify({ permissions: { deny: [{ tool: "skill_load" }] } }),
  });
  expect(tree.codelia(["trust", "--yes"]).exitCode).toBe(0);
  expect(loads(tree)).toBeFalse();
});

test("trust belongs to the directory: a copy of the project is not trusted, nor the same place by a link less so", () => {
  using tree = project({ "other/.git/": dir, "other/.codelia/config.json": ALLOWING });
  tree.codelia(["trust", "--yes"]);
  expect(tree.codelia(["config"], { cwd: "other" }).stderr).toContain("you have not trusted this project");
  symlinkSync(tree.path("repo"), tree.path("by-link"));
  expect(tree.codelia(["config"], { cwd: "by-link" }).stderr).toBe("");
});

test("the trust store is the user's alone, below the state directory, and nothing of it is in the project", () => {
  using tree = project();
  tree.codelia(["trust", "--yes"]);
  const [name = ""] = readdirSync(storeOf(tree));
  const inside = readdirSync(`${storeOf(tree)}/${name}`);
  expect(inside).toContain("record.json");
  expect(inside).toHaveLength(2);
  expect(statSync(storeOf(tree)).mode & 0o777).toBe(0o700);
  expect(statSync(`${storeOf(tree)}/${name}/record.json`).mode & 0o777).toBe(0o600);
  expect(readdirSync(tree.path("repo/.codelia"))).toEqual(["config.json"]);
  tree.write(CONFIG, `${ALLOWING} `);
  tree.codelia(["trust", "--yes"]);
  expect(readdirSync(`${storeOf(tree)}/${name}`)).toHaveLength(2);
});

for (const [what, damage] of [
  ["garbage", "{"],
  ["of another version", JSON.stringify({ version: 2 })],
  ["of another directory", undefined],
] as const) {
  test(`a record that is ${what} trusts nothing`, () => {
    using tree = project();
    tree.codelia(["trust", "--yes"]);
    const [name = ""] = readdirSync(storeOf(tree));
    const record = `home/.local/state/codelia/trust/${name}/record.json`;
    tree.write(record, damage ?? tree.read(record).replace(tree.path("repo"), tree.path("home")));
    expect(tree.codelia(["config"])).toMatchObject({ exitCode: 0 });
    expect(loads(tree)).toBeFalse();
  });
}

test("trust asks at a terminal, with what it is about in view; no is no", async () => {
  using tree = project();
  const at = { cwd: tree.path("repo"), home: tree.path("home") };
  const no = await runAtTerminal(["trust"], { ...at, typed: ["\r"] });
  expect(no.exitCode).toBe(1);
  expect(no.shown).toContain(`  ${hash(ALLOWING)}  .codelia/config.json  (${ALLOWING.length} bytes, new)\n`);
  expect(no.shown).toContain("the answer was no");
  expect(loads(tree)).toBeFalse();
  const yes = await runAtTerminal(["trust"], { ...at, typed: ["y\r"] });
  expect(yes.exitCode).toBe(0);
  expect(loads(tree)).toBeTrue();
  // Nothing is asked twice.
  expect((await runAtTerminal(["trust"], at)).shown).toBe(`codelia: '${tree.path("repo")}' is trusted already\n`);
});

test("what is agreed to is what was shown: a file that changes during the question is not trusted", async () => {
  using tree = project();
  const at = { cwd: tree.path("repo"), home: tree.path("home") };
  const answer = () => {
    tree.write(CONFIG, JSON.stringify({ permissions: { allow: [{ tool: "skill_load" }] } }));
    return "y\r";
  };
  expect((await runAtTerminal(["trust"], { ...at, typed: [answer] })).exitCode).toBe(0);
  expect(tree.codelia(["config"]).stderr).toContain("this file has changed since you trusted the project");
});

test("where nobody can be asked, trust needs --yes", () => {
  using tree = project();
  const message = `'${tree.path("repo")}' is not trusted: not a terminal; pass '--yes' to trust it without asking`;
  expect(tree.codelia(["trust"], { stdin: "y\n" })).toEqual({
    stdout: "",
    stderr: `codelia: ${message}\n`,
    exitCode: 64,
  });
  expect(JSON.parse(tree.codelia(["trust", "--json"]).stdout)).toEqual({ error: { code: "usage", message } });
  expect(loads(tree)).toBeFalse();
});

test("trust --json, --list and --revoke say what was done", () => {
  using tree = project({ "repo/deep/": dir });
  expect(tree.codelia(["trust", "--list"])).toEqual(NOTHING);
  const file = { path: ".codelia/config.json", sha256: hash(ALLOWING), sizeBytes: ALLOWING.length, isProgram: false };
  const subject = { kind: "project", directory: tree.path("repo") };
  expect(tree.codelia(["trust", "--yes", "--json"])).toEqual(
    says(`${JSON.stringify({ subjects: [{ ...subject, action: "trusted", files: [file] }] })}\n`),
  );
  expect(JSON.parse(tree.codelia(["trust", "--yes", "--json"]).stdout)).toMatchObject({
    subjects: [{ action: "unchanged" }],
  });
  expect(JSON.parse(tree.codelia(["trust", "--list", "--json"]).stdout)).toEqual({
    subjects: [{ ...subject, trustedAt: expect.any(Number), problem: null, files: [{ ...file, state: "same" }] }],
  });
  expect(tree.codelia(["trust", "--list"])).toEqual(
    says(`Project ${tree.path("repo")}\n  ${file.sha256}  .codelia/config.json  (${file.sizeBytes} bytes)\n`),
  );
  rmSync(tree.path(CONFIG));
  expect(tree.codelia(["trust", "--list"]).stdout).toContain(
    "  no longer trusted: '.codelia/config.json' does not exist\n",
  );
  expect(tree.codelia(["trust", "--revoke", "--json"], { cwd: "repo/deep" })).toEqual(
    says(`${JSON.stringify({ revoked: [subject] })}\n`),
  );
  expect(tree.codelia(["trust", "--list"])).toEqual(NOTHING);
  expect(readdirSync(storeOf(tree))).toEqual([]);
  expect(tree.codelia(["trust", "--revoke"])).toMatchObject({ stdout: "", exitCode: 1 });
});

test("what is revoked counts no longer; a project that is gone can be revoked by its name", () => {
  using tree = project();
  tree.codelia(["trust", "--yes"]);
  expect(tree.codelia(["trust", "--revoke", tree.path(CONFIG)])).toMatchObject({ exitCode: 0 });
  expect(loads(tree)).toBeFalse();
  tree.codelia(["trust", "--yes"]);
  tree.remove("repo");
  expect(tree.codelia(["trust", "--revoke", tree.path("repo")], { cwd: "home" })).toMatchObject({ exitCode: 0 });
  expect(tree.codelia(["trust", "--list"], { cwd: "home" })).toEqual(NOTHING);
});

for (const [args, code] of [
  [["trust", "nowhere"], "not_found"],
  [["trust", "src"], "not_found"],
  [["trust", "src/main.ts"], "not_found"],
  [["trust", "--list", "."], "usage"],
  [["trust", "--list", "--revoke"], "usage"],
  [["trust", "a", "b"], "usage"],
] as const) {
  test(`codelia ${args.join(" ")} is ${code}`, () => {
    using tree = project({ "repo/src/main.ts": "" });
    const { stdout } = tree.codelia([...args, "--json", "--yes"]);
    expect(JSON.parse(stdout).error.code).toBe(code);
    expect(tree.codelia(["trust", "--list"])).toEqual(NOTHING);
  });
}

test("a config that asks for nothing, and the user's own, need no trust", () => {
  using tree = project({ [CONFIG]: JSON.stringify({ permissions: { allow: [] }, agents: { usage: false } }) });
  for (const cwd of ["repo", "home"]) {
    const { stdout } = tree.codelia(["trust", "--yes", "--json"], { cwd });
    expect(JSON.parse(stdout).error.code).toBe("not_found");
  }
  expect(tree.codelia(["config"]).stderr).toBe("");
});

test("a config that can't be used can't be trusted", () => {
  using tree = project({ [CONFIG]: '{ "permission": {} }' });
  const { stderr, exitCode } = tree.codelia(["trust", "--yes"]);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("unknown key 'permission'")]);
});

test("what can't be recorded is not trusted", () => {
  using tree = project({ "home/.local": "in the way" });
  expect(tree.codelia(["trust", "--yes"]).exitCode).toBe(3);
  expect(loads(tree)).toBeFalse();
});

// Agent definitions: the binary records trust, and trustOfDefinition() reads it.

const AGENT = {
  "repo/agent/agent.json": '{ "name": "improver" }\n',
  "repo/agent/prompts/measure.md": "Measure.\n",
  "repo/agent/check.sh": { text: "#!/bin/sh\n", mode: 0o755 },
};

function trusting(tree: Bench) {
  return trustOfDefinition(userDirectoriesOf({}, tree.path("home")), tree.path("repo/agent"));
}

test("an agent definition is trusted by all its files, and runs from their copies", () => {
  using tree = bench(AGENT);
  expect(trusting(tree)).toEqual({ kind: "untrusted", reason: "you have not trusted it" });
  expect(tree.codelia(["trust", "agent/prompts/measure.md", "--yes"]).stderr).toContain(
    `Agent definition ${tree.path("repo/agent")}\n`,
  );
  const trust = trusting(tree);
  if (trust.kind !== "trusted") throw new Error(trust.reason);
  expect(trust.directory).toStartWith(storeOf(tree));
  expect(readdirSync(trust.directory).toSorted()).toEqual(["agent.json", "check.sh", "prompts"]);
  expect(statSync(`${trust.directory}/check.sh`).mode & 0o777).toBe(0o700);
  expect(statSync(`${trust.directory}/agent.json`).mode & 0o777).toBe(0o600);
});

for (const [what, reason, change] of [
  [
    "a changed file",
    "'prompts/measure.md' has changed",
    (tree: Bench) => tree.write("repo/agent/prompts/measure.md", "?"),
  ],
  ["a new file", "'prompts/more.md' did not exist", (tree: Bench) => tree.write("repo/agent/prompts/more.md", "?")],
  ["a missing file", "'check.sh' has been removed", (tree: Bench) => tree.remove("repo/agent/check.sh")],
  [
    "a file that became a program",
    "'agent.json' has changed",
    (tree: Bench) => chmodSync(tree.path("repo/agent/agent.json"), 0o755),
  ],
  ["a link", "'x' is a link", (tree: Bench) => symlinkSync("agent.json", tree.path("repo/agent/x"))],
  ["a damaged copy", "its copy in the trust store is damaged", damageCopy],
] as const) {
  test(`trustOfDefinition() trusts no definition with ${what}`, () => {
    using tree = bench(AGENT);
    tree.codelia(["trust", "agent", "--yes"]);
    expect(trusting(tree).kind).toBe("trusted");
    change(tree);
    expect(trusting(tree)).toMatchObject({ kind: "untrusted", reason: expect.stringContaining(reason) });
  });
}

function damageCopy(tree: Bench): void {
  const trust = trusting(tree);
  const copy = trust.kind === "trusted" ? trust.directory : "";
  tree.write(`${copy.slice(tree.root.length + 1)}/check.sh`, "rm -rf /\n");
}

for (const [what, more] of [
  ["a link", { "repo/agent/passwd": { link: "/etc/passwd" } }],
  ["a pipe", { "repo/agent/pipe": { fifo: true } }],
  ["too many bytes", { "repo/agent/big": "x".repeat(8 * 1024 * 1024) }],
  ["too many files", Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`repo/agent/${n}`, ""]))],
  ["too many levels", { [`repo/agent/${"d/".repeat(9)}x`]: "" }],
] as const) {
  test(`a definition with ${what} can't be trusted`, () => {
    using tree = bench({ ...AGENT, ...(more as Record<string, Entry>) });
    const { stdout, stderr, exitCode } = tree.codelia(["trust", "agent", "--yes"], { timeoutMs: 5_000 });
    expect([stdout, exitCode]).toEqual(["", 3]);
    expect(stderr).toContain(`'${tree.path("repo/agent")}' can't be trusted: `);
    expect(tree.codelia(["trust", "--list"])).toEqual(NOTHING);
  });
}

test("dependencies and history of a definition are neither trusted nor copied", () => {
  using tree = bench({ ...AGENT, "repo/agent/node_modules/a/index.js": "", "repo/agent/.git/HEAD": "" });
  tree.codelia(["trust", "agent", "--yes"]);
  const trust = trusting(tree);
  expect(trust.kind === "trusted" && readdirSync(trust.directory).toSorted()).toEqual([
    "agent.json",
    "check.sh",
    "prompts",
  ]);
});
