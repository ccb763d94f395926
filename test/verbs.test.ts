import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadVerb } from "../src/cli.ts";
import { parseFlags } from "../src/cli/args.ts";
import { EXAMPLES } from "../src/cli/examples.ts";
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

test("every verb has an example in its help, with flags that it takes", async () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(described.toSorted());
  for (const [words, example] of Object.entries(EXAMPLES)) {
    expect(example).toContain(`codelia ${words}`);
    const { command } = await loadVerb(words)!;
    const typed = (example.split(`codelia ${words}`)[1] ?? "").split(/ [<>] /)[0] ?? "";
    const parsed = parseFlags(typed.split(" ").filter(Boolean), command.args);
    expect(parsed.kind, example).toBe("ok");
    if (parsed.kind === "ok") expect(parsed.operands.length, example).toBeLessThanOrEqual(command.maxOperands);
  }
});

for (const words of described) {
  test(`'codelia ${words} --help' shows its usage`, () => {
    const { stdout, exitCode } = runCodelia([...words.split(" "), "--help"], { cwd: REPOSITORY, home: REPOSITORY });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`USAGE codelia ${words}`);
    expect(stdout).toContain(`EXAMPLE\n\n  ${EXAMPLES[words]}\n`);
  });
}
