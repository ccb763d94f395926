import { expect, setDefaultTimeout, test } from "bun:test";
import { VERBS } from "../../src/cli/guide.ts";
import { recordOfWrite } from "../support/samples.ts";
import { startCodelia, type RunResult } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

setDefaultTimeout(60_000);

// Whatever a clone, a user's file or an argument is called or holds: on both streams of every command each character is
// one that a person sees, a JSON parser gets the same data, and no line is one that a CI obeys.

const CONTROLS =
  "\u001B[31m\u0007\b\u007F\u0085\u009B31m\u00AD\u061C\u115F\u200B\u200E\u2028\u202E\u2066\uFEFF\u{E0041}";
const CI_COMMANDS = "\r\n::error title=pwned::\n ::stop-commands::t\n##[error]pwned ##vso[pwned]";
const ODD = `odd${CONTROLS}${CI_COMMANDS}`;
/** As a string of JSON and YAML. */
const QUOTED = JSON.stringify(ODD);

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F]/u;
const CI_COMMAND = /^\s*::(?:error title=pwned|stop-commands)|##\w*\[/m;

type Args = readonly string[] | ((tree: TempTree) => readonly string[]);

/** Each verb in each form of output that it has. */
const CALLS: readonly (readonly [verb: string, ...rest: Args[]])[] = [
  ["init-context", [], ["--json"], ["--as", "claude"], ["--as", "codex"], ["--as", ODD], ["--only", ODD]],
  ["resolve", [`${ODD}/x.ts`], ["--json", `${ODD}/x.ts`], ["--session", ODD, "--agent", ODD, `${ODD}/x.ts`]],
  ["resume-diff", [], ["--json"], ["--session", ODD]],
  ["session list", [], ["--json"]],
  ["session reset", ["--session", ODD], ["--session", ODD, "--json"]],
  ["check", ["--as", "raw,claude,codex"], ["--json"], ["--format", "github"], ["--format", "sarif"], [ODD]],
  ["check", ["--format", ODD], ["--baseline", ODD], ["--changed", ODD], ["--fix"]],
  ["hook", ["claude"], ["codex"], [ODD], ["claude", "--part", ODD]],
  ["preview", [`${ODD}/x.ts`], ["--json", `${ODD}/x.ts`], ["--as", ODD], ["--as", "codex"]],
  ["explain", [`${ODD}/x.ts`], ["--json", `${ODD}/x.ts`], ["--as", ODD], (tree) => ["--html", tree.path(ODD, "page")]],
  ["agent new", [ODD], ["--cwd", ODD, "fresh"]],
  ["init", [], ["--cwd", ODD]],
  ["report", [], ["--json"], ["--since", ODD], (tree) => ["--html", tree.path(ODD, "page")]],
  ["audit", [ODD], (tree) => [record(tree)], (tree) => [record(tree), "--json"]],
  ["inspect", ["--include-skills"], ["--include-skills", "--json"]],
  ["install", ["claude", "--dry-run"], ["claude", "--dry-run", "--json"], ["codex", "--dry-run"], [ODD]],
  ["install", ["claude", "--scope", "project"], ["claude", "--scope", ODD]],
  ["uninstall", ["claude", "--dry-run"], ["claude", "--scope", "project", "--dry-run", "--json"], [ODD]],
  ["doctor", ["claude", "--calls", "0"], ["claude", "--calls", "0", "--json"], [ODD]],
  ["mcp", [], [ODD]],
  ["config", [], ["--json"]],
  ["trim", ["--max-bytes", ODD], ["--json"]],
  ["plugins", [], ["--json"], ["run", ODD, ODD]],
  ["trust", [], ["--list"], ["--list", "--json"], ["--yes", ODD], ["--yes", "--json"], ["--revoke"]],
  ["schema", [ODD]],
  ["rule", [], ["--json"], ["skill-name"], ["skill-name", "--json"], [ODD]],
  ["completions", [ODD], ["candidates", "--", "skills", "load", ""], ["candidates", "--", "resolve", "--session", ""]],
  ["agent validate", ["agent"], ["agent", "--json"], [ODD], [`${ODD}/agent`]],
  [
    "agent run",
    ["agent", "--engine", "command"],
    ["agent", "--json"],
    ["agent", "--var", ODD],
    ["agent", "--issue", ODD],
  ],
  ["agent start", ["agent", "--session", ODD], ["agent", "--session", ODD, "--json"], [ODD, "--session", "s"]],
  ["agent status", [], ["--json"], [ODD]],
  ["agent stop", [], [ODD], [ODD, "--json"]],
  ["skills list", [], ["--json"]],
  ["skills search", ["odd"], ["odd", "--json"], [ODD]],
  ["skills load", ["good"], ["good", "--json"], [`$${ODD}`], [ODD], ["twice"], ["twice", "--json"]],
  ["skills check", [], ["--json"], ["--format", "github"], ["--format", "sarif"], [ODD]],
];

