import { dirname, join } from "node:path";
import type { RecordedEvent, RecordReader } from "../clients/record.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { linesOf } from "../lib/lines.ts";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { entriesOf, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { textAt } from "../lib/read-file.ts";
import { isTable, type Table } from "../lib/table.ts";
import type { TouchedPath } from "../touched/paths.ts";
import { fileToolAccess, usualPaths } from "../touched/usual-calls.ts";
import { filesShownBy, pathsOfToolUse } from "../touched/with-grammar.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import {
  indexFiles,
  meaningfulLines,
  newKnowledge,
  type FileIndex,
  type KnownFile,
  watchSkills,
  type SkillCounts,
  type WatchedSkill,
} from "./knowledge.ts";
import type { AuditedContext, AuditedWrite } from "./schema.ts";
import type { TreeAt } from "./tree-at.ts";

/** A longer line of a record is counted and skipped. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;
const NOTHING: readonly TouchedPath[] = [];
/** Sub-agents of one session. */
const MAX_COMPANIONS = 1000;

/** The files of one session's record, the main one first. */
export function recordFiles(path: string, reader: RecordReader): string[] {
  const directory = reader.companions?.(path);
  if (directory === undefined) return [path];
  const names = entriesOf(directory).flatMap((entry) => (entry.isFile() ? entry.name : []));
  const records = names.filter((name) => name.endsWith(".jsonl")).toSorted();
  return [path, ...records.slice(0, MAX_COMPANIONS).map((name) => join(directory, name))];
}

/** The directory of a record's session, and the reader for it; undefined for another kind of file. */
export function recognise(
  path: string,
  readers: readonly { readonly title: string; readonly record: RecordReader }[],
): { readonly title: string; readonly record: RecordReader; readonly cwd: string } | undefined {
  let looked = 0;
  for (const line of linesOf(path, MAX_LINE_BYTES)) {
    const table = parse(line);
    const reader = table && readers.find(({ record }) => record.recognises(table));
    if (table !== undefined && reader !== undefined) {
      const place = reader.record.read(table).find((event) => "cwd" in event);
      if (place !== undefined && "cwd" in place) return { ...reader, cwd: place.cwd };
    }
    if (++looked > 1000) return undefined;
  }
  return undefined;
}

/** What all contexts of a session have in common. */
export interface Audited {
  readonly reader: RecordReader;
  /** The tree's instruction files, by the paths that they had in the session. */
  readonly index: FileIndex;
  /** Where the session began. The tree may be elsewhere now. */
  readonly recordedCwd: string;
  /** Another tree than the present one. */
  readonly tree?: TreeAt | undefined;
  readonly skills: readonly WatchedSkill[];
  readonly skillCounts: ReadonlyMap<string, SkillCounts>;
  /** The client's own files for a path, by their present paths. */
  readonly ownFor?: ((path: string) => readonly string[]) | undefined;
  readonly advance?: ((bytes: number) => void) | undefined;
}

type Call = Extract<RecordedEvent, { readonly kind: "call" }>;

/** A call without an answer so far. */
interface OpenCall {
  readonly writes: AuditedWrite[];
  readonly skills: string[];
  /** The one instruction file that it should show. */
  shown: string | undefined;
  /** The text that it writes into an instruction file. */
  written: string | undefined;
}

/** The text that a call writes: a file's whole, or the added lines of a patch. */
function textWritten(input: unknown): string | undefined {
  if (typeof input === "string") {
    const lines = input.split("\n").filter((line) => line.startsWith("+"));
    return lines.map((line) => line.slice(1)).join("\n");
  }
  const content = isTable(input) ? input["content"] : undefined;
  return typeof content === "string" ? content : undefined;
}

/** Translates a path of the tree to the path in the session, and back. */
export function moved(path: string, from: string, to: string): string {
  return from !== to && isInside(from, path) ? join(to, path.slice(from.length)) : path;
}

/**
 * Replays one context's record against the present tree: for each call that writes a file, which instruction files
 * apply to it and what the model knew of each when it made the call.
 *
 * @input  path: of the context's record
 */
