/**
 * A ```console block of a manual: a session that the tests play. Comments directly above it say where and how:
 *
 *     <!-- tree: NAME -->     the working directory begins as a copy of test/fixtures/trees/NAME
 *     <!-- cwd: repo -->      the working directory is a copy of this repository
 *     <!-- work: PATH -->     the working directory, shown as PATH below '/home/me'; default '/home/me/project'
 *     <!-- continues: TEXT -->  it goes on where the block above it ended
 *     <!-- exits: 0 1 -->     the exit codes of its commands, where one isn't 0
 *     <!-- varies: TEXT -->   TEXT in the output is an example of what differs from run to run; may be repeated
 *     <!-- skip: REASON -->   it can't be played in a test
 *
 * It shows what a terminal shows: standard output and standard error alike. '…' stands for what is left out.
 */
export interface ConsoleBlock {
  readonly file: string;
  /** Where its first line stands, counted from 1. */
  readonly line: number;
  readonly lines: readonly string[];
  readonly tree?: string;
  readonly cwd?: string;
  readonly work?: string;
  readonly continues?: string;
  readonly exits?: string;
  readonly varies?: readonly string[];
  readonly skip?: string;
}

interface Fence {
  readonly indent: number;
  readonly mark: string;
  readonly language: string;
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/;
const COMMENT = /^\s*<!--\s*(.*?)\s*-->\s*$/;
const DIRECTIVE = /^(tree|cwd|work|continues|exits|varies|skip)\s*(?::\s*(.*))?$/;
/** What only scenarios of the tests may contain, because it would confuse a reader of the manual. */
const MARK_OF_TESTS = /^2>( |$)|^\[exit \d+\]$|\{(any|mtime|WORK)\}/;
const SHELL_LANGUAGES: ReadonlySet<string> = new Set([
  "",
  "sh",
  "bash",
  "shell",
  "zsh",
  "shell-session",
  "shellsession",
]);

/** @error a block that is not closed, a directive that says nothing, a session in a block that is not `console` */
export function consoleBlocks(markdown: string, file: string): ConsoleBlock[] {
  const lines = markdown.split("\n");
  const blocks: ConsoleBlock[] = [];
  for (let index = 0; index < lines.length; index++) {
    const fence = fenceAt(lines[index]);
    if (fence === undefined) continue;
    const where = `${file}:${index + 1}`;
    const end = lines.findIndex((line, at) => at > index && closes(fence, line));
    if (end < 0) throw new Error(`${where}: a block that is not closed`);
    const body = lines.slice(index + 1, end).map((line) => withoutIndent(line, fence.indent));
    const isSession = body.some((line) => line.startsWith("$ "));
    if (fence.language === "console") {
      if (!isSession) throw new Error(`${where}: a console block without a command ('$ …')`);
      const mark = body.findIndex((line) => MARK_OF_TESTS.test(line));
      if (mark >= 0) {
        throw new Error(`${file}:${index + 2 + mark}: show what a terminal shows; see test/support/console-blocks.ts`);
      }
      const block = { file, line: index + 2, lines: body, ...directivesAbove(lines, index, where) };
      const before = block.continues === undefined ? undefined : blocks.pop();
      blocks.push(before === undefined ? block : joined(before, block));
    } else if (isSession && SHELL_LANGUAGES.has(fence.language)) {
      throw new Error(`${where}: a session must be a console block, so that it is played`);
    }
    index = end;
  }
  return blocks;
}

/** Both as one session. */
function joined(first: ConsoleBlock, second: ConsoleBlock): ConsoleBlock {
  const commands = first.lines.filter((line) => line.startsWith("$ ")).length;
  const codes = (first.exits ?? "").split(" ").filter(Boolean);
  const padded = [...codes, ...Array.from({ length: commands - codes.length }, () => "0")];
  return {
    ...first,
    lines: [...first.lines, ...second.lines],
    exits: [...padded, second.exits ?? ""].join(" ").trim(),
    varies: [...(first.varies ?? []), ...(second.varies ?? [])],
  };
}

function fenceAt(line: string | undefined): Fence | undefined {
  const [, indent = "", mark, language = ""] = FENCE.exec(line ?? "") ?? [];
  return mark === undefined ? undefined : { indent: indent.length, mark, language: language.toLowerCase() };
}

function closes({ mark }: Fence, line: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

function withoutIndent(line: string, indent: number): string {
  return line.slice(0, indent).trim() === "" ? line.slice(indent) : line;
}

type Directives = Partial<Omit<ConsoleBlock, "file" | "line" | "lines">>;

function directivesAbove(lines: readonly string[], fenceAtLine: number, where: string): Directives {
  const directives: Record<string, string> = {};
  const varies: string[] = [];
  for (let index = fenceAtLine - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    const comment = COMMENT.exec(line)?.[1];
    if (comment === undefined && line.trim() !== "") break;
    const [, name, value] = DIRECTIVE.exec(comment ?? "") ?? [];
    if (name === undefined) continue;
    if (value === undefined || value === "") throw new Error(`${where}: '${name}' says nothing`);
    if (name === "cwd" && value !== "repo") throw new Error(`${where}: cwd can be 'repo', not '${value}'`);
    if (name === "varies") varies.push(value);
    else directives[name] = value;
  }
  return varies.length === 0 ? directives : { ...directives, varies };
}
