import { byName } from "../../lib/table.ts";
import { hasAny } from "../paths.ts";
import { changeDirectory, exactly, touchValue, type ShellState, type Value, touchText } from "../shell/state.ts";
import { isNamed, splitArguments, type Rule } from "./arguments.ts";

/** Programs that read, write and list files. Those with a grammar of their own have a file of their own. */
export const FILE_PROGRAMS: ReadonlyMap<string, Rule> = byName<Rule>([
  // Reading
  ["cat, tac, rev, nl, less, more, view, open, xdg-open", { operands: "read" }],
  ["file, cmp, comm, paste, join, uniq, realpath, readlink, source, ., nm, ldd", { operands: "read" }],
  ["head, tail", { operands: "read", values: "n c lines bytes s pid" }],
  ["diff, colordiff", { operands: "read", values: "U C I x X exclude label W ignore-matching-lines" }],
  [
    "cut, column, fold, expand, fmt",
    { operands: "read", values: "d f c b t w delimiter fields output-delimiter width" },
  ],
  ["sort", { operands: "read", values: "k t S T key field-separator", writes: "o output" }],
  ["strings, od, xxd, hexdump", { operands: "read", values: "a n l s c g A t j N w C e" }],
  [
    "bat, batcat",
    { operands: "read", values: "l r H language line-range theme style highlight-line paging color decorations" },
  ],
  ["jq, gojq", { operands: "read", leading: 1, unless: "f from-file", values: "indent L", reads: "f from-file" }],
  ["yq", { operands: "read", leading: 1, unless: "from-file", values: "o p I output-format", inPlace: "i inplace" }],
  [
    "awk, gawk, mawk",
    { operands: "read", leading: 1, unless: "f file", values: "F v assign field-separator", reads: "f file" },
  ],
  [
    "sed, gsed",
    {
      operands: "read",
      leading: 1,
      unless: "e f expression file",
      values: "e l expression line-length",
      reads: "f file",
      inPlace: "i in-place",
    },
  ],
  [
    "grep, egrep, fgrep, zgrep",
    {
      operands: "read",
      leading: 1,
      unless: "e f regexp file",
      values:
        "e A B C m d D regexp after-context before-context context max-count include exclude exclude-dir label binary-files",
      reads: "f file exclude-from",
      here: "r R recursive",
    },
  ],
  [
    "rg, ripgrep",
    {
      operands: "read",
      leading: 1,
      unless: "e f regexp file files type-list",
      values:
        "e g t T A B C m M j E d r regexp glob iglob type type-not after-context before-context context max-count max-columns threads encoding max-depth replace sort sortr color colors max-filesize engine type-add",
      reads: "f file ignore-file",
      here: true,
    },
  ],
  ["ag, ack", { operands: "read", leading: 1, values: "A B C G g m p ignore ignore-dir depth type", here: true }],
  // Listing: names, sizes and checksums, but no text.
  [
    "wc, md5sum, md5, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum",
    { operands: "list", reads: "files0-from" },
  ],
  ["shasum", { operands: "list", values: "a algorithm" }],
  ["stat", { operands: "list", values: "c f format printf" }],
  ["ls, dir, vdir", { operands: "list", values: "I w ignore hide sort time block-size", here: true }],
  ["exa, eza, lsd", { operands: "list", values: "I L s ignore-glob level sort", here: true }],
  ["tree", { operands: "list", values: "L I P o filelimit charset gitfile", here: true }],
  ["du", { operands: "list", values: "d B t X max-depth exclude threshold block-size", here: true }],
  [
    "fd, fdfind",
    {
      operands: "list",
      leading: 1,
      values:
        "e t d E x X c j S o extension type max-depth min-depth exact-depth exclude exec exec-batch color threads size changed-within changed-before owner max-results",
      lists: "base-directory search-path",
      here: true,
    },
  ],
  // Writing
  ["rm, rmdir, unlink, trash, shred, tee, sponge", { operands: "write" }],
  ["vim, vi, nvim, nano, emacs", { operands: "write" }],
  ["gzip, gunzip, xz, unxz, bzip2, zstd, dos2unix, unix2dos", { operands: "write" }],
  ["touch", { operands: "write", values: "d t date time", reads: "r reference" }],
  ["mkdir, mkfifo", { operands: "write", values: "m mode" }],
  ["truncate, split", { operands: "write", values: "s r l b n a size lines bytes" }],
  ["chmod, chown, chgrp", { operands: "write", leading: 1, unless: "reference r w x X", reads: "reference" }],
  [
    "code, cursor, subl",
    { operands: "write", values: "profile install-extension extensions-dir user-data-dir", endsAt: ":" },
  ],
  ["mv", { operands: "write", values: "S suffix", writes: "t target-directory" }],
  ["cp, ln", { operands: "read", last: "write", values: "S suffix", writes: "t target-directory" }],
  [
    "install",
    {
      operands: "read",
      last: "write",
      values: "m o g S mode owner group suffix",
      writes: "t target-directory",
      inPlace: "d directory",
    },
  ],
  ["rsync, scp", { operands: "likely", last: "write", values: "e f i P F o exclude include filter rsh port" }],
]);

