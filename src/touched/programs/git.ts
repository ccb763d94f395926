import { byName } from "../../lib/table.ts";
import { hasExtension } from "../likely-path.ts";
import { changeDirectory, touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { hasAny, indexOfAny, type Access } from "../paths.ts";
import { hasOption, isNamed, splitArguments, type Option } from "./arguments.ts";

type Verb = {
  /** `mixed`: revisions, possibly with paths among them. */
  readonly operands: "paths" | "mixed" | "none";
  readonly access: Access;
  /** Options that print the contents of files. */
  readonly shows?: string;
  /** Options whose value is not a path, or a path that is read or written. */
  readonly values?: string;
  readonly reads?: string;
  readonly writes?: string;
  /** Without paths it examines the working directory. */
  readonly here?: true;
};

const LOG = "n L S G author since until before after grep format pretty date max-count skip diff-filter";

const VERBS = byName<Verb>([
  ["status, ls-files", { operands: "paths", access: "list", here: true }],
  ["add, stage", { operands: "paths", access: "list", shows: "p patch i interactive e edit v verbose" }],
  [
    "commit",
    {
      operands: "paths",
      access: "list",
      shows: "p patch i interactive e edit v verbose",
      values: "m C c t message author date cleanup template trailer fixup squash",
      reads: "F file",
    },
  ],
  ["submodule", { operands: "paths", access: "list" }],
  ["annotate, check-ignore, check-attr, am", { operands: "paths", access: "read" }],
  ["blame", { operands: "paths", access: "read", values: "L S since ignore-rev" }],
  ["apply", { operands: "paths", access: "read", values: "p C directory exclude include" }],
  ["rm, mv, clean, update-index", { operands: "paths", access: "write" }],
  ["restore", { operands: "paths", access: "write", values: "s source conflict" }],
  ["reset", { operands: "mixed", access: "write" }],
  ["checkout", { operands: "mixed", access: "write", values: "b B orphan conflict" }],
  ["stash", { operands: "mixed", access: "write", values: "m message" }],
  ["diff", { operands: "mixed", access: "read", here: true, values: "S G O diff-filter" }],
  [
    "grep",
    {
      operands: "mixed",
      access: "read",
      here: true,
      values: "e f A B C m O max-depth after-context before-context context threads",
    },
  ],
  ["log, show, shortlog", { operands: "mixed", access: "read", values: LOG }],
  ["whatchanged, rev-list, range-diff, ls-tree", { operands: "mixed", access: "read" }],
  ["diff-tree, diff-index, difftool", { operands: "mixed", access: "read" }],
  ["archive", { operands: "mixed", access: "read", values: "prefix format", writes: "o output" }],
  ["format-patch", { operands: "mixed", access: "read", writes: "o output-directory" }],
  ["cat-file, rev-parse", { operands: "none", access: "read" }],
]);

/** Touches the pathspecs of a git command, and the files inside revisions that it names (`HEAD:src/a.ts`). */
export function runGit(outer: ShellState, args: readonly Value[], isFed: boolean): void {
  const state = { ...outer };
  const at = skipGlobalOptions(state, args);
  const name = args[at]?.text ?? "";
  if (name === "clone" || name === "worktree" || name === "init") return newTree(state, args, at);
  const verb = VERBS.get(name);
  if (verb === undefined) return;
  const { values = "", reads = "", writes = "" } = verb;
  const { operands, options } = splitArguments(args, at + 1, `pathspec-from-file ${values} ${reads} ${writes}`);
  touchOptions(state, verb, options);
  const access = hasOption(options, verb.shows) ? "read" : verb.access;
  const paths = operandsBehindDashes(args, at);
  let count = paths.length;
  const leading = name === "grep" && !hasOption(options, "e f") ? 1 : 0;
  for (let index = leading; index < operands.length - paths.length; index++) {
    const operand = operands[index] as Value;
    if (touchRevisionFile(state, operand) || verb.operands === "none") continue;
    // After a `--` there are only paths.
    if (verb.operands === "mixed" && (paths.length > 0 || !isLikelyPathspec(operand, access))) continue;
    // `git blame REVISION FILE`, `git submodule update DIR`
    if (name === "blame" && index < operands.length - 1) continue;
    if (name === "submodule" && !isLikelyPathspec(operand, access)) continue;
    touchPathspec(state, operand, access);
    count++;
  }
  for (const path of paths) touchPathspec(state, path, access);
  if (verb.here === true && count === 0 && operands.length <= leading && !isFed) touchText(state, ".", "list");
}

function skipGlobalOptions(state: ShellState, args: readonly Value[]): number {
  for (let index = 1; index < args.length; index++) {
    const { text } = args[index] as Value;
    const value = args[index + 1];
    if (text === "-C") {
      if (value !== undefined) changeDirectory(state, value);
      index++;
    } else if (text === "-c" || text === "--namespace" || text === "--config-env") index++;
    else if (text === "--git-dir" || text === "--work-tree") {
      if (value !== undefined) touchValue(state, value, "list");
      index++;
    } else if (text.startsWith("--git-dir=") || text.startsWith("--work-tree=")) {
      touchText(state, text.slice(text.indexOf("=") + 1), "list");
    } else if (!text.startsWith("-")) return index;
  }
  return args.length;
}

function touchOptions(state: ShellState, { reads, writes }: Verb, options: readonly Option[]): void {
  for (const { name, value } of options) {
    if (value === undefined) continue;
    // `-L 10,20:src/a.ts`
    const colon = name === "L" ? value.text.lastIndexOf(":") : -1;
    if (colon !== -1) touchText(state, value.text.slice(colon + 1), "read");
    else if (isNamed(reads, name)) touchValue(state, value, "read");
    else if (isNamed(writes, name)) touchValue(state, value, "write");
  }
}

/** `git clone URL DIR`, `git worktree add DIR`, `git init DIR`. */
function newTree(state: ShellState, args: readonly Value[], at: number): void {
  const { operands } = splitArguments(
    args,
    at + 1,
    "b B branch depth origin o c config reference reason initial-branch",
  );
  const [first, second] = operands;
  const name = args[at]?.text;
  const tree = name === "init" ? first : name === "clone" || first?.text !== "list" ? second : undefined;
  if (tree !== undefined) touchValue(state, tree, "write");
}

function operandsBehindDashes(args: readonly Value[], at: number): readonly Value[] {
  for (let index = at + 1; index < args.length; index++) {
    const arg = args[index] as Value;
    if (arg.text === "--" && arg.rest === "") return args.slice(index + 1);
  }
  return [];
}

/** `HEAD:src/a.ts` and `:0:src/a.ts`; git counts from the top of the tree, we count from the working directory. */
function touchRevisionFile(state: ShellState, { text, rest }: Value): boolean {
  const isStage = text[0] === ":" && text[2] === ":" && "0123".includes(text[1] as string);
  const colon = isStage ? 2 : text.indexOf(":");
  if (colon < 1 || text.startsWith("./") || text.includes("://") || " /\\".includes(text[colon + 1] ?? " "))
    return false;
  touchValue(state, { text: text.slice(colon + 1), rest }, "read");
  return true;
}

/** Without its magic; an excluded path isn't touched. */
function touchPathspec(state: ShellState, { text, rest }: Value, access: Access): void {
  let path = text;
  if (text.startsWith(":(")) {
    const end = text.indexOf(")");
    if (end === -1 || text.slice(2, end).includes("exclude")) return;
    path = text.slice(end + 1);
  } else if (text.startsWith(":")) {
    if (text[1] === "!" || text[1] === "^") return;
    path = text.startsWith(":/") ? text.slice(2) : text.slice(1);
  }
  if (path === "") path = ".";
  // Quoting protects a pattern from the shell, and git reads it.
  const star = rest === "" ? indexOfAny(path, "*?") : -1;
  touchValue(state, star === -1 ? { text: path, rest } : { text: path.slice(0, star), rest: "pattern" }, access);
}

/** Common beginnings of the names of branches and remotes. */
const REFERENCE_ROOTS = "origin upstream refs remotes heads tags feature feat fix bugfix hotfix release chore";
/** Revisions that are never directories. */
const REVISIONS = "HEAD FETCH_HEAD ORIG_HEAD MERGE_HEAD main master develop dev trunk";

/** Whether an operand that may be a revision is more likely a path. For a write, it must look like a file. */
function isLikelyPathspec({ text, rest }: Value, access: Access): boolean {
  if (text === "." || text.startsWith("./") || text.startsWith("../") || text.startsWith("/")) return true;
  if (text.startsWith(":")) return access !== "write" || text.length > 1;
  if (text.includes("..") || hasAny(text, " \t\n^~@:")) return false;
  if (rest === "pattern" || hasExtension(text)) return true;
  if (access === "write") return text.endsWith("/");
  const slash = text.indexOf("/");
  if (slash > 0) return !isNamed(REFERENCE_ROOTS, text.slice(0, slash));
  // A single name may be a branch; treating it as a directory that is read does no harm.
  return access === "read" && !isNamed(REVISIONS, text) && !isHash(text);
}

function isHash(text: string): boolean {
  return /^[\da-f]{7,}$/.test(text);
}
