import { expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { testEnvironment } from "../../.tools/lib/test-run.mjs";
import { REPOSITORY } from "../support/run-codelia.ts";
import { findExpressions, type Expression } from "./lib/find-expressions.ts";
import { judgeExpression, rememberedVerdicts } from "./lib/judge.ts";
import { LISTED, type ListedExpression } from "./listed.ts";

setDefaultTimeout(300_000);

// Every regular expression of the program takes time in proportion to its input, which recheck proves; or it stands in the
// list, with what bounds its input.

const shown = ({ file, source, flags }: Expression) => `${file}: /${source}/${flags}`;

test.each([
  ["^(?:a+)+$", "", false],
  ["a+$", "", false],
  ["\\s*\\n\\s*b", "g", false],
  ["^[a-z]+$", "", true],
  ["^([^=]+)=(.*)$", "s", true],
])("judgeExpression() of /%s/%s: proven %p", (source, flags, isProven) => {
  expect(judgeExpression({ source, flags }).kind === "proven").toBe(isProven);
});

test("every regular expression is proven to take time in proportion, or is listed with what bounds it", () => {
  const { written, built } = findExpressions();
  const recorded = recordBuilt();
  // Of each that is put together as the program runs, the test has to know what it becomes.
  for (const [file, count] of built) {
    const seen = new Set(recorded.filter((made) => made.file === file).map(({ place }) => place));
    expect({ file, seen: seen.size }).toEqual({ file, seen: count });
  }
  const verdicts = rememberedVerdicts();
  const open = [...written, ...recorded].flatMap((expression) => {
    const verdict = verdicts.judge(expression);
    return verdict.kind === "open" ? [{ ...expression, why: verdict.why }] : [];
  });
  verdicts.save();
  const unlisted = open.filter((expression) => !LISTED.some((listed) => isAbout(listed, expression)));
  expect(unlisted.map((expression) => `${shown(expression)}: ${expression.why}`)).toEqual([]);
  const proven = LISTED.filter((listed) => !open.some((expression) => isAbout(listed, expression)));
  expect(proven).toEqual([]);
  for (const listed of LISTED) {
    const [before, part, behind] = listed.worst;
    const input = before + part.repeat((listed.most - before.length - behind.length) / part.length) + behind;
    for (const { source, flags } of open.filter((expression) => isAbout(listed, expression))) {
      const begun = performance.now();
      input.replaceAll(new RegExp(source, `g${flags.replace("g", "")}`), "");
      // Each takes some milliseconds; the machine may have other things to do.
      expect({ listed, isQuick: performance.now() - begun < 500 }).toEqual({ listed, isQuick: true });
    }
  }
});

function isAbout({ file, beginning }: ListedExpression, expression: Expression): boolean {
  return file === expression.file && `/${expression.source}/${expression.flags}`.startsWith(beginning);
}

function recordBuilt(): readonly (Expression & { readonly place: string })[] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "lib/record-built.ts")], {
    cwd: REPOSITORY,
    env: testEnvironment(process.env),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}