/**
 * Touches the archive and the files packed into it, or the directory it is unpacked into. Names inside an archive are
 * not paths.
 */
export function runTar(outer: ShellState, args: readonly Value[]): void {
  const state = { ...outer };
  const first = args[1];
  // `tar czf` is `tar -czf`.
  const isBare = first !== undefined && first.rest === "" && !hasAny(first.text, "-./=");
  const all = isBare ? [exactly("tar"), exactly(`-${first.text}`), ...args.slice(2)] : args;
  const { operands, options } = splitArguments(all, 1, "f C T X file directory exclude strip-components transform");
  const has = (names: string) => options.some(({ name }) => isNamed(names, name));
  const isMaking = has("c r u create append update");
  const isTakingOut = has("x extract get");
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (isNamed("f file", name)) touchValue(outer, value, isMaking ? "write" : "read");
    else if (isNamed("C directory", name)) {
      if (isTakingOut) touchValue(state, value, "write");
      changeDirectory(state, value);
    } else if (isNamed("T", name)) touchValue(outer, value, "read");
  }
  if (isMaking) for (const operand of operands) touchValue(state, operand, "read");
}

export function runZip(state: ShellState, args: readonly Value[]): void {
  const { operands } = splitArguments(args, 1, "x i b n");
  for (const [index, operand] of operands.entries()) touchValue(state, operand, index === 0 ? "write" : "read");
}

export function runUnzip(state: ShellState, args: readonly Value[]): void {
  const { operands, options } = splitArguments(args, 1, "d x P");
  if (operands[0] !== undefined) touchValue(state, operands[0], "read");
  for (const { name, value } of options) if (name === "d" && value !== undefined) touchValue(state, value, "write");
}

const MAX_COMMANDS = 16;
/** How many roots a `{}` stands for at most. */
const MAX_ROOTS = 64;

/**
 * Touches the roots of a `find`, and returns the commands that it runs on its results, which may be anything below a
 * root.
 */
export function runFind(state: ShellState, args: readonly Value[]): Value[][] {
  let start = 1;
  while (isLeadingOption(args[start])) start += args[start]?.text === "-D" ? 2 : 1;
  const isExpression = ({ text }: Value) => text.startsWith("-") || text === "(" || text === "!";
  const rest = args.slice(start);
  const end = rest.findIndex(isExpression);
  const roots = end === -1 ? rest : rest.slice(0, end);
  const expressions = end === -1 ? [] : rest.slice(end);
  const access = expressions.some(({ text }) => text === "-delete") ? "write" : "list";
  for (const root of roots) touchValue(state, root, access);
  if (roots.length === 0) touchText(state, ".", access);
  touchFiles(state, expressions);
  return commandsIn(expressions, roots);
}

function isLeadingOption(arg: Value | undefined): boolean {
  const text = arg?.text ?? "";
  return isNamed("-L -H -P -D", text) || text.startsWith("-O");
}

function touchFiles(state: ShellState, expressions: readonly Value[]): void {
  for (const [index, { text }] of expressions.entries()) {
    const file = expressions[index + 1];
    if (file === undefined) return;
    if (isNamed("-newer -anewer -samefile", text)) touchValue(state, file, "read");
    else if (isNamed("-fprint -fprintf -fls", text)) touchValue(state, file, "write");
  }
}

function commandsIn(expressions: readonly Value[], roots: readonly Value[]): Value[][] {
  const commands: Value[][] = [];
  const found = roots.slice(0, MAX_ROOTS).map(anyBelow);
  for (let index = 0; index < expressions.length && commands.length < MAX_COMMANDS; index++) {
    if (!isNamed("-exec -execdir -ok -okdir", expressions[index]?.text ?? "")) continue;
    const command: Value[] = [];
    for (index++; index < expressions.length; index++) {
      const arg = expressions[index] as Value;
      if (arg.text === ";" || arg.text === "+") break;
      if (arg.text === "{}") command.push(...found);
      else command.push(arg);
    }
    if (command.length > 0) commands.push(command);
  }
  return commands;
}

function anyBelow({ text, rest }: Value): Value {
  return { text: rest === "" && !text.endsWith("/") ? `${text}/` : text, rest: "pattern" };
}
