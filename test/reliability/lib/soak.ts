import { join, relative } from "node:path";
import { compile } from "../../../.tools/lib/build.mjs";
import { CODELIA } from "../../support/run-codelia.ts";
import { anyOf, randomFrom } from "./random.ts";
import { newSoakAudit } from "./soak-audit.ts";
import { judgeState, ledgerKB, makeAllIdle } from "./soak-state.ts";
import { openSoakTree, type SoakTree } from "./soak-tree.ts";

export interface SoakPlan {
  readonly sessions: number;
  readonly agents: number;
  /** Tool calls of each sub-agent. */
  readonly calls: number;
  /** Processes at once. */
  readonly width: number;
  readonly seed: number;
  /** Programs that do nothing, for what a call costs at least at the same time: one of them says how much memory. */
  readonly floor: string;
  readonly floorPeak: string;
}

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface SoakFigures {
  readonly calls: number;
  /** Tellings of a file to a context. */
  readonly told: number;
  readonly changes: number;
  readonly seconds: number;
  /** Milliseconds: of a tool call's hook, and of the floor meanwhile. */
  readonly hook: Spread;
  readonly floor: Spread;
  /** The most resident memory of any; 0 where the system does not tell. */
  readonly hookPeakMB: number;
  readonly floorPeakMB: number;
  readonly ledgerKB: number;
  readonly mostLedgerKB: number;
  readonly faults: readonly string[];
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | "hung";
  readonly elapsedMs: number;
}

const FLOOR_EVERY = 25;
const CHANGE_EVERY = 400;
/** Where in its life a sub-agent forgets what it was told. */
const COMPACTION_AT = 0.6;
const PACKAGES_PER_AGENT = 4;
const HUNG_MS = 10_000;
/** For so many sessions one was left behind long ago, to be moved out of the ledger. */
const SESSIONS_PER_IDLE = 4;
const CHANGED_MTIME = Date.UTC(2030, 0, 1);

/** Plays sessions with their sub-agents, as many processes at once as there may be, and audits what they were told. */
export async function playSoak(plan: SoakPlan): Promise<SoakFigures> {
  const place = openSoakTree();
  try {
    return await playIn(place, plan);
  } finally {
    place.tree[Symbol.dispose]();
  }
}

