import { looksLikePath } from "../looks-like-path.ts";
import { hasOption, isNamed, splitArguments } from "./arguments.ts";
import { touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import type { Access } from "../touched.ts";

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
