import type { ModelRequest, Seen } from "./script.ts";

interface Run {
  readonly seenByModel: readonly ModelRequest[];
}

/** The requests of one thread, without those to summarise it. */
export function turnsOf(run: Run, thread = "main"): readonly ModelRequest[] {
  return run.seenByModel.filter((request) => request.purpose === "turn" && request.thread === thread);
}

/** The sub-agents' threads, in the order in which they first asked. */
export function agentsOf(run: Run): readonly string[] {
  return [...new Set(run.seenByModel.map(({ thread }) => thread))].filter((thread) => thread !== "main");
}

/**
 * How often a text stands in each request of a thread. A request repeats the history, so `[0, 1, 1]` says: told once,
 * with the second request; `[1, 1, 0, 1]`: lost in a compaction and told again.
 */
export function countSeen(run: Run, text: string, thread = "main"): readonly number[] {
  return turnsOf(run, thread).map(({ seen }) => seen.reduce((sum, part) => sum + part.text.split(text).length - 1, 0));
}

/** The parts of the thread's last request that hold the text. */
export function findSeen(run: Run, text: string, thread = "main"): readonly Seen[] {
  return (
    turnsOf(run, thread)
      .at(-1)
      ?.seen.filter((part) => part.text.includes(text)) ?? []
  );
}

/** The same, as `role kind` and without the texts. */
export function whereSeen(run: Run, text: string, thread = "main"): readonly string[] {
  return findSeen(run, text, thread).map(({ role, kind }) => `${role} ${kind}`);
}

/** Everything that the thread's last request holds, as one text. */
export function lastSeen(run: Run, thread = "main"): string {
  return (turnsOf(run, thread).at(-1)?.seen ?? []).map(({ text }) => text).join("\n");
}
