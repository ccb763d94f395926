import { dirname, join } from "node:path";
import type { Client, ClientEvent, Touch } from "../clients/client.ts";
import { nativelyLoaded, nativelyNamed } from "../clients/native-load.ts";
import { loadNative } from "../clients/registry.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { fileIdentity, statOf } from "../lib/path-facts.ts";
import { endAt, haveSameText, textAt } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";
import { runsShell } from "../touched/payload.ts";
import { plainCommands } from "../touched/plain-command.ts";
import { filesShownBy } from "../touched/with-grammar.ts";
import type { TouchedPath } from "../touched/paths.ts";
import { fileToolAccess } from "../touched/usual-calls.ts";
import { findContext, MAIN_CONTEXT } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { plainlyShown, type ToolUse } from "./tool-paths.ts";

/** Every client shows its model at least this much of a command's output. */
const MAX_OUTPUT_BYTES = 20_000;

/** By path: the client loads it, or names it, or the tool shows it. */
export type FilesSeen = ReadonlyMap<string, "native" | "named" | "read">;

/** Arguments that make a tool show only part of a file. */
const PARTIAL = /limit|offset|lines?|head|tail|range|start|end|pattern|query/i;

/**
 * The files that the model learns through a tool, and how: the tool shows them, or the client loads them with it.
 *
 * @effect reads
 */
export async function filesSeen(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
  touched: readonly TouchedPath[],
  files: readonly InstructionFile[],
): Promise<FilesSeen> {
  const native = await nativelyLoaded(world, workspace, client, files, touchOf(use, touched));
  const restored = await filesRestored(world, workspace, client, event, files);
  const seen = new Map<string, "native" | "named" | "read">();
  for (const path of await nativelyNamed(world, workspace, client, files, touchesOf(use, touched))) {
    seen.set(path, "named");
  }
  for (const path of [...native, ...restored]) seen.set(path, "native");
  for (const path of filesShown(world, workspace, use, touched, files)) seen.set(path, "read");
  return seen;
}

/**
 * The files that come with a prompt, because it mentions them or others in their scope.
 *
 * @effect reads
 */
export async function filesMentioned(
  world: World,
  workspace: Workspace,
  client: Client,
  mentioned: readonly TouchedPath[],
  files: readonly InstructionFile[],
): Promise<FilesSeen> {
  const seen = new Map<string, "native">();
  for (const touch of mentionsOf(mentioned)) {
    const native = await nativelyLoaded(world, workspace, client, files, touch);
    for (const each of native) seen.set(each, "native");
  }
  return seen;
}

/** The files that a prompt mentions. */
export function mentionsOf(mentioned: readonly TouchedPath[]): Touch[] {
  const files = mentioned.filter(({ path }) => statOf(path)?.isFile() === true);
  return files.map(({ path }) => ({ tool: "", path, how: "mention" }));
}

/**
 * The names under which a client brings files by itself, for files that also exist under such a name in the same
 * directory, as a link or as a copy: a model that reads one under the other name gets it twice.
 */
export async function ownNames(
  client: Client,
  files: readonly InstructionFile[],
): Promise<ReadonlyMap<string, string>> {
  const { ownNames: names = [] } = await loadNative(client);
  const found = new Map<string, string>();
  for (const { path, directory, identity } of files) {
    const others = names.map((name) => join(directory, name)).filter((each) => each !== path && statOf(each)?.isFile());
    const own =
      others.find((each) => fileIdentity(each) === identity) ?? others.find((each) => haveSameText(path, each));
    if (own !== undefined) found.set(path, own);
  }
  return found;
}

/** The first path that a tool touches: tools for which a client loads instructions touch only one. */
export function touchOf({ tool, input }: ToolUse, [first, ...others]: readonly TouchedPath[]): Touch | undefined {
  if (first === undefined) return undefined;
  const isAlone = others.length === 0 && first.access === "read" && runsShell(tool) && isPlainReading(input);
  // A failed command brings nothing.
  const isReading = isAlone && statOf(first.path)?.isFile() === true;
  return { tool, path: first.path, ...(isReading && { how: "reading" }) };
}

