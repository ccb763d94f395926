import { equal } from "node:assert/strict";
import { isIgnored, readIgnoreRules, type IgnoreRules } from "../../../src/lib/ignore.ts";
import type { FuzzTarget } from "../lib/target.ts";

const NAMES = ["a", "aaaaaaaaaaaaaaaaaaaaaaaab", "["];
const DIRECTORIES = ["/r", `/r/${"a/".repeat(20)}b`];

function judge(rules: IgnoreRules): boolean[] {
  return DIRECTORIES.flatMap((directory) => NAMES.map((name) => isIgnored(rules, directory, name, false)));
}

function rulesOf(text: string): IgnoreRules {
  return readIgnoreRules("/r", text, undefined);
}

/** An ignore file of a clone's. */
export const target: FuzzTarget = {
  read: (input) => judge(rulesOf(input)),
  check(input) {
    const rules = rulesOf(input);
    judge(rules);
    if (rules.limit !== undefined) return;
    equal(judge(rulesOf(`${input}\n*`)).includes(false), false, "the last rule does not count");
    equal(judge(rulesOf(`${input}\n!*`)).includes(true), false, "the last rule, which takes back, does not count");
  },
  words: ["*", "**/", "/**", "!", "#", "a/", "[a-z]", "[[:alpha:]]", "\\ ", "?", "*.ts"],
  parts: ["*", "**/", "a", "/", "!", "[", "]", "[:", "?", "\\", " ", "a\n", "n№\n", "*.№\n"],
  growth: [16_384, 65_536],
}; // prettier-ignore
