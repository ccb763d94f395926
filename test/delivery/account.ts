import type { ModelRequest } from "../e2e/lib/script.ts";

/** Who gave a line of an instruction file to a model. */
type Giver = "codelia" | "client";

/** What one context was given between two compactions, in bytes of the files' own lines. */
export interface Account {
  readonly thread: string;
  /** From 0; a compaction begins the next. */
  readonly epoch: number;
  readonly codelia: number;
  readonly client: number;
  /** What codelia gave and the client too, or codelia twice. */
  readonly both: number;
  /** What the client itself gave more than once. */
  readonly clientTwice: number;
  /** The files of which codelia gave something that was there, and those that it named though their text was there. */
  readonly twice: readonly string[];
  readonly named: readonly string[];
  /** Skills, by whose description they are known: told by someone, and told more than once. */
  readonly skills: number;
  readonly skillsTwice: readonly string[];
}

/** What is looked for. */
export interface Repository {
  /** Absolute path → the lines by which its text is recognised, each only in this file. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Name → a piece of its description. */
  readonly skills: ReadonlyMap<string, string>;
}

/** The accounts of a session, from what was asked of its model: the last request of each context and epoch holds all. */
export function accountsOf(requests: readonly ModelRequest[], repository: Repository): Account[] {
  return lastRequests(requests).map(({ request, epoch }) => accountOf(request, epoch, repository));
}

function lastRequests(requests: readonly ModelRequest[]): { request: ModelRequest; epoch: number }[] {
  const last = new Map<string, { request: ModelRequest; epoch: number }>();
  const epochs = new Map<string, number>();
  for (const request of requests) {
    const { thread, purpose } = request;
    const epoch = epochs.get(thread) ?? 0;
    if (purpose === "compaction") epochs.set(thread, epoch + 1);
    else if (purpose === "turn") last.set(`${thread} ${epoch}`, { request, epoch });
  }
  return [...last.values()];
}

function accountOf({ thread, seen }: ModelRequest, epoch: number, { files, skills }: Repository): Account {
  const text = seen
    .filter(({ role, kind }) => role !== "assistant" && kind !== "tool_use")
    .map((part) => part.text)
    .join("\n");
  const pathOf = new Map([...files].flatMap(([path, lines]) => lines.map((line) => [line, path] as const)));
  const counts = new Map<string, Record<Giver, number>>();
  const bytes: Record<Giver, number> = { codelia: 0, client: 0 };
  const twice = new Set<string>();
  const named = new Set<string>();
  const present = new Set<string>();
  let giver: Giver = "client";
  for (const line of text.split("\n")) {
    if (line.startsWith("Instructions from: ")) giver = "codelia";
    else if (/<\/agents_context>|<INSTRUCTIONS>|^Contents of /.test(line)) giver = "client";
    const name = /^- (.+) \((?:mtime: \d+|\d+ bytes|changed)/.exec(line)?.[1];
    if (name !== undefined && present.has(name) && !line.includes("changed")) named.add(name);
    const path = pathOf.get(line);
    if (path === undefined) continue;
    present.add(path);
    const count = counts.get(line) ?? { codelia: 0, client: 0 };
    count[giver]++;
    counts.set(line, count);
    bytes[giver] += line.length;
  }
  let [both, clientTwice] = [0, 0];
  for (const [line, { codelia, client }] of counts) {
    if (codelia > 0) both += (codelia + client - 1) * line.length;
    else clientTwice += (client - 1) * line.length;
    if (codelia > 0 && codelia + client > 1) twice.add(pathOf.get(line) ?? "");
  }
  const told = [...skills].map(([name, mark]) => ({ name, count: text.split(mark).length - 1 }));
  return {
    thread,
    epoch,
    ...bytes,
    both,
    clientTwice,
    twice: [...twice],
    named: [...named],
    skills: told.filter(({ count }) => count > 0).length,
    skillsTwice: told.filter(({ count }) => count > 1).map(({ name }) => name),
  };
}