export async function auditContext(
  world: World,
  workspace: Workspace,
  { reader, index, recordedCwd, tree, skills, skillCounts, ownFor, advance }: Audited,
  path: string,
): Promise<AuditedContext> {
  const knowledge = newKnowledge(index);
  const watch = watchSkills(skills, skillCounts);
  const byTarget = new Map<string, readonly string[]>();
  const applying = new Map<string, readonly string[]>();
  const calls = new Set<string>();
  const writes: AuditedWrite[] = [];
  const now = (recorded: string) => moved(recorded, recordedCwd, workspace.cwd);
  let [cwd, broken, forgotten, toolCalls] = [recordedCwd, 0, 0, 0];
  const open = new Map<string, OpenCall>();
  // Text between a call and its answer reaches the model with the answer.
  let late: (() => void)[] = [];
  const undone = new Set<AuditedWrite>();
  let turn: string | undefined;

  async function applyingTo(target: string): Promise<readonly string[]> {
    const known = byTarget.get(target);
    if (known !== undefined) return known;
    const shared = await findApplying(target);
    // One file may have two names.
    const places = new Set(shared.map((each) => realPathOf(now(each))));
    const own = (ownFor?.(now(target)) ?? [])
      .filter((each) => !places.has(realPathOf(each)))
      .map((each) => moved(each, workspace.cwd, recordedCwd));
    const all = [...shared, ...own.filter((each) => index.numbers.has(each))];
    byTarget.set(target, all);
    return all;
  }

  async function findApplying(target: string): Promise<readonly string[]> {
    const [place] = tree === undefined ? targetsOf(workspace, [now(target)]) : [];
    const directory = place?.directory ?? dirname(now(target));
    const known = applying.get(directory);
    if (known !== undefined) return known;
    const found =
      tree === undefined
        ? (await gatherInstructions(world, workspace, place === undefined ? [] : [place])).files.map(
            ({ path: at }) => at,
          )
        : tree.applyingIn(directory);
    const paths = found
      .map((each) => moved(each, workspace.cwd, recordedCwd))
      .filter((each) => index.numbers.has(each));
    applying.set(directory, paths);
    return paths;
  }

  function settle(): void {
    for (const hear of late) hear();
    late = [];
  }

  /** Open calls will not be answered any more. */
  function abandon(): void {
    for (const { skills: loaded } of open.values()) for (const name of loaded) watch.load(name);
    open.clear();
  }

  function shownBy({ tool, input }: Call, touched: readonly TouchedPath[]): string | undefined {
    if (!touched.some((each) => each.access === "read" && index.numbers.has(each.path))) return undefined;
    const files =
      fileToolAccess(tool) === "read"
        ? touched
        : filesShownBy({ tool, input, cwd, home: world.home, root: workspace.root.directory });
    const [file, ...others] = files.map((each) => each.path).filter((each) => index.numbers.has(each));
    return others.length === 0 ? file : undefined;
  }

  async function noteWrite(call: OpenCall | undefined, tool: string, target: string, at?: string): Promise<void> {
    // An instruction file does not apply to the call that writes it.
    const others = (await applyingTo(target)).filter((each) => each !== target);
    const files = others.map((each) => {
      const { extent, by } = knowledge.of(each);
      return { path: now(each), extent, by };
    });
    const write = { at: at ?? null, tool, path: now(target), files };
    writes.push(write);
    call?.writes.push(write);
  }

  /** Returns the paths that a call touches. */
  function take(event: RecordedEvent): readonly TouchedPath[] {
    switch (event.kind) {
      case "session":
      case "directory":
        cwd = event.cwd === "" ? cwd : event.cwd;
        break;
      case "forget":
        forgotten++;
        abandon();
        late = [];
        watch.end(knowledge.of);
        knowledge.forget();
        break;
      case "prompt":
        abandon();
        settle();
        break;
      case "skill":
        open.get(event.id)?.skills.push(event.name);
        break;
      case "text":
        watch.hear(event.text);
        if (open.size > 0) late.push(() => knowledge.hear(event.text, event.by, event.path));
        else knowledge.hear(event.text, event.by, event.path);
        break;
      case "answer": {
        const call = open.get(event.id);
        open.delete(event.id);
        if (event.isUndone === true) for (const write of call?.writes ?? []) undone.add(write);
        else for (const name of call?.skills ?? []) watch.load(name);
        const own = event.isUndone === true ? undefined : call?.written;
        if (own !== undefined) late.push(() => knowledge.hear(own, "tool"));
        const shown = event.isUndone === true ? undefined : call?.shown;
        late.push(() => knowledge.hear(event.text, event.by ?? "tool", shown, shown !== undefined));
        if (open.size === 0) settle();
        break;
      }
      case "call": {
        if (calls.has(event.id)) break;
        calls.add(event.id);
        // An answer was lost, in a line that can't be read.
        if (open.size > 0 && event.turn !== undefined && event.turn !== turn) {
          abandon();
          settle();
        }
        turn = event.turn;
        toolCalls++;
        if (event.isInner !== true)
          open.set(event.id, { writes: [], skills: [], shown: undefined, written: undefined });
        const { tool, input } = event;
        const use = { tool, input, cwd, home: world.home, root: workspace.root.directory };
        return usualPaths(tool, input, cwd) ?? pathsOfToolUse(use);
      }
    }
    return NOTHING;
  }

  for (const line of linesOf(path, MAX_LINE_BYTES, advance)) {
    const table = parse(line);
    if (table === undefined) {
      if (line === undefined || line.trim() !== "") broken++;
      continue;
    }
    const at = typeof table["timestamp"] === "string" ? table["timestamp"] : undefined;
    for (const event of reader.read(table)) {
      const touched = take(event);
      if (event.kind !== "call") continue;
      const call = event.isInner === true ? [...open.values()].at(-1) : open.get(event.id);
      if (call !== undefined) call.shown ??= shownBy(event, touched);
      for (const { path: target, access } of touched) {
        if (access !== "write") continue;
        if (call !== undefined && index.numbers.has(target)) call.written ??= textWritten(event.input);
        await noteWrite(event.isInner === true ? undefined : call, event.tool, target, at);
      }
    }
  }
  abandon();
  settle();
  watch.end(knowledge.of);
  return { record: path, toolCalls, forgotten, broken, writes: writes.filter((write) => !undone.has(write)) };
}

/**
 * The texts of instruction files and skills, which are searched in a record.
 *
 * @input  files, skills: texts by path; inSession: a file's path in the session
 */
export function indexTexts(
  files: ReadonlyMap<string, string>,
  skills: ReadonlyMap<string, string>,
  inSession: (path: string) => string,
): FileIndex {
  const known = (path: string, text: string): KnownFile[] => {
    const lines = meaningfulLines(text);
    return lines.length === 0 ? [] : [{ path: inSession(path), lines }];
  };
  return indexFiles([
    ...[...files].flatMap(([path, text]) => known(path, text)),
    // A client gives a skill without its header.
    ...[...skills].flatMap(([path, text]) => known(path, text.slice(frontMatterOf(text).bodyStart))),
  ]);
}

export function readTexts(paths: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = textAt(path, MAX_FILE_BYTES);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

function parse(line: string | undefined): Table | undefined {
  if (line === undefined || !line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isTable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