/** Each path that a tool touches. */
function touchesOf({ tool, input }: ToolUse, touched: readonly TouchedPath[]): readonly Touch[] {
  const isListing = runsShell(tool) && isPlainListing(input);
  return touched.map(({ path }) => ({ tool, path, ...(isListing && { how: "listing" as const }) }));
}

const LISTING_PROGRAMS = new Set(["cd", "ls", "tree", "find", "dir", "exa", "eza", "lsd"]);
const FILTERS = new Set(["head", "tail", "wc", "sort"]);

/** Whether a shell command consists only of these programs, and of filters without files of their own. */
function isPlainListing(input: unknown): boolean {
  const command = isTable(input) ? input["command"] : undefined;
  const commands = (typeof command === "string" && plainCommands(command)) || [];
  return commands.every(({ args: [program, ...args], isPiped, files }) => {
    const name = program?.text ?? "";
    const isFilter = isPiped && FILTERS.has(name) && args.every(({ text }) => /^-|^\d+$/.test(text ?? ""));
    return files.length === 0 && (isFilter || LISTING_PROGRAMS.has(name));
  });
}

const READING_PROGRAMS = new Set(["cat", "head", "tail", "sed", "nl", "grep", "rg"]);

/** Whether a shell command consists only of one of these programs and the files it reads. */
function isPlainReading(input: unknown): boolean {
  const command = isTable(input) ? input["command"] : undefined;
  const [only, ...more] = (typeof command === "string" && plainCommands(command)) || [];
  if (only === undefined || more.length > 0 || only.isPiped || only.files.length > 0) return false;
  return READING_PROGRAMS.has(only.args[0]?.text ?? "");
}

/** How much of the end of a transcript is read. */
const MAX_TRANSCRIPT_BYTES = 4 * 1024 * 1024;

/** Claude Code writes its transcript every 100 ms, later on a busy machine: this long after a compaction at most. */
const LATEST_TRANSCRIPT_MS = 3000;
const TRANSCRIPT_POLL_MS = 50;

/** The files that the client itself has given back to a compacted context. */
async function filesRestored(
  world: World,
  { key, root, userDirectories }: Workspace,
  client: Client,
  { transcript, call }: ClientEvent,
  files: readonly InstructionFile[],
): Promise<readonly string[]> {
  if (transcript === undefined || client.restoredIn === undefined || key.context !== MAIN_CONTEXT) return [];
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const { epoch, delivery } = findContext(session, key.context);
  if (epoch < 2) return [];
  const restored = await client.restoredIn(transcriptUpTo(world, transcript, call, delivery?.at ?? 0));
  const texts = new Map(restored.map(({ path, text }) => [fileIdentity(path), text.trim()]));
  return files.flatMap(({ path, identity }) => {
    const text = texts.get(identity);
    return text !== undefined && text === textAt(path, MAX_OUTPUT_BYTES)?.trim() ? path : [];
  });
}

/** The end of a transcript, once it has the call: everything before the call is written by then. */
function transcriptUpTo(world: World, path: string, call: string | undefined, compactedAt: number): string {
  for (;;) {
    const text = endAt(path, MAX_TRANSCRIPT_BYTES) ?? "";
    const age = world.now() - compactedAt;
    if (call === undefined || text.includes(`"${call}"`) || age < 0 || age >= LATEST_TRANSCRIPT_MS) return text;
    world.pause(TRANSCRIPT_POLL_MS);
  }
}

/**
 * The files that a tool shows whole or writes. Compared by identity, because CLAUDE.md may be a link to AGENTS.md.
 * Before a shell command has run, this is what it will print; afterwards, what it has printed.
 */
export function filesShown(
  world: World,
  workspace: Workspace,
  use: ToolUse,
  touched: readonly TouchedPath[],
  files: readonly InstructionFile[],
): ReadonlySet<string> {
  if (fileToolAccess(use.tool) !== undefined) return filesAt(plainlyShown(use, touched), files);
  if (!runsShell(use.tool)) return filesAt(shownByTool(use, touched), files);
  return "answer" in use ? filesQuoted(use, files) : filesAt(printedBy(world, workspace, use, files), files);
}

