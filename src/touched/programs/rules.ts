import { looksLikePath } from "../likely-path.ts";
import { touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import type { Access } from "../touched.ts";
import { hasOption, isNamed, splitArguments } from "./arguments.ts";

/** How a program's arguments name paths. Options are written as `splitArguments()` has them. */
export type Rule = {
  /** Of its operands; `likely`: of those that look like one. */
  readonly operands: Access | "likely" | "none";
  /** What the last of several operands is for: `cp a b`. */
  readonly last?: Access;
  /** Operands before the first path: a pattern, a mode. */
  readonly leading?: number;
  /** What the operand before the first path says where there is one: `vitest run a.ts` and `vitest a.ts`. */
  readonly verbs?: string;
  /** Options that say what the leading operand otherwise does: `grep -e`. */
  readonly unless?: string;
  /** Options with a value that is no path, one that is read, written, or looked into. */
  readonly values?: string;
  readonly reads?: string;
  readonly writes?: string;
  readonly lists?: string;
  /** Options that turn reading into writing: `sed -i`. */
  readonly inPlace?: string;
  /** Without operands it looks at the directory it runs in: always, or under one of these options. */
  readonly here?: true | string;
  /** `-name` is one option. */
  readonly hasLongDash?: true;
  /** What stands behind it in an operand is no part of the path: `a.py::test`. */
  readonly endsAt?: string;
};

/** All paths of a command whose program has a rule. `isFed`: it gets more operands, from `xargs`. */
export function touchByRule(state: ShellState, args: readonly Value[], rule: Rule, isFed: boolean): void {
  const { reads, writes, lists, leading = 0 } = rule;
  const withValue = `${rule.values ?? ""} ${reads ?? ""} ${writes ?? ""} ${lists ?? ""}`;
  const { operands, options } = splitArguments(args, 1, withValue, rule.hasLongDash);
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (isNamed(reads, name)) touchValue(state, value, "read");
    else if (isNamed(writes, name)) touchValue(state, value, "write");
    else if (isNamed(lists, name)) touchValue(state, value, "list");
    else if (rule.operands !== "none" && !isNamed(rule.values, name) && looksLikePath(value))
      touchValue(state, value, "read");
  }
  if (rule.operands === "none") return;
  const isInPlace = hasOption(options, rule.inPlace);
  // `sed -i '' s/a/b/ file` of the BSDs.
  if (isInPlace && operands[0]?.text === "" && operands[0].rest === "") operands.shift();
  const hasVerb = isNamed(rule.verbs, operands[0]?.text ?? "");
  const start = hasVerb ? 1 : hasOption(options, rule.unless) ? 0 : leading;
  const isLikely = rule.operands === "likely";
  const access = isInPlace ? "write" : rule.operands === "likely" ? "read" : rule.operands;
  // `cp -t target file` has said so already.
  const hasLast = rule.last !== undefined && operands.length > start + 1 && !hasOption(options, writes);
  for (let index = start; index < operands.length; index++) {
    const operand = cut(operands[index] as Value, rule.endsAt);
    // `vim +10 file`
    if (
      (isLikely && !looksLikePath(operand)) ||
      (operand.text[0] === "+" && "0123456789G".includes(operand.text[1] ?? "-"))
    )
      continue;
    touchValue(state, operand, hasLast && index === operands.length - 1 ? (rule.last ?? access) : access);
  }
  if (rule.here === undefined || isFed || operands.length > start) return;
  if (rule.here === true || hasOption(options, rule.here)) touchText(state, ".", "list");
}

function cut(value: Value, end: string | undefined): Value {
  const index = end === undefined ? -1 : value.text.indexOf(end);
  return index === -1 ? value : { text: value.text.slice(0, index), rest: "" };
}

