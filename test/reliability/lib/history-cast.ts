import { join } from "node:path";
import type { CallKind } from "./history-oracle.ts";
import type { HistoryWorld } from "./history-world.ts";
import { anyOf } from "./random.ts";

/** A call that is to be made. */
export interface PlannedCall {
  readonly kind: CallKind;
  readonly contexts: readonly string[];
  readonly root: string;
  /** The path it touches, and the root of that path. */
  readonly touches?: { readonly root: string; readonly path: string };
  readonly args: readonly string[];
  /** A hook's event. */
  readonly event?: object;
  /** No other call is made for its contexts at the same time. */
  readonly isAlone?: boolean;
}

/** The sessions and their sub-agents: some end, new ones begin, some come back after a while. */
export interface HistoryCast {
  /** The next calls, to be made at once. */
  plan(): PlannedCall[];
  /** To be told how a call ended. A context whose beginning was killed begins again before it does anything else. */
  settle(call: PlannedCall, isDone: boolean): void;
}

interface Session {
  readonly id: string;
  agents: string[];
}

const SESSIONS = 4;
const MOST_AGENTS = 3;
const MOST_AT_ONCE = 4;
const SOURCES = ["startup", "compact", "clear"];
/** What sessions do, and how often. */
const TURNS = {
  touch: 78,
  begin: 7,
  agentBegins: 4,
  agentForgets: 2,
  agentEnds: 2,
  resume: 2,
  reset: 2,
  end: 1,
  other: 2,
};
type Turn = keyof typeof TURNS;
const DECK = Object.entries(TURNS).flatMap(([turn, count]) => Array.from({ length: count }, () => turn as Turn));

