import { basename, dirname, join, sep } from "node:path";
import { disk, identityOf, obstacleOf, versionOf } from "../lib/fs.ts";
import { parseJsonc } from "../lib/jsonc.ts";
import { limitParsing, type LimitedParse } from "../lib/parse-limit.ts";
import { namesIn, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { readStart, readText } from "../lib/read-file.ts";
import { withoutBom } from "../lib/text.ts";
import { parseToml } from "../lib/toml.ts";
import type { DataRead } from "../lib/yaml.ts";
import type { World } from "../world.ts";
import type { Found, TreeFacts } from "./client.ts";

/** The most that is read of an instruction file: a client that loaded more would have no room for anything else. */
const MAX_START_BYTES = 8 * 1024 * 1024;

const MAX_DATA_BYTES = 4 * 1024 * 1024;

const UNREAD: ReadonlySet<string> = new Set(["no-permission", "unreadable"]);

/**
 * Facts about the disk. Each is looked up once, so the answers don't change while they are kept.
 *
 * @input  onUnread: called for anything that can't be read, or can't be parsed in time; the facts then treat it as
 *          empty
 * @effect reads, when a fact is needed
 */
export function diskFacts(world: Pick<World, "processorTime">, onUnread: (path: string) => void = () => {}): TreeFacts {
  const limited = limitParsing(world);
  const starts = new Map<string, { readonly asked: number; readonly bytes: Uint8Array }>();
  return {
    at: remember((path) => {
      const what = lookAt(path);
      if (what?.kind === "unusable" && UNREAD.has(what.reason)) onUnread(path);
      return what;
    }),
    realPath: remember(realPathOf),
    list: remember(namesIn),
    data: remember((path) => readData(path, limited, onUnread)),
    start(path, bytes) {
      const wanted = Math.min(bytes, MAX_START_BYTES);
      const known = starts.get(path);
      if (known !== undefined && known.asked >= wanted) return known.bytes.subarray(0, wanted);
      const read = readFollowing(path, wanted, onUnread);
      starts.set(path, { asked: wanted, bytes: read });
      return read;
    },
  };
}

/** Asks once for each path. */
export function remember<Answer>(ask: (path: string) => Answer): (path: string) => Answer {
  const known = new Map<string, Answer>();
  return (path) => {
    if (known.has(path)) return known.get(path) as Answer;
    const answer = ask(path);
    known.set(path, answer);
    return answer;
  };
}

function lookAt(path: string): Found | undefined {
  try {
    const itself = disk.look(path);
    if (itself === undefined) return undefined;
    const isLink = itself.isSymbolicLink();
    const stats = isLink ? disk.lookThrough(path) : itself;
    if (stats === undefined) return { kind: "unusable", reason: "dangling-link" };
    if (stats.isDirectory()) return { kind: "directory", realPath: disk.realPath(path) };
    if (!stats.isFile()) return { kind: "unusable", reason: "not-a-regular-file" };
    const realPath = disk.realPath(path);
    return { kind: "file", version: versionOf(stats), identity: identityOf(stats), realPath, isLink };
  } catch (error) {
    return unexpected(error);
  }
}

function unexpected(error: unknown): Found | undefined {
  const obstacle = obstacleOf(error);
  if (obstacle === "absent") return undefined;
  if (obstacle === "loop") return { kind: "loop" };
  return { kind: "unusable", reason: obstacle === "no-permission" ? obstacle : "unreadable" };
}

function readFollowing(path: string, bytes: number, onUnread: (path: string) => void): Uint8Array {
  const realPath = realPathOf(path);
  const read = realPath === undefined ? undefined : readStart(realPath, bytes);
  if (read?.kind === "read") return read.bytes;
  onUnread(path);
  return new Uint8Array();
}

function readData(path: string, limited: LimitedParse, onUnread: (path: string) => void): unknown {
  const realPath = realPathOf(path);
  const read = realPath === undefined ? undefined : readText(realPath, MAX_DATA_BYTES);
  if (read?.kind !== "text") {
    if (read !== undefined && read.kind !== "absent") onUnread(path);
    return undefined;
  }
  const text = withoutBom(read.text);
  const parsed = limited(() => parseData(path, text));
  if (parsed.kind === "unparsed") onUnread(path);
  return parsed.kind === "data" ? parsed.data : undefined;
}

function parseData(path: string, text: string): DataRead {
  return path.endsWith(".toml") ? parseToml(text) : parseJsonc(text);
}

/** Limits for all texts and all look-ups together: a clone may be built to take long. */
const MAX_CAREFUL_BYTES = 4 * 1024 * 1024;

const MAX_LOOKUPS = 20_000;

/** The files in which git describes a linked working tree, wherever its repository is. */
const GIT_LINKS: ReadonlySet<string> = new Set(["gitdir", "commondir"]);

const RULES = join(sep, ".claude", "rules", sep);

/** Stands for the text of a file that is not opened. */
const SOMETHING = new TextEncoder().encode("x");

/** Whether a path in the project is a link, or behind one, that leads out of it. */
function leadsOutOf(root: string, facts: TreeFacts): (path: string) => boolean {
  const realRoot = facts.realPath(root) ?? root;
  return (path) =>
    (isInside(root, path) || isInside(realRoot, path)) && !isInside(realRoot, facts.realPath(path) ?? realRoot);
}

/** Facts that open nothing through a link that leads out of the project: such a file counts as one with text in it. */
export function factsWithin(root: string, facts: TreeFacts): TreeFacts {
  const leadsOut = leadsOutOf(root, facts);
  return {
    ...facts,
    start: (path, bytes) => (leadsOut(path) ? SOMETHING.subarray(0, bytes) : facts.start(path, bytes)),
    data: (path) => (leadsOut(path) ? undefined : facts.data(path)),
  };
}

export interface CarefulFacts {
  readonly facts: TreeFacts;
  /** Whether every answer so far was certain. */
  isCertain(): boolean;
}

/**
 * Facts for a hook, which runs without being asked. Opens only files that are inside the project when links are
 * followed, and the instruction files of the directories above. Any other file counts as one with text in it.
 *
 * @effect reads, when a fact is needed; anything that can't be read, or takes too long, makes the answers uncertain
 */
export function carefulFacts(world: Pick<World, "processorTime">, root: string): CarefulFacts {
  let isCertain = true;
  const doubt = () => void (isCertain = false);
  const facts = diskFacts(world, doubt);
  const realRoot = facts.realPath(root) ?? root;
  const opened = new Set<string>();
  let room = MAX_CAREFUL_BYTES;
  let lookups = 0;

  const isOurs = (path: string) => isInside(root, path) || isInside(realRoot, path);
  const leadsOut = leadsOutOf(root, facts);
  function isAbove(path: string): boolean {
    const rules = path.indexOf(RULES);
    const parent = rules < 0 ? dirname(path) : path.slice(0, rules);
    return isInside(basename(parent) === ".claude" ? dirname(parent) : parent, realRoot);
  }

  return {
    isCertain: () => isCertain,
    facts: {
      ...facts,
      at(path) {
        lookups += 1;
        if (lookups <= MAX_LOOKUPS) return facts.at(path);
        doubt();
        return undefined;
      },
      start(path, bytes) {
        const mayOpen = isOurs(path) ? !leadsOut(path) : isAbove(path) || GIT_LINKS.has(basename(path));
        const read = mayOpen && room > 0 ? facts.start(path, Math.min(bytes, room + 1)) : SOMETHING.subarray(0, bytes);
        if (mayOpen && !opened.has(path)) room -= read.length;
        opened.add(path);
        if (room <= 0) doubt();
        return read;
      },
      data(path) {
        if (!leadsOut(path)) return facts.data(path);
        doubt();
        return undefined;
      },
    },
  };
}