/** The rule of a program by its name; undefined for one that we don't know or that has a file of its own. */
export function ruleOf(program: string): Rule | undefined {
  switch (program) {
    case "cat":
    case "tac":
    case "rev":
    case "nl":
    case "file":
    case "less":
    case "more":
    case "view":
    case "cmp":
    case "comm":
    case "paste":
    case "join":
    case "uniq":
    case "realpath":
    case "readlink":
    case "source":
    case ".":
    case "nm":
    case "ldd":
    case "open":
    case "xdg-open":
      return { operands: "read" };
    case "head":
    case "tail":
      return { operands: "read", values: "n c lines bytes s pid" };
    // What a file is like, and nothing of its text.
    case "wc":
    case "md5sum":
    case "md5":
    case "sha1sum":
    case "sha224sum":
    case "sha256sum":
    case "sha384sum":
    case "sha512sum":
    case "b2sum":
    case "cksum":
      return { operands: "list", reads: "files0-from" };
    case "shasum":
      return { operands: "list", values: "a algorithm" };
    case "stat":
      return { operands: "list", values: "c f format printf" };
    case "diff":
    case "colordiff":
      return { operands: "read", values: "U C I x X exclude label W ignore-matching-lines" };
    case "cut":
    case "column":
    case "fold":
    case "expand":
    case "fmt":
      return { operands: "read", values: "d f c b t w delimiter fields output-delimiter width" };
    case "sort":
      return { operands: "read", values: "k t S T key field-separator", writes: "o output" };
    case "strings":
    case "od":
    case "xxd":
    case "hexdump":
      return { operands: "read", values: "a n l s c g A t j N w C e" };
    case "bat":
    case "batcat":
      return {
        operands: "read",
        values: "l r H language line-range theme style highlight-line paging color decorations",
      };
    case "jq":
    case "gojq":
      return { operands: "read", leading: 1, unless: "f from-file", values: "indent L", reads: "f from-file" };
    case "yq":
      return { operands: "read", leading: 1, unless: "from-file", values: "o p I output-format", inPlace: "i inplace" };
    case "awk":
    case "gawk":
    case "mawk":
      return { operands: "read", leading: 1, unless: "f file", values: "F v assign field-separator", reads: "f file" };
    case "sed":
    case "gsed":
      return {
        operands: "read",
        leading: 1,
        unless: "e f expression file",
        values: "e l expression line-length",
        reads: "f file",
        inPlace: "i in-place",
      };
    case "grep":
    case "egrep":
    case "fgrep":
    case "zgrep":
      return {
        operands: "read",
        leading: 1,
        unless: "e f regexp file",
        values:
          "e A B C m d D regexp after-context before-context context max-count include exclude exclude-dir label binary-files",
        reads: "f file exclude-from",
        here: "r R recursive",
      };
    case "rg":
    case "ripgrep":
      return {
        operands: "read",
        leading: 1,
        unless: "e f regexp file files type-list",
        values:
          "e g t T A B C m M j E d r regexp glob iglob type type-not after-context before-context context max-count max-columns threads encoding max-depth replace sort sortr color colors max-filesize engine type-add",
        reads: "f file ignore-file",
        here: true,
      };
    case "ag":
    case "ack":
      return { operands: "read", leading: 1, values: "A B C G g m p ignore ignore-dir depth type", here: true };
    case "ls":
    case "dir":
    case "vdir":
      return { operands: "list", values: "I w ignore hide sort time block-size", here: true };
    case "exa":
    case "eza":
    case "lsd":
      return { operands: "list", values: "I L s ignore-glob level sort", here: true };
    case "tree":
      return { operands: "list", values: "L I P o filelimit charset gitfile", here: true };
    case "du":
      return { operands: "list", values: "d B t X max-depth exclude threshold block-size", here: true };
    case "fd":
    case "fdfind":
      return {
        operands: "list",
        leading: 1,
        values:
          "e t d E x X c j S o extension type max-depth min-depth exact-depth exclude exec exec-batch color threads size changed-within changed-before owner max-results",
        lists: "base-directory search-path",
        here: true,
      };
    case "touch":
      return { operands: "write", values: "d t date time", reads: "r reference" };
    case "mkdir":
    case "mkfifo":
      return { operands: "write", values: "m mode" };
    case "rmdir":
    case "rm":
    case "unlink":
    case "trash":
    case "shred":
    case "tee":
    case "sponge":
    case "vim":
    case "vi":
    case "nvim":
    case "nano":
    case "emacs":
    case "gzip":
    case "gunzip":
    case "xz":
    case "unxz":
    case "bzip2":
    case "zstd":
    case "dos2unix":
    case "unix2dos":
      return { operands: "write" };
    case "code":
    case "cursor":
    case "subl":
      return { operands: "write", values: "profile install-extension extensions-dir user-data-dir", endsAt: ":" };
    case "mv":
      return { operands: "write", values: "S suffix", writes: "t target-directory" };
    case "cp":
    case "ln":
      return { operands: "read", last: "write", values: "S suffix", writes: "t target-directory" };
    case "install":
      return {
        operands: "read",
        last: "write",
        values: "m o g S mode owner group suffix",
        writes: "t target-directory",
        inPlace: "d directory",
      };
    case "rsync":
    case "scp":
      return { operands: "likely", last: "write", values: "e f i P F o exclude include filter rsh port" };
    case "truncate":
    case "split":
      return { operands: "write", values: "s r l b n a size lines bytes" };
    case "chmod":
    case "chown":
    case "chgrp":
      return { operands: "write", leading: 1, unless: "reference r w x X", reads: "reference" };
    default:
      return undefined;
  }
}