/** Elements for a model, who is to be able to open what they name. */
const FOR_MODELS = /^(?:init-context|preview|resolve|resume-diff|hook|mcp|skills (?:list|search|load))$/;

const PROJECT: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/AGENTS.md": "Rules.\n",
  [`repo/${ODD}/AGENTS.md`]: "Rules of the odd one.\n",
  [`repo/${ODD}/x.ts`]: "",
  [`repo/${ODD}/a/AGENTS.md`]: { link: "nowhere" },
  [`repo/${ODD}/agent/agent.json`]: "{",
  "repo/.agents/skills/good/SKILL.md": skillFile("good", "A good thing"),
  [`repo/.agents/skills/good/${ODD}`]: "",
  [`repo/.agents/skills/${ODD}/SKILL.md`]: `---\nname: ${QUOTED}\ndescription: ${QUOTED}\n${QUOTED}: 1\n---\n`,
  "repo/.agents/skills/twice/SKILL.md": skillFile("twice", "Once"),
  [`repo/.agents/skills/${ODD}2/twice/SKILL.md`]: skillFile("twice", "Again"),
};

/** A transcript in which a model writes a file with an odd name, by a tool with an odd name. */
function record(tree: TempTree): string {
  tree.write(`${ODD}.jsonl`, `${recordOfWrite(tree.path("repo"), `${ODD}/y.ts`, `Write${ODD}`)}${ODD}\n`);
  return tree.path(`${ODD}.jsonl`);
}

const odd = (value: unknown) => JSON.stringify({ [ODD]: value });
const definition = { name: ODD, entryStep: ODD, [ODD]: ODD, steps: { [ODD]: { prompt: { path: ODD }, [ODD]: 1 } } };

/** Where else a name or a value of somebody's can stand. */
const SCENES: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  "names of files": {},
  "a key of a project's config": { "repo/.codelia/config.json": odd(1) },
  "a key of a project's config in YAML": { "repo/.codelia/config.yaml": `${QUOTED}: 1\nagents: {${QUOTED}: 2}\n` },
  "a key of a project's config in TOML": { "repo/.codelia/config.toml": `${QUOTED.replaceAll("\\b", "")} = 1\n` },
  "values of a project's config": {
    "repo/.codelia/config.json": JSON.stringify({
      agents: { fallbackFilenames: [ODD], initial: { keep: ODD } },
      permissions: { deny: [{ skill: ODD }], allow: [{ skill: `${ODD}*` }] },
      plugins: [{ name: ODD, command: [ODD], hooks: ["agents:chain"] }],
    }),
  },
  "a project's config that can't be parsed": { "repo/.codelia/config.yaml": `a: "${CONTROLS}\nb: [${ODD}` },
  "a key of the user's config": { "home/.codelia/config.json": odd({}) },
  "values of the user's config": {
    "home/.codelia/config.json": JSON.stringify({
      permissions: { deny: [{ skill: ODD }, { skill: "good*" }] },
      skills: { disabled: [ODD], roots: [ODD] },
      plugins: [{ name: ODD, command: [`/${ODD}`], hooks: ["agents:chain", "reminder:before"] }],
    }),
  },
  "a client's settings": {
    "repo/.claude/settings.json": JSON.stringify({
      [ODD]: ODD,
      hooks: {
        PreToolUse: [
          { matcher: ODD, hooks: [{ type: "command", command: `codelia hook claude "\u009B\u202E${CI_COMMANDS}"` }] },
        ],
        [ODD]: ODD,
      },
    }),
    "repo/.claude/settings.local.json": `{ "${ODD}`,
    "repo/.codex/config.toml": `[hooks.${QUOTED.replaceAll("\\b", "")}]\na = 1\n`,
  },
  "what a client does not accept": {
    "repo/.claude/settings.json": JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "\u2028\u0085Command" }] }] } }),
    "repo/.codex/config.toml": `[features]\n${QUOTED.replaceAll("\\b", "")} = "x"\n`,
  },
  "an agent definition": { "repo/agent/agent.json": JSON.stringify(definition), [`repo/agent/${ODD}`]: "Do it.\n" },
  "an agent definition that can't be parsed": { "repo/agent/agent.json": `{"name": ${CONTROLS}` },
  "a baseline": { [`repo/${ODD}3`]: odd(1), "repo/.codelia/sessions/x.json": odd(1) },
  "a ledger": { "repo/.codelia/session.json": odd(1) },
};

