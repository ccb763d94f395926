import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./support/run-codelia.ts";

// A promise in SECURITY.md names the tests that hold it: `test/some.test.ts` (words of the test's name).

const REFERENCE = /`(test\/[^`]+\.test\.ts)`(?: \(([^)]+)\))?/g;
const text = readFileSync(join(REPOSITORY, "SECURITY.md"), "utf8");
const promises =
  /^## Promises\n([^]*?)^## /m
    .exec(text)?.[1]
    ?.split("\n")
    .filter((line) => line.startsWith("- ")) ?? [];

test("SECURITY.md makes promises", () => {
  expect(promises.length).toBeGreaterThan(10);
});

for (const promise of promises) {
  const name = /\*\*(.+?)\*\*/.exec(promise)?.[1] ?? promise;
  test(`SECURITY.md: '${name}' is held by tests that exist`, () => {
    const references = [...promise.matchAll(REFERENCE)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, path = "", words = ""] of references) {
      expect([path, existsSync(join(REPOSITORY, path))]).toEqual([path, true]);
      const source = readFileSync(join(REPOSITORY, path), "utf8");
      expect([words, source.includes(words)]).toEqual([words, true]);
    }
  });
}

/** The files that start programs, or ask for it, and the commands in SECURITY.md that come to them. */
const STARTERS: Readonly<Record<string, readonly string[]>> = {
  "agent/engines/run.ts": ["agent run"],
  "agent/issue/origin.ts": ["agent run --issue"],
  "agent/run/command-check.ts": ["agent run", "hook"],
  "agent/run/location.ts": ["agent run --issue"],
  "check/changed-files.ts": ["check --changed"],
  "clients/settings/channel.ts": ["install, doctor"],
  // A text for a client, which starts codelia.
  "clients/settings/plugin-script.ts": [],
  "clients/settings/time-calls.ts": ["doctor"],
  "lib/git.ts": [],
  "lib/process.ts": [],
  "plugins/run.ts": ["every command, where plugins are configured"],
  "report/tree-at.ts": ["audit --at"],
  "trust/filters.ts": ["trust"],
};
const STARTING =
  /from "node:child_process"|import \{[^}]*\b(?:spawnSync|callProgram|runProgram|openGit|openReadingGit)\b[^}]*\} from/;

test("what starts programs is in SECURITY.md, and nothing else does", () => {
  const source = join(REPOSITORY, "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const starting = files.filter((name) => STARTING.test(readFileSync(join(source, name), "utf8")));
  expect(starting.toSorted()).toEqual(Object.keys(STARTERS));
  const table = /^## What starts programs\n([^]*?)^## /m.exec(text)?.[1] ?? "";
  const listed = [...table.matchAll(/^\| (?!-|command)([^|]*?) *\|/gm)].map(([, name = ""]) =>
    name.replaceAll("`", ""),
  );
  const wanted = new Set(Object.values(STARTERS).flat());
  expect(listed.map((name) => name.split(", when ")[0]).toSorted()).toEqual([...wanted].toSorted());
});