async function playIn(place: SoakTree, plan: SoakPlan): Promise<SoakFigures> {
  const audit = newSoakAudit(place.rules, place.firstMtimeMs);
  const random = randomFrom(plan.seed);
  const times: Record<"hook" | "floor", number[]> = { hook: [], floor: [] };
  const startedAt = performance.now();
  let [calls, changes, hookPeakMB, floorPeakMB, mostLedgerKB] = [0, 0, 0, 0, 0];

  async function hook(host: string, event: object): Promise<Ended> {
    const ended = await runProgram([CODELIA, "hook", host], place, JSON.stringify(event));
    audit.faults.push(...complaints(ended));
    return ended;
  }

  async function toolCall(host: string, context: string, event: object, file: string): Promise<void> {
    const atStart = audit.versions();
    const ended = await hook(host, event);
    times.hook.push(ended.elapsedMs);
    audit.answered(context, ended.stdout, place.ladderOf(file), atStart);
    const number = ++calls;
    if (number % FLOOR_EVERY === 0) {
      times.floor.push((await runProgram([plan.floor], place, "")).elapsedMs);
      floorPeakMB = Math.max(floorPeakMB, peakMB(await runProgram([plan.floorPeak], place, "")));
      // The same once more: whatever it had to say is said.
      const traced = await runProgram([CODELIA, "hook", host], place, JSON.stringify(event), { CODELIA_TRACE: "1" });
      audit.answered(context, traced.stdout, place.ladderOf(file), atStart);
      hookPeakMB = Math.max(hookPeakMB, peakMB(traced));
      mostLedgerKB = Math.max(mostLedgerKB, ledgerKB(place));
    }
    if (number % CHANGE_EVERY === 0) {
      changes++;
      const changed = place.rules[Math.floor(random() * place.rules.length)] ?? "";
      const mtimeMs = CHANGED_MTIME + changes * 1000;
      place.tree.touch(relative(place.tree.root, changed), mtimeMs);
      audit.changed(changed, mtimeMs);
    }
  }

  async function playAgent(session: number, agent: number): Promise<void> {
    const host = session % 2 === 0 ? "claude" : "codex";
    const [session_id, agent_id] = [`session-${session}`, `agent-${agent}`];
    const context = `${session_id}/${agent_id}`;
    const common = { session_id, agent_id, cwd: place.root };
    const atStart = audit.versions();
    const started = await hook(host, { ...common, hook_event_name: "SubagentStart", agent_type: "general" });
    audit.begun(context, started.stdout, host === "codex" ? place.rules.slice(0, 1) : [], atStart);
    const packages = Array.from({ length: PACKAGES_PER_AGENT }, () => anyOf(place.packages, random));
    for (let call = 0; call < plan.calls; call++) {
      if (call === Math.floor(plan.calls * COMPACTION_AT)) {
        const before = audit.versions();
        const again =
          host === "claude"
            ? { hook_event_name: "SessionStart", source: "compact" }
            : { hook_event_name: "PostCompact" };
        const compacted = await hook(host, { ...common, ...again });
        audit.begun(context, compacted.stdout, host === "codex" ? place.rules.slice(0, 1) : [], before);
      }
      const file = anyOf(place.sourcesOf(anyOf(packages, random)), random);
      const use = toolUse(host, place.root, file, random);
      await toolCall(host, context, { ...common, hook_event_name: "PreToolUse", ...use }, file);
    }
    await hook(host, { ...common, hook_event_name: "SubagentStop" });
  }

  const idle = Math.ceil(plan.sessions / SESSIONS_PER_IDLE);
  for (let session = 0; session < idle; session++) {
    await hook("claude", { session_id: `idle-${session}`, cwd: place.root, hook_event_name: "SessionStart" });
  }
  makeAllIdle(place);
  const waiting = Array.from({ length: plan.sessions }, (_, session) => session);
  const lives: (() => Promise<void>)[] = [];

  /** A session's sub-agents all begin once it has; it is over when the last of them is. */
  async function openSession(session: number): Promise<void> {
    const host = session % 2 === 0 ? "claude" : "codex";
    const common = { session_id: `session-${session}`, cwd: place.root };
    await hook(host, { ...common, hook_event_name: "SessionStart", source: "startup" });
    let alive = plan.agents;
    for (let agent = 0; agent < plan.agents; agent++) {
      lives.push(async () => {
        await playAgent(session, agent);
        alive--;
        if (alive === 0) await hook(host, { ...common, hook_event_name: "SessionEnd" });
      });
    }
  }

  async function lane(): Promise<void> {
    for (;;) {
      const life = lives.shift();
      const session = life === undefined ? waiting.shift() : undefined;
      if (life !== undefined) await life();
      else if (session !== undefined) await openSession(session);
      else return;
    }
  }
  await Promise.all(Array.from({ length: plan.width }, lane));
  const faults = [...audit.faults, ...judgeState(place, plan.sessions, idle)];
  return {
    calls,
    told: audit.told(),
    changes,
    seconds: (performance.now() - startedAt) / 1000,
    hook: spreadOf(times.hook),
    floor: spreadOf(times.floor),
    hookPeakMB,
    floorPeakMB,
    ledgerKB: ledgerKB(place),
    mostLedgerKB,
    faults,
  };
}

/** One of the ways in which an agent comes to a file. */
function toolUse(host: string, root: string, file: string, random: () => number): object {
  const name = relative(root, file);
  const shell = { tool_name: "Bash", tool_input: { command: `cd ${root} && sed -n '1,200p' ${name} | head -50` } };
  if (random() < 0.3) return shell;
  if (host === "codex") {
    const patch = `*** Begin Patch\n*** Update File: ${name}\n@@\n-a\n+b\n*** End Patch\n`;
    return random() < 0.5 ? { tool_name: "apply_patch", tool_input: { command: patch } } : shell;
  }
  const tool_name = anyOf(["Read", "Edit", "Grep"], random);
  return { tool_name, tool_input: tool_name === "Grep" ? { pattern: "x", path: file } : { file_path: file } };
}

async function runProgram(
  command: string[],
  place: SoakTree,
  input: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const startedAt = performance.now();
  const child = Bun.spawn(command, {
    cwd: place.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home, ...more },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
    timeout: HUNG_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const elapsedMs = performance.now() - startedAt;
  return { stdout, stderr, exit: child.signalCode === null ? exit : "hung", elapsedMs };
}

function complaints({ exit, stderr }: Ended): string[] {
  return [
    ...(exit === 0 ? [] : [exit === "hung" ? `did not end within ${HUNG_MS} ms` : `exit ${exit}`]),
    ...(stderr === "" ? [] : [`on standard error: ${stderr.trim()}`]),
  ];
}

/** As a program's last line on standard error says. */
function peakMB({ stderr }: Ended): number {
  const last = JSON.parse(stderr.trimEnd().split("\n").at(-1) || "{}") as { peakKB?: number };
  return (last.peakKB ?? 0) / 1024;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** The programs that a soak is compared with. */
export async function compileFloors(directory: string): Promise<Pick<SoakPlan, "floor" | "floorPeak">> {
  const here = import.meta.dirname;
  const [floor, floorPeak] = [join(directory, "floor"), join(directory, "floor-peak")];
  await compile({ entry: join(here, "../../bench/floor.ts"), outfile: floor });
  await compile({ entry: join(here, "floor-peak.ts"), outfile: floorPeak });
  return { floor, floorPeak };
}