function stdinOf(verb: string, tree: TempTree): string {
  if (verb === "hook") {
    const tool = { tool_name: "Edit", tool_input: { file_path: tree.path("repo", ODD, "x.ts") } };
    const event = { hook_event_name: "PreToolUse", session_id: ODD, cwd: tree.path("repo"), ...tool };
    return JSON.stringify(event);
  }
  if (verb !== "mcp") return verb === "trim" ? "An output.\n" : "";
  const call = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  return (
    call(1, "initialize", { protocolVersion: "2025-06-18" }) +
    call(2, "tools/call", { name: "agents_resolve", arguments: { paths: [`${ODD}/x.ts`] } }) +
    call(3, "tools/call", { name: "skill_load", arguments: { name: ODD } }) +
    call(4, "tools/call", { name: ODD, arguments: { [ODD]: ODD } }) +
    call(5, ODD, {})
  );
}

function faultsOf(verb: string, { stdout, stderr, exitCode }: RunResult): string[] {
  const faults: string[] = [];
  const isForModels = FOR_MODELS.test(verb);
  for (const [name, text] of Object.entries({ stdout, stderr })) {
    const [unseen] = UNSEEN.exec(text.replaceAll(/[\n\t]/g, "")) ?? [];
    if (unseen !== undefined) faults.push(`${JSON.stringify(unseen)} on ${name}`);
    const [command] = CI_COMMAND.exec(text) ?? [];
    if (command !== undefined && !(isForModels && name === "stdout"))
      faults.push(`${JSON.stringify(command)} on ${name}`);
  }
  if (stderr.includes("internal error")) faults.push(stderr);
  if (exitCode === 2 || exitCode > 127) faults.push(`exit code ${exitCode}`);
  return faults;
}

test("every verb is called", () => {
  const verbs = Object.entries(VERBS).flatMap(([name, entry]) =>
    typeof entry === "string" ? [name] : Object.keys(entry.verbs).map((verb) => `${name} ${verb}`),
  );
  expect([...new Set(CALLS.map(([verb]) => verb))].toSorted()).toEqual(verbs.toSorted());
});

// `npm run test:all` makes every call in every scene; `npm test` all in the first one, and every fifth in the others.
const IS_WHOLE = process.env["CODELIA_TEST_ALL"] === "1";
const EVERY = IS_WHOLE ? 1 : 5;

for (const [scene, [where, more]] of Object.entries(SCENES).entries()) {
  test(`an odd name in ${where} reaches no stream as it is`, async () => {
    using tree = tempTree({ ...PROJECT, ...more });
    const place = { cwd: tree.path("repo"), home: tree.path("home"), env: { CODELIA_TRACE: "1" } };
    const all = CALLS.flatMap(([verb, ...calls]) => calls.map((call) => [verb, call] as const));
    const faults: Record<string, string[]> = {};
    for (const [verb, call] of all.filter((_, index) => scene === 0 || (index + scene) % EVERY === 0)) {
      const args = [...verb.split(" "), ...(typeof call === "function" ? call(tree) : call)];
      const result = await startCodelia(args, { ...place, stdin: stdinOf(verb, tree) });
      const found = faultsOf(verb, result);
      if (found.length > 0) faults[args.join(" ").replaceAll(ODD, "ODD")] = found;
    }
    expect(faults).toEqual({});
  });
}

test("a verb or flag that is none is shown as it can be seen", async () => {
  using tree = tempTree(PROJECT);
  for (const args of [[ODD], [ODD, ODD], ["skills", ODD], ["check", `--${ODD}`], ["check", "--json", `--${ODD}`]]) {
    const result = await startCodelia(args, { cwd: tree.path("repo"), home: tree.path("home") });
    expect([faultsOf("check", result), result.exitCode]).toEqual([[], 64]);
  }
});
