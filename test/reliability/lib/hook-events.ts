import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { startHookServer } from "../../support/hook-server.ts";
import { runCodelia } from "../../support/run-codelia.ts";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import type { Fields } from "../../support/hook-calls.ts";
import { anyOf, randomFrom } from "./random.ts";

export interface EventPlan {
  readonly events: number;
  /** A new process answers every so many of them first, and what it recorded is taken back. */
  readonly everyProcess: number;
  readonly seed?: number;
}

export interface EventFigures {
  readonly faults: readonly string[];
  readonly compared: number;
  readonly told: number;
  /** Of an event about which nothing is said or recorded: the server's processor time, and what its asker waits. */
  readonly medianMs: number;
  readonly medianWaitMs: number;
  /**
   * Resident memory in each fifth of the way: the least of it, because between two collections of the engine it goes up
   * and down by more than 20 MB.
   */
  readonly memoryKB: readonly number[];
  /** How much more it is in the last two fifths than in the two before them. */
  readonly grownKB: number;
  readonly mostKB: number;
}

const PACKAGES = 40;
const SESSIONS = 8;
const AGENTS = 3;
const CHANGE_EVERY = 97;
/** Of memory. */
const SAMPLES = 200;

/** Sends one server the events of several sessions, while files, settings and rules change below them. */
export async function playEvents({ events, everyProcess, seed = 1 }: EventPlan): Promise<EventFigures> {
  using tree = tempTree({ "home/": { dir: true }, "repo/.git/": { dir: true }, ...packages() });
  using server = startHookServer(tree);
  const random = randomFrom(seed);
  const faults: string[] = [];
  const idleMs: number[] = [];
  const waitMs: number[] = [];
  const resident: number[] = [];
  let [told, compared] = [0, 0];
  for (let at = 0; at < events; at++) {
    if (at % CHANGE_EVERY === CHANGE_EVERY - 1) change(tree, random, at);
    const event = { ...eventOf(tree, random), cwd: tree.path("repo") };
    const isCompared = at % everyProcess === 0;
    const recordedBefore = identityOf(tree);
    const expected = isCompared ? answerOfProcess(tree, event) : undefined;
    const usedBefore = server.processorMs();
    const startedAt = performance.now();
    const answer = await server.ask({ client: "claude", ...event });
    const [waitedMs, usedMs] = [performance.now() - startedAt, server.processorMs() - usedBefore];
    // An answer comes before its record: only the next request finds the ledger at rest.
    await server.request("ping");
    if (answer !== "") told++;
    else if (!isCompared && identityOf(tree) === recordedBefore) {
      waitMs.push(waitedMs);
      idleMs.push(usedMs);
    }
    if (expected !== undefined) compared++;
    if (expected !== undefined && expected !== answer) {
      faults.push(`event ${at} '${JSON.stringify(event)}': '${answer}' instead of '${expected}'`);
    }
    if (at % Math.ceil(events / SAMPLES) === 0) resident.push(server.memory());
  }
  if ((await server.end()) !== 0) faults.push("the server did not end well");
  const memoryKB = [0, 1, 2, 3, 4].map((fifth) => leastOf(resident, fifth / 5, (fifth + 1) / 5));
  const grownKB = leastOf(resident, 0.6, 1) - leastOf(resident, 0.2, 0.6);
  const times = { medianMs: medianOf(idleMs), medianWaitMs: medianOf(waitMs) };
  return { faults, compared, told, ...times, memoryKB, grownKB, mostKB: Math.max(...resident) };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function leastOf(samples: readonly number[], from: number, to: number): number {
  return Math.min(...samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)));
}

function packages(): Record<string, string> {
  const files: Record<string, string> = { "repo/CLAUDE.md": "Be brief.\n", "repo/AGENTS.md": "Rules.\n" };
  for (let index = 0; index < PACKAGES; index++) {
    files[`repo/packages/p${index}/AGENTS.md`] = `Rules of ${index}.\n`;
    files[`repo/packages/p${index}/src/a.ts`] = "";
  }
  return files;
}

function eventOf(tree: TempTree, random: () => number): Fields {
  const agent = Math.floor(random() * AGENTS);
  const fields = {
    session_id: `session-${Math.floor(random() * SESSIONS)}`,
    ...(agent > 0 && { agent_id: `agent-${agent}`, agent_type: "general-purpose" }),
  };
  const name = `packages/p${Math.floor(random() * PACKAGES)}/src/a.ts`;
  const path = tree.path("repo", name);
  const draw = random();
  if (draw < 0.01) return { ...fields, hook_event_name: "SessionStart", source: anyOf(["startup", "compact"], random) };
  if (draw < 0.02) return { ...fields, hook_event_name: "UserPromptSubmit", prompt: `look at @${name}` };
  if (draw < 0.03 && agent > 0) return { ...fields, hook_event_name: "SubagentStop" };
  const uses = [
    { tool_name: "Read", tool_input: { file_path: path } },
    { tool_name: "Write", tool_input: { file_path: path, content: "" } },
    { tool_name: "Bash", tool_input: { command: `cat ${name}` } },
    { tool_name: "Bash", tool_input: { command: `for f in ${name}; do wc -l "$f"; done` } },
  ];
  const use = anyOf(uses, random);
  return random() < 0.3
    ? { ...fields, hook_event_name: "PostToolUse", ...use, tool_response: {} }
    : { ...fields, hook_event_name: "PreToolUse", ...use };
}

function change(tree: TempTree, random: () => number, at: number): void {
  const draw = random();
  if (draw < 0.6) tree.write(`repo/packages/p${Math.floor(random() * PACKAGES)}/AGENTS.md`, `Rules at ${at}.\n`);
  else if (draw < 0.9) {
    const resolver = anyOf([{}, { enabled: false }, { delivery: "body" }, { gate: "edit" }], random);
    tree.write("repo/.codelia/config.json", JSON.stringify({ agents: { resolver } }));
  } else tree.write("repo/.codelia/config.json", "{");
}

/** Differs whenever something was recorded. */
function identityOf(tree: TempTree): string {
  const { ino, mtimeMs } = statSync(tree.path("repo/.codelia/session.json"), { throwIfNoEntry: false }) ?? {};
  return `${ino} ${mtimeMs}`;
}

/** What a new process says; the ledger is as before afterwards. */
function answerOfProcess(tree: TempTree, event: Fields): string {
  const ledger = tree.path("repo/.codelia/session.json");
  const before = existsSync(ledger) ? readFileSync(ledger) : undefined;
  const options = { cwd: tree.path("repo"), home: tree.path("home"), stdin: JSON.stringify(event) };
  const { stdout } = runCodelia(["hook", "claude"], options);
  if (before === undefined) rmSync(ledger, { force: true });
  else writeFileSync(ledger, before);
  return stdout;
}
