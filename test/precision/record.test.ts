import { expect, test } from "bun:test";
import { RULES } from "../../src/check/rules.ts";
import { RULE_NAMES } from "../../src/config/rule-names.ts";
import { figuresByRule, readRecord, type Judgement } from "./table.ts";

const KEYS = new Set(["rule", "repository", "place", "count", "set", "round", "gone", "verdict", "why"]);

test("each line of the record is a judgement of one finding, and none is there twice", () => {
  const record = readRecord();
  const wrong = record.filter(
    (each) =>
      !RULE_NAMES.includes(each.rule) ||
      !/^[\w.-]+\/[\w.-]+@[0-9a-f]{12}$/.test(each.repository) ||
      !/^[^\s/][^\n]*:\d+$/.test(each.place) ||
      !["tuned", "held out"].includes(each.set) ||
      !["fault", "none"].includes(each.verdict) ||
      (each.count !== undefined && !(Number.isInteger(each.count) && each.count > 1)) ||
      !(each.round === undefined || Number.isInteger(each.round)) ||
      !(each.gone === undefined || each.gone) ||
      each.why.length < 10 ||
      each.why.length > 160 ||
      Object.keys(each).some((key) => !KEYS.has(key)),
  );
  expect(wrong).toEqual([]);
  const keys = record.map(({ rule, repository, place, why, gone }) => `${rule} ${repository} ${place} ${why} ${gone}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test("a held-out repository was not tuned on", () => {
  const of = (wanted: Judgement["set"]) =>
    readRecord().flatMap(({ set, repository }) => (set === wanted ? repository : []));
  const tuned = new Set(of("tuned"));
  expect(of("held out").filter((repository) => tuned.has(repository))).toEqual([]);
});

test("each rule that is on by default meets its target, or was seen nowhere", () => {
  const figures = figuresByRule(readRecord());
  expect(figures.map(({ rule }) => rule)).toEqual(RULES.map(({ id }) => id));
  expect(figures.filter(({ verdict }) => verdict === "MISSED")).toEqual([]);
});

test("a rule below its target is missed", () => {
  const judged = (verdict: Judgement["verdict"], count: number): Judgement => {
    return { rule: "skill-name", repository: "a/b@012345678901", place: "a:1", set: "tuned", verdict, why: "", count };
  };
  const verdictOf = (...judgements: Judgement[]) =>
    figuresByRule(judgements).find(({ rule }) => rule === "skill-name")?.verdict;
  expect([
    verdictOf(),
    verdictOf(judged("fault", 99), judged("none", 1)),
    verdictOf(judged("fault", 98), judged("none", 2)),
  ]).toEqual(["seen nowhere", "met", "MISSED"]);
});