export function newHistoryCast(world: HistoryWorld, random: () => number): HistoryCast {
  let named = 0;
  let agents = 0;
  const newSession = (): Session => ({ id: `session-${++named}`, agents: [] });
  const sessions = Array.from({ length: SESSIONS }, newSession);
  const idle: Session[] = [];
  const unsettled = new Map<string, PlannedCall>();

  const contextOf = (id: string, agent: string | undefined) => `${id}/${agent ?? "main"}`;
  const hook = { args: ["hook", "claude"] };

  function event(session: Session, agent: string | undefined, root: string, more: object): object {
    return { session_id: session.id, cwd: root, ...(agent === undefined ? {} : { agent_id: agent }), ...more };
  }

  function touch(session: Session, root: string): PlannedCall {
    const inRoot = random() < 0.8 ? root : anyOf(world.roots(), random);
    const touches = { root: inRoot, path: world.sourceIn(inRoot, random) };
    if (random() < 0.1) {
      return { kind: "touch", contexts: [`default@${root}`], root, touches, args: ["resolve", touches.path] };
    }
    const agent = random() < 0.4 && session.agents.length > 0 ? anyOf(session.agents, random) : undefined;
    const common = { kind: "touch", contexts: [contextOf(session.id, agent)], root, touches } as const;
    if (random() < 0.3) {
      const more = agent === undefined ? [] : ["--agent", agent];
      return { ...common, args: ["resolve", "--session", session.id, ...more, touches.path] };
    }
    const use = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: touches.path } };
    return { ...common, ...hook, event: event(session, agent, root, use) };
  }

  function begin(session: Session, agent: string | undefined, root: string, more: object): PlannedCall {
    const contexts = [contextOf(session.id, agent)];
    return { kind: "begin", contexts, root, ...hook, event: event(session, agent, root, more) };
  }

  function reset(session: Session, root: string): PlannedCall {
    if (random() < 0.2) return { kind: "reset", contexts: [`default@${root}`], root, args: ["session", "reset"] };
    const agent = random() < 0.3 ? session.agents[0] : undefined;
    const all = [undefined, ...session.agents].map((name) => contextOf(session.id, name));
    const contexts = agent === undefined ? all : [contextOf(session.id, agent)];
    const more = agent === undefined ? [] : ["--agent", agent];
    return { kind: "reset", contexts, root, args: ["session", "reset", "--session", session.id, ...more] };
  }

  function play(turn: Turn, session: Session, root: string): PlannedCall {
    const agent = session.agents.length > 0 ? anyOf(session.agents, random) : undefined;
    switch (turn) {
      case "begin":
        if (random() < 0.1) {
          return { kind: "begin", contexts: [`default@${root}`], root, args: ["init-context"] };
        }
        return begin(session, undefined, root, { hook_event_name: "SessionStart", source: anyOf(SOURCES, random) });
      case "agentBegins": {
        if (session.agents.length >= MOST_AGENTS) break;
        const name = `agent-${++agents}`;
        session.agents.push(name);
        return begin(session, name, root, { hook_event_name: "SubagentStart", agent_type: "general" });
      }
      case "agentForgets":
        if (agent === undefined) break;
        return begin(session, agent, root, { hook_event_name: "SessionStart", source: "compact" });
      case "agentEnds": {
        if (agent === undefined) break;
        session.agents = session.agents.filter((name) => name !== agent);
        const over = event(session, agent, root, { hook_event_name: "SubagentStop" });
        const contexts = [contextOf(session.id, agent)];
        return { kind: "end", contexts, root, ...hook, event: over, isAlone: true };
      }
      case "resume": {
        const again = event(session, undefined, root, { hook_event_name: "SessionStart", source: "resume" });
        const contexts = [contextOf(session.id, undefined)];
        const touches = { root, path: join(root, "x") };
        // A session that nothing is known of begins anew: what is told meanwhile may be told once more.
        return { kind: "touch", contexts, root, touches, ...hook, event: again, isAlone: true };
      }
      case "reset":
        return reset(session, root);
      case "end": {
        const contexts = session.agents.map((name) => contextOf(session.id, name));
        session.agents = [];
        const over = event(session, undefined, root, { hook_event_name: "SessionEnd" });
        return { kind: "end", contexts, root, ...hook, event: over, isAlone: true };
      }
      case "other": {
        idle.push(session);
        const back = random() < 0.5 && idle.length > 1 ? idle.shift() : undefined;
        const next = back ?? newSession();
        sessions[sessions.indexOf(session)] = next;
        return touch(next, root);
      }
      case "touch":
    }
    return touch(session, root);
  }

  return {
    plan() {
      const roots = world.roots();
      if (roots.length === 0) return [];
      const calls: PlannedCall[] = [...unsettled.values()].map((call) => moved(call, anyOf(roots, random)));
      const busy = new Set(unsettled.keys());
      const spoken = new Set<string>();
      for (let count = Math.floor(random() * MOST_AT_ONCE); count >= 0; count--) {
        const call = play(anyOf(DECK, random), anyOf(sessions, random), anyOf(roots, random));
        const isTaken = (context: string) => busy.has(context) || (call.isAlone === true && spoken.has(context));
        const isFree = !call.contexts.some(isTaken);
        for (const context of isFree ? call.contexts : []) {
          spoken.add(context);
          // A context that forgets or ends makes no further call in this round.
          if (call.kind !== "touch" || call.isAlone === true) busy.add(context);
        }
        if (isFree) calls.push(...entriesFor(call, random));
        else if (call.kind === "begin") unsettled.set(call.contexts[0] ?? "", call);
      }
      return calls;
    },
    settle(call, isDone) {
      const [context = ""] = call.contexts;
      if (call.kind === "begin" && !isDone) unsettled.set(context, call);
      else if (call.kind !== "touch") for (const name of call.contexts) unsettled.delete(name);
    },
  };
}

const PART = ["--part", "1/4"];

let starts = 0;

/**
 * A start may be asked for in parts, and by two entries at once. No client starts a context twice within two seconds for
 * the same cause, as histories do: so each start has a cause of its own.
 */
function entriesFor(call: PlannedCall, random: () => number): PlannedCall[] {
  if (call.kind !== "begin" || call.event === undefined || random() < 0.3) return [call];
  const event = { ...call.event, source: `start ${++starts}` };
  const part = { ...call, event, args: [...call.args, ...PART] };
  return random() < 0.5 ? [part] : [part, part];
}

/** The same beginning again, in a root that exists. */
function moved(call: PlannedCall, root: string): PlannedCall {
  // Each root has its own session without a name.
  if (call.event === undefined) return { ...call, contexts: [`default@${root}`], root };
  return { ...call, root, event: { ...call.event, cwd: root, source: `start ${++starts}` } };
}
