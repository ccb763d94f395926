import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OFF_BY_DEFAULT, RULES } from "../../src/check/rules.ts";
import type { RuleName } from "../../src/config/rule-names.ts";

/*
 * Which findings of `check` in public repositories were faults, judged one by one by reading the repository. The record
 * holds no text of theirs.
 */

export interface Judgement {
  readonly rule: RuleName;
  /** `owner/name@commit`. */
  readonly repository: string;
  /** From its root, with the line. */
  readonly place: string;
  /** How many findings of the same kind in the same file or directory this line stands for. */
  readonly count?: number;
  /** `tuned`: the rules were changed after it was read. `held out`: they were not. */
  readonly set: "tuned" | "held out";
  /** The blind round in which it was found, by the rules of that time. */
  readonly round?: number;
  /** The rules were changed, and no longer report it. */
  readonly gone?: true;
  /** Whether its maintainers would mend it. */
  readonly verdict: "fault" | "none";
  readonly why: string;
}

export function readRecord(): Judgement[] {
  const lines = readFileSync(join(import.meta.dirname, "record.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Judgement);
}

export interface RuleFigures {
  readonly rule: RuleName;
  readonly findings: number;
  readonly faults: number;
  /** Of the faults; undefined where nothing was found. */
  readonly precision: number | undefined;
  readonly target: number;
  readonly verdict: "met" | "MISSED" | "seen nowhere" | "off by default";
}

/** Of 100 findings so many must be faults. */
const TARGETS = { error: 0.99, warning: 0.95, note: 0.95 } as const;

/** What a round found in repositories that nobody had looked at before, by the rules of that time. */
export interface RoundFigures {
  readonly round: number;
  readonly repositories: number;
  readonly findings: number;
  readonly faults: number;
}

export function figuresByRound(record: readonly Judgement[]): RoundFigures[] {
  const rounds = [...new Set(record.flatMap(({ round }) => round ?? []))].toSorted((left, right) => left - right);
  return rounds.map((round) => {
    const own = record.filter((each) => each.round === round);
    const repositories = new Set(own.map(({ repository }) => repository)).size;
    return { round, repositories, findings: sum(own), faults: sum(own.filter(({ verdict }) => verdict === "fault")) };
  });
}

/** The figures of every rule, over one set or all, for what is reported now. */
export function figuresByRule(record: readonly Judgement[]): RuleFigures[] {
  return RULES.map(({ id, severity }) => {
    const own = record.filter(({ rule, gone }) => rule === id && gone !== true);
    const findings = sum(own);
    const faults = sum(own.filter(({ verdict }) => verdict === "fault"));
    const precision = findings === 0 ? undefined : faults / findings;
    const target = TARGETS[severity];
    return { rule: id, findings, faults, precision, target, verdict: verdictOn(id, precision, target) };
  });
}

function verdictOn(rule: RuleName, precision: number | undefined, target: number): RuleFigures["verdict"] {
  if (OFF_BY_DEFAULT.has(rule)) return "off by default";
  if (precision === undefined) return "seen nowhere";
  return precision >= target ? "met" : "MISSED";
}

function sum(judgements: readonly Judgement[]): number {
  return judgements.reduce((total, { count = 1 }) => total + count, 0);
}
