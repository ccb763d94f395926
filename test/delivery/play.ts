import { join, posix } from "node:path";
import { runCodelia, startCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

/** The instruction files of a repository: path → bytes. */
export type Shape = Readonly<Record<string, number>>;

export const CHANNELS = ["claude", "codex", "init-context"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What reached a model, of the bytes that apply where its session began. */
export interface Delivered {
  readonly applying: number;
  readonly delivered: number;
  readonly isNearestWhole: boolean;
  /** Files of which nothing came, and that are not named either. */
  readonly unnamed: number;
  readonly twice: number;
  /** The longest text that one hook gave. */
  readonly longest: number;
}

const PARTS = 16;

/** A repository of that shape, its texts made up: no line stands in it twice. */
export function makeRepository(shape: Shape): TempTree {
  const texts = Object.entries(shape).map(([path, bytes]): [string, Entry] => [`repo/${path}`, makeText(path, bytes)]);
  // With a CLAUDE.md, Claude Code loads no AGENTS.md by itself.
  return tempTree({ "home/": dir, "repo/.git/": dir, "repo/CLAUDE.md": "Be brief.\n", ...Object.fromEntries(texts) });
}

export function makeText(path: string, bytes: number): string {
  const lines = [`# ${path}\n`];
  let size = lines[0]?.length ?? 0;
  for (let line = 1; size < bytes; line++) {
    const heading = line % 14 === 0 ? `\n## Section ${line} of ${path}\n\n` : "";
    const next = `${heading}- Rule ${line} of ${path}: ${"do it as it is done here, ".repeat(1 + ((line * 5) % 6))}always.\n`;
    lines.push(next);
    size += next.length;
  }
  return lines.join("").slice(0, bytes);
}

/** Plays a session that begins in the directory of each file, over a channel, to the end of its first prompt. */
export async function deliver(tree: TempTree, shape: Shape, channel: Channel, file: string): Promise<Delivered> {
  const cwd = tree.path("repo", posix.dirname(file));
  const chain = Object.keys(shape).filter((path) => isAbove(posix.dirname(path), posix.dirname(file)));
  const { own, client } = await textsOf(tree, channel, cwd, `s-${channel}-${file}`);
  const all = [client, ...own].join("\n");
  let [applying, delivered, twice, unnamed] = [0, 0, 0, 0];
  let isNearestWhole = true;
  for (const path of chain) {
    const lines = tree
      .read(`repo/${path}`)
      .split("\n")
      .filter((line) => line.startsWith("- Rule "));
    const missing = lines.filter((line) => !all.includes(line));
    for (const line of lines) twice += (all.split(`${line}\n`).length - 2 > 0 ? 1 : 0) * line.length;
    const size = lines.reduce((sum, line) => sum + line.length, 0);
    applying += size;
    delivered += size - missing.reduce((sum, line) => sum + line.length, 0);
    if (path === file && missing.length > 0) isNearestWhole = false;
    if (lines.length > 0 && missing.length === lines.length && !all.includes(tree.path("repo", path))) unnamed++;
  }
  const longest = channel === "claude" ? Math.max(0, ...own.map((text) => text.length)) : 0;
  return { applying, delivered, isNearestWhole, unnamed, twice, longest };
}

function isAbove(directory: string, other: string): boolean {
  return directory === "." || other === directory || other.startsWith(`${directory}/`);
}

/** What codelia gives, hook by hook, and what the client gives by itself. */
async function textsOf(
  tree: TempTree,
  channel: Channel,
  cwd: string,
  session: string,
): Promise<{ own: string[]; client: string }> {
  const home = tree.path("home");
  if (channel === "init-context") return { own: [runCodelia(["init-context"], { cwd, home }).stdout], client: "" };
  const hook = async (fields: object, ...part: string[]): Promise<string> => {
    const stdin = JSON.stringify({ session_id: session, cwd, transcript_path: null, ...fields });
    const { stdout } = await startCodelia(["hook", channel, ...part], { cwd, home, stdin });
    return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  };
  const start = { hook_event_name: "SessionStart", source: "startup" };
  const parts = Array.from({ length: PARTS }, (_, index) => `${index + 1}/${PARTS}`);
  const begun = await Promise.all((channel === "codex" ? ["whole"] : parts).map((part) => hook(start, "--part", part)));
  const prompt = await hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." });
  const own = [...begun, prompt].filter((text) => text !== "");
  const client = channel === "codex" ? runCodelia(["init-context", "--as", "codex"], { cwd, home }).stdout : "";
  return { own, client };
}

export function pathOf(name: string): string {
  return join(import.meta.dirname, name);
}
