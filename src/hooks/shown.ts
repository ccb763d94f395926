import type { Client } from "../clients/client.ts";
import { nativelyLoaded } from "../clients/native-load.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { placeIdentity, statOf } from "../lib/path-facts.ts";
import { textAt } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";
import { runsShell } from "../touched/payload.ts";
import { filesShownBy } from "../touched/tool-use.ts";
import type { TouchedPath } from "../touched/touched.ts";
import { fileToolAccess } from "../touched/usual.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { plainlyShown, touchOf, type ToolUse } from "./tool-paths.ts";

/** Every client gives its model at least this much of a command's output. */
const MAX_OUTPUT_BYTES = 20_000;

/** Arguments by which tools are told to show a part. */
const PARTIAL = /limit|offset|lines?|head|tail|range|start|end|pattern|query/i;

/**
 * Those of the files that the model knows through a tool: the tool shows them, or the client loads them with it.
 *
 * @effect reads
 */
export async function filesSeen(
  world: World,
  workspace: Workspace,
  client: Client,
  use: ToolUse,
  touched: readonly TouchedPath[],
  files: readonly InstructionFile[],
): Promise<ReadonlySet<string>> {
  const native = await nativelyLoaded(world, workspace, client, files, touchOf(use, touched));
  return new Set([...native, ...filesShown(world, workspace, use, touched, files)]);
}

/**
 * Those of the files whose text a tool shows whole, or that it writes, by whatever name: a CLAUDE.md may be a link to
 * AGENTS.md. Before a shell's command has run, this goes by what it will print; afterwards by what it has printed.
 */
function filesShown(
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

/** Those of the files that a tool writes, even if only a part of them. */
export function filesWritten(touched: readonly TouchedPath[], files: readonly InstructionFile[]): ReadonlySet<string> {
  const written = touched.filter(({ access }) => access === "write");
  return filesAt(new Set(written.map(({ path }) => path)), files);
}

function filesAt(paths: ReadonlySet<string>, files: readonly InstructionFile[]): ReadonlySet<string> {
  const identities = new Set(Array.from(paths, placeIdentity));
  return new Set(files.filter(({ identity }) => identities.has(identity)).map(({ path }) => path));
}

function shownByTool({ input }: ToolUse, touched: readonly TouchedPath[]): ReadonlySet<string> {
  const isPart = isTable(input) && Object.keys(input).some((key) => PARTIAL.test(key));
  const isShown = ({ access }: TouchedPath) => access === "write" || (access === "read" && !isPart);
  return new Set(touched.filter(isShown).map(({ path }) => path));
}

/** The files that a shell's command will print whole, until its output is so long that it may be cut. */
function printedBy(
  world: World,
  { cwd }: Workspace,
  { tool, input }: ToolUse,
  files: readonly InstructionFile[],
): ReadonlySet<string> {
  const identities = new Set(files.map(({ identity }) => identity));
  const printed = new Set<string>();
  let room = MAX_OUTPUT_BYTES;
  for (const { path, lines } of filesShownBy({ tool, input, cwd, home: world.home })) {
    room -= statOf(path)?.size ?? 0;
    // Only instruction files are read.
    if (room < 0 || !identities.has(placeIdentity(path) ?? "")) continue;
    const text = textAt(path, MAX_OUTPUT_BYTES);
    if (text !== undefined && countLines(text) <= lines) printed.add(path);
  }
  return printed;
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/**
 * Once a command has run, the text that the model was given counts, and what it has written itself: the command may have
 * failed, printed into another one, or ended early.
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

/** All texts in a tool's input or answer; each client, and each tool, has another shape. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  collectTexts(value, texts, 0);
  return texts;
}

function collectTexts(value: unknown, texts: string[], depth: number): void {
  if (depth > MAX_DEPTH || texts.length >= MAX_TEXTS) return;
  if (typeof value === "string") {
    texts.push(value);
    // Some clients give an object as its JSON.
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

/** At the beginning of each line, where a program has numbered them. */
const LINE_NUMBERS = /^ *\d+[\t→:] ?/gm;

/** Whether one of several texts holds a text whole, line by line, with or without line numbers. */
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
