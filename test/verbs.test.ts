import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERBS } from "../src/cli/guide.ts";
import { REPOSITORY, runCodelia } from "./support/run-codelia.ts";

const described = Object.entries(VERBS).flatMap(([name, entry]) =>
  typeof entry === "string" ? [name] : Object.keys(entry.verbs).map((verb) => `${name} ${verb}`),
);

test("every verb that can be called is described, and no other", () => {
  const source = readFileSync(join(REPOSITORY, "src", "cli.ts"), "utf8");
  const callable = [...source.matchAll(/^  "?([a-z -]+?)"?: \(\) => import\(/gm)].map(([, words]) => words);
  expect(callable.toSorted()).toEqual(described.toSorted());
});

for (const words of described) {
  test(`'codelia ${words} --help' shows its usage`, () => {
    const { stdout, exitCode } = runCodelia([...words.split(" "), "--help"], { cwd: REPOSITORY, home: REPOSITORY });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`USAGE codelia ${words}`);
  });
}
