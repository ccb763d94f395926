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
import { plainlyShown, type ToolUse } from "./tool-paths.ts";

/** What clients give their models of a command's output, at the least. */
const MAX_OUTPUT_BYTES = 20_000;

/** Arguments by which tools are told to show a part. */
const PARTIAL = /limit|offset|lines?|head|tail|range|start|end|pattern|query/i;

/**
 * Those of the files whose text a tool shows whole, or that it writes: what a shell's command printed, or is about to,
 * what another tool reads; by whatever name, a CLAUDE.md may be a link to AGENTS.md.
 *
 * @effect reads files that are printed up to a line
 * @error  none
 */
export function filesShown(
  world: World,
  workspace: Workspace,
  use: ToolUse,
  touched: readonly TouchedPath[],
  files: readonly InstructionFile[],
): Set<string> {
  if (runsShell(use.tool) && "answer" in use) return filesSaid(use, files);
  const asked = new Set(files.map(({ identity }) => identity));
  const shown =
    fileToolAccess(use.tool) !== undefined
      ? plainlyShown(use, touched)
      : shownByOthers(world, workspace, use, touched, asked);
  return filesAt(shown, files);
}

/** Those of the files that a tool writes, be it a part of them. */
export function filesWritten(touched: readonly TouchedPath[], files: readonly InstructionFile[]): Set<string> {
  return filesAt(
    touched.filter(({ access }) => access === "write").map(({ path }) => path),
    files,
  );
}

function filesAt(paths: Iterable<string>, files: readonly InstructionFile[]): Set<string> {
  const identities = new Set([...paths].map(placeIdentity));
  return new Set(files.filter(({ identity }) => identities.has(identity)).map(({ path }) => path));
}

function shownByOthers(
  world: World,
  { cwd }: Workspace,
  { tool, input }: ToolUse,
  touched: readonly TouchedPath[],
  asked: ReadonlySet<string | undefined>,
): ReadonlySet<string> {
  const paths = new Set<string>();
  if (runsShell(tool)) {
    let room = MAX_OUTPUT_BYTES;
    for (const { path, lines } of filesShownBy({ tool, input, cwd, home: world.home })) {
      room -= sizeAt(path);
      // No other file is any of our business.
      if (room < 0 || !asked.has(placeIdentity(path))) continue;
      const count = linesAt(path, MAX_OUTPUT_BYTES);
      if (count !== undefined && count <= lines) paths.add(path);
    }
  } else {
    const isWhole = !isPartial(input);
    for (const { path, access } of touched) if (access === "write" || (isWhole && access === "read")) paths.add(path);
  }
  return paths;
}

/**
 * A command may fail, print into another one, or never come to what stands in it: once it has run, what the model was
 * given counts, and what it has written itself.
 */
function filesSaid({ input, answer }: ToolUse, files: readonly InstructionFile[]): Set<string> {
  // A longer one may have come to the model cut.
  const said = [...textsIn(answer), ...textsIn(input)].filter(({ length }) => length <= MAX_OUTPUT_BYTES);
  const isSaid = standingIn(said);
  return new Set(
    files
      .map(({ path }) => path)
      .filter((path) => {
        const text = textAt(path, MAX_OUTPUT_BYTES);
        return text !== undefined && isSaid(text);
      }),
  );
}

function isPartial(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).some((key) => PARTIAL.test(key));
}

const MAX_DEPTH = 6;

const MAX_TEXTS = 1000;

/** The texts in what a tool has answered, whatever its shape: each client, and each tool, has another. */
export function textsIn(answer: unknown): string[] {
  const texts: string[] = [];
  collect(answer, texts, 0);
  return texts;
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (depth > MAX_DEPTH || texts.length >= MAX_TEXTS) return;
  if (typeof value === "string") {
    texts.push(value);
    if (/^\s*[[{]/.test(value)) collect(unfolded(value), texts, depth + 1);
  } else if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1);
  else if (isTable(value)) for (const item of Object.values(value)) collect(item, texts, depth + 1);
}

/** Some clients give an object as its JSON. */
function unfolded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** At the beginning of each line where a program has numbered them. */
const LINE_NUMBERS = /^ *\d+[\t→:] ?/gm;

/** Whether a text stands whole in one of several, line by line, be their lines numbered or not. */
export function standingIn(wholes: readonly string[]): (text: string) => boolean {
  const lined = wholes.map((whole) => `\n${whole}\n`);
  let unnumbered: readonly string[] | undefined;
  return (text) => {
    const wanted = `\n${text.trim()}\n`;
    if (lined.some((whole) => whole.includes(wanted))) return true;
    unnumbered ??= wholes.map((whole) => `\n${whole.replace(LINE_NUMBERS, "")}\n`);
    return unnumbered.some((whole) => whole.includes(wanted));
  };
}

/** How many lines a file has; undefined where `textAt` reads none. */
export function linesAt(path: string, limit: number): number | undefined {
  const text = textAt(path, limit);
  return text === undefined ? undefined : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** How long a file is, without looking into it; 0 for none. */
export function sizeAt(path: string): number {
  return statOf(path)?.size ?? 0;
}