/** The files that a tool writes, wholly or in part. */
export function filesWritten(touched: readonly TouchedPath[], files: readonly InstructionFile[]): ReadonlySet<string> {
  const written = touched.filter(({ access }) => access === "write");
  return filesAt(new Set(written.map(({ path }) => path)), files);
}

/** Those that are at these paths, or have a copy there. */
function filesAt(paths: ReadonlySet<string>, files: readonly InstructionFile[]): ReadonlySet<string> {
  const identities = new Set(Array.from(paths, fileIdentity));
  const others = Array.from(paths).filter((path) => path.endsWith(".md"));
  const isAmong = ({ path, directory, identity }: InstructionFile) =>
    identities.has(identity) || others.some((each) => dirname(each) === directory && haveSameText(path, each));
  return new Set(files.filter(isAmong).map(({ path }) => path));
}

function shownByTool({ input }: ToolUse, touched: readonly TouchedPath[]): ReadonlySet<string> {
  const isPart = isTable(input) && Object.keys(input).some((key) => PARTIAL.test(key));
  const isShown = ({ access }: TouchedPath) => access === "write" || (access === "read" && !isPart);
  return new Set(touched.filter(isShown).map(({ path }) => path));
}

/** The files that a shell command will print whole, as long as its output is short enough not to be cut. */
function printedBy(
  world: World,
  { cwd, root }: Workspace,
  { tool, input }: ToolUse,
  files: readonly InstructionFile[],
): ReadonlySet<string> {
  const identities = new Set(files.map(({ identity }) => identity));
  const printed = new Set<string>();
  let room = MAX_OUTPUT_BYTES;
  for (const { path, lines } of filesShownBy({ tool, input, cwd, home: world.home, root: root.directory })) {
    room -= statOf(path)?.size ?? 0;
    // Read nothing but instruction files.
    if (room < 0 || !identities.has(fileIdentity(path) ?? "")) continue;
    const text = textAt(path, MAX_OUTPUT_BYTES);
    if (text !== undefined && countLines(text) <= lines) printed.add(path);
  }
  return printed;
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/**
 * Once a command has run, only its output and its input count: it may have failed, redirected its output, or ended
 * early.
 */
function filesQuoted({ input, answer }: ToolUse, files: readonly InstructionFile[]): ReadonlySet<string> {
  // A longer text may have been cut before it reached the model.
  const isQuoted = quotedIn([...textsIn(answer), ...textsIn(input)].filter(({ length }) => length <= MAX_OUTPUT_BYTES));
  const quoted = files.filter(({ path }) => {
    const text = textAt(path, MAX_OUTPUT_BYTES);
    return text !== undefined && isQuoted(text);
  });
  return new Set(quoted.map(({ path }) => path));
}

const MAX_DEPTH = 6;
const MAX_TEXTS = 1000;

/** All texts in a tool's input or answer. Their shape differs by client and tool. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  collectTexts(value, texts, 0);
  return texts;
}

function collectTexts(value: unknown, texts: string[], depth: number): void {
  if (depth > MAX_DEPTH || texts.length >= MAX_TEXTS) return;
  if (typeof value === "string") {
    texts.push(value);
    // Some clients encode an object as JSON.
    if (/^\s*[[{]/.test(value)) collectTexts(parsed(value), texts, depth + 1);
  } else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts, depth + 1);
  else if (isTable(value)) for (const item of Object.values(value)) collectTexts(item, texts, depth + 1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Line numbers that a program put at the start of each line. */
const LINE_NUMBERS = /^ *\d+[\t→:] ?/gm;

/** Whether one of the texts contains the given text whole, line by line, with or without line numbers. */
export function quotedIn(texts: readonly string[]): (text: string) => boolean {
  const framed = texts.map((text) => `\n${text}\n`);
  let unnumbered: readonly string[] | undefined;
  return (text) => {
    const lines = `\n${text.trim()}\n`;
    if (framed.some((whole) => whole.includes(lines))) return true;
    unnumbered ??= texts.map((whole) => `\n${whole.replace(LINE_NUMBERS, "")}\n`);
    return unnumbered.some((whole) => whole.includes(lines));
  };
}
