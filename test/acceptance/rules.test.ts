import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OFF_BY_DEFAULT, RULES } from "../../src/check/rules.ts";
import { parseRulePage, type Example } from "../support/rule-examples.ts";
import { REPOSITORY, runCodelia, type RunResult } from "../support/run-codelia.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

// Every rule has a page, and its examples are true.

const DIRECTORY = join(REPOSITORY, "docs/rules");

test("the pages are those of the rules", () => {
  expect(readdirSync(DIRECTORY).toSorted()).toEqual(RULES.map(({ id }) => `${id}.md`).toSorted());
});

test("the table of docs/checking.md is that of the rules", () => {
  const manual = readFileSync(join(REPOSITORY, "docs/checking.md"), "utf8");
  const rows = [...manual.matchAll(/^\| \[([a-z-]+)\]\(rules\/([a-z-]+)\.md\) +\| (\w+) +\| (.+?) +\|$/gm)];
  expect(rows.map(([, id, page, severity, summary]) => [id, page, severity, summary])).toEqual(
    RULES.map(({ id, severity, summary }) => [id, id, severity, summary]),
  );
});

/** The flags with which a rule is checked. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  "instructions-shadowed": ["--as", "claude"],
  "instructions-left-out": ["--as", "raw,codex"],
  "instructions-cut": ["--as", "raw,codex"],
  "check-limit": ["--as", "raw"],
  "baseline-stale": ["--baseline", "baseline.json"],
};

const CALLS = RULES.flatMap((rule) => {
  const call = { ...rule, words: ["check", ...(FLAGS[rule.id] ?? [])] };
  // `skills check` calls it skill-name or skill-name-directory.
  const isOfSkills = rule.id.startsWith("skill-") && rule.id !== "skill-name-variant";
  return isOfSkills ? [call, { ...rule, words: ["skills", "check"] }] : [call];
});

for (const call of CALLS) {
  const { id, severity, summary, page, words } = call;
  describe(`${id}, by ${words.join(" ")}`, () => {
    const parsed = parseRulePage(readFileSync(join(REPOSITORY, page), "utf8"));

    test("its page says what it is", () => {
      const article = severity === "error" ? "An" : "A";
      expect([parsed.title, parsed.summary]).toEqual([id, `${summary}. ${article} ${severity}.`]);
    });

    test("the bad example breaks it, and nothing else", () => {
      const { stdout, exitCode } = check(call, parsed.bad);
      const { findings } = JSON.parse(stdout) as { findings: { rule: string; severity: string }[] };
      expect(new Set(findings.map((finding) => finding.rule))).toEqual(new Set([id]));
      expect(new Set(findings.map((finding) => finding.severity))).toEqual(new Set([severity]));
      expect(exitCode).toBe(1);
    });

    test("the good example is clean", () => {
      const { stdout, stderr, exitCode } = check(call, parsed.good);
      expect({ findings: JSON.parse(stdout).findings, stderr, exitCode }).toEqual({
        findings: [],
        stderr: "",
        exitCode: 0,
      });
      expect(JSON.parse(stdout).checked).toBeGreaterThan(0);
    });
  });
}

function check({ id, severity, words }: (typeof CALLS)[number], example: Example): RunResult {
  const project = Object.fromEntries(Object.entries(example).map(([path, entry]) => [`repo/${path}`, entry]));
  const isOff = OFF_BY_DEFAULT.has(id) && words[0] === "check";
  const home = isOff ? { "home/.config/codelia/config.yaml": `check: { rules: { ${id}: ${severity} } }\n` } : {};
  using tree = tempTree({ "home/": dir, "repo/.git/": dir, ...home, ...project });
  const args = [...words, "--json", "--fail-on", "note"];
  return runCodelia(args, { cwd: tree.path("repo"), home: tree.path("home") });
}
