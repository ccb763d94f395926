import { cpSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOOK_EVENTS } from "../../src/clients/settings/model.ts";
import type { Subject } from "./measure.ts";
import { crowdLedger, deepTree, longTree, plainTree, skillTree, write, type BenchTree } from "./trees.ts";

/** A row of the table: what is timed, and the most it may take as a multiple of `against`. */
export interface Row extends Subject {
  readonly against: string;
  /** Undefined for peers, which are there to compare with. */
  readonly target?: number;
  /** The most memory that one run may have resident. */
  readonly peakMB?: number;
}

export interface Programs {
  readonly codelia: string;
  readonly floor: string;
  /** A program that reads every skill file and does nothing with it, compiled like the floor. */
  readonly readSkills: string;
}

const SKILL_COUNT = 3_000;
const MANY_SKILLS = 10_000;
/** Of a hook call, and of a search among many skills. */
const HOOK_PEAK_MB = 40;
const SEARCH_PEAK_MB = 120;

/**
 * Every subject of the bench, in groups that are timed apart: a program runs slower after one that emptied the
 * processor's caches. `call` runs the binary once, to prepare a state.
 */
export function makeRows(base: string, programs: Programs, call: (subject: Subject) => void): Row[][] {
  const { codelia, floor } = programs;
  const at = (tree: BenchTree) => ({ cwd: tree.root, env: { HOME: tree.home, PATH: process.env["PATH"] ?? "" } });

  const plain = plainTree(join(base, "plain"));
  const configured = plainTree(join(base, "configured"));
  write(join(configured.root, ".codelia/config.yaml"), "agents:\n  initial:\n    maxFiles: 32\n");
  makeOld(join(configured.root, ".codelia/config.yaml"));
  const plugged = plainTree(join(base, "plugged"));
  addPlugins(plugged);
  const crowded = plainTree(join(base, "crowded"));
  const telling = plainTree(join(base, "telling"));
  const deep = deepTree(join(base, "deep"));
  const skills = skillTree(join(base, "skills"), SKILL_COUNT);
  const target = "packages/app/src/main.ts";

  const idle: Row = {
    name: "resolve, covered",
    command: [codelia, "resolve", target],
    ...at(plain),
    against: "floor",
    target: 1.4,
    peakMB: HOOK_PEAK_MB,
  };
  const idleConfigured: Row = { ...idle, name: "resolve, covered, with a project config", ...at(configured) };
  const idlePlugged: Row = { ...idle, name: "resolve, covered, with two plugins", ...at(plugged), target: 1.5 };
  const idleHook: Row = {
    ...idle,
    name: "hook, covered, a shell command",
    target: 1.5,
    command: [codelia, "hook", "claude"],
    input: JSON.stringify({
      session_id: "bench",
      cwd: plain.root,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: `cd packages/app && sed -n '1,200p' src/main.ts | head -50` },
    }),
  };
  const onSocket: Row = {
    ...idleHook,
    name: "hook, covered, its event on a socket",
    isOnSocket: true,
    against: "floor, a socket on standard input",
    target: 1.5,
  };
  const stop: Row = {
    ...idleHook,
    name: "hook, a stop that is not guided",
    target: 1.4,
    input: JSON.stringify({
      session_id: "bench",
      cwd: plain.root,
      hook_event_name: "Stop",
      last_assistant_message: "Done.",
      stop_hook_active: false,
    }),
  };
  const inCrowd = ["--session", "session-0", "--agent", "context-0"];
  const idleCrowded: Row = {
    name: "resolve, covered, ledger of 32 × 6 × 40",
    command: [codelia, "resolve", target, ...inCrowd],
    ...at(crowded),
    against: "floor",
    target: 1.8,
    peakMB: HOOK_PEAK_MB,
  };
  crowdLedger(crowded, () => call(idleCrowded));
  for (const row of [idle, idleHook, idleConfigured, idlePlugged, idleCrowded]) call(row);

  const hooks: Row[] = [
    { name: "floor", command: [floor], ...at(plain), against: "floor" },
    idle,
    idleHook,
    stop,
    idleConfigured,
    idlePlugged,
    idleCrowded,
    {
      name: "resolve, prints and records",
      command: [codelia, "resolve", target],
      ...at(telling),
      before: () => rmSync(join(telling.root, ".codelia/session.json"), { force: true }),
      against: "floor",
      target: 1.8,
      peakMB: HOOK_PEAK_MB,
    },
    {
      name: "init-context, 40 files and 50 skills",
      command: [codelia, "init-context", "--cwd", deep.deepest],
      ...at(deep),
      against: "floor",
      target: 3,
    },
  ];
  const searches: Row[] = [
    {
      name: "read 3,000 skill files",
      command: [programs.readSkills, join(skills.root, ".agents/skills")],
      ...at(skills),
      against: "floor",
    },
    {
      name: "skills search, 3,000 skills, first call",
      command: [codelia, "skills", "search", "release notes"],
      ...at(skills),
      before: () => rmSync(join(skills.home, ".cache"), { recursive: true, force: true }),
      against: "read 3,000 skill files",
      target: 2,
    },
    {
      name: "skills search, 3,000 skills, second call",
      command: [codelia, "skills", "search", "release notes"],
      ...at(skills),
      against: "floor",
      target: 5,
    },
  ];
  const many = skillTree(join(base, "many"), MANY_SKILLS);
  const among: Row = {
    name: "skills search, 10,000 skills, second call",
    command: [codelia, "skills", "search", "release notes"],
    ...at(many),
    against: "floor",
    peakMB: SEARCH_PEAK_MB,
  };
  const anew: Row = {
    ...among,
    name: "skills search, 10,000 skills, first call",
    before: () => rmSync(join(many.home, ".cache"), { recursive: true, force: true }),
  };
  const sockets: Row[] = [
    { name: onSocket.against, command: [floor], ...at(plain), isOnSocket: true, against: onSocket.against },
    onSocket,
  ];
  return [
    hooks,
    sockets,
    [longStart(join(base, "long"), codelia, at)],
    searches,
    [anew, among],
    peers(base, plain, skills, at),
  ];
}

/** All parts of a start at once, as Claude Code calls its hooks. */
function longStart(base: string, codelia: string, at: (tree: BenchTree) => Pick<Subject, "cwd" | "env">): Row {
  const tree = longTree(base);
  const event = { session_id: "bench", cwd: tree.root, hook_event_name: "SessionStart", source: "startup" };
  write(join(base, "event.json"), JSON.stringify(event));
  const count = HOOK_EVENTS.find(({ name }) => name === "SessionStart")?.parts ?? 1;
  const parts = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const calls = parts.map((part) => `"$1" hook claude --part ${part} <"$2" &`);
  return {
    name: `hook, a start of 134 KB, its ${count} parts at once`,
    command: ["sh", "-c", `${calls.join("\n")}\nwait`, "sh", codelia, join(base, "event.json")],
    ...at(tree),
    before: () => rmSync(join(tree.root, ".codelia/session.json"), { force: true }),
    against: "floor",
  };
}

/** Two of the examples, in the user's config: neither has a say in what an idle `resolve` does. */
function addPlugins({ home }: BenchTree): void {
  cpSync(join(import.meta.dirname, "../../docs/examples/plugins"), join(home, ".codelia/plugins"), { recursive: true });
  const config = join(home, ".codelia/config.json");
  const plugins = [
    { path: "plugins/recent-skills.mjs", hooks: ["skills:ranked"] },
    { command: ["plugins/log-reminders.sh"], hooks: ["reminder:before"] },
  ];
  write(config, JSON.stringify({ plugins }));
  makeOld(config);
}

/** Younger files are not remembered, because they may still change within one tick of the clock. */
function makeOld(config: string): void {
  utimesSync(config, 1_738_970_000, 1_738_970_000);
}

/** What a user would run instead, where it offers the same job. */
function peers(
  base: string,
  plain: BenchTree,
  skills: BenchTree,
  at: (tree: BenchTree) => Pick<Subject, "cwd" | "env">,
): Row[] {
  const walk = join(base, "stat-walk.mjs");
  writeFileSync(walk, STAT_WALK);
  const rows: Row[] = [
    {
      name: "node, the same stat walk",
      command: ["node", walk, "packages/app/src/main.ts"],
      ...at(plain),
      against: "floor",
    },
  ];
  const openskills = join(import.meta.dirname, "../peers/node_modules/openskills/dist/cli.js");
  rows.push(
    { name: "openskills list, 3,000 skills", command: ["node", openskills, "list"], ...at(skills), against: "floor" },
    {
      name: "openskills read",
      command: ["node", openskills, "read", "review-database-0"],
      ...at(skills),
      against: "floor",
    },
  );
  return rows;
}

const STAT_WALK = `import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
let directory = dirname(resolve(process.argv[2]));
for (;;) {
  for (const name of ["AGENTS.override.md", "AGENTS.md"]) {
    const stats = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (stats) console.log(join(directory, name), stats.mtimeMs);
  }
  if (lstatSync(join(directory, ".git"), { throwIfNoEntry: false }) || dirname(directory) === directory) break;
  directory = dirname(directory);
}
`;
