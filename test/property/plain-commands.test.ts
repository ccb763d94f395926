import { expect, test } from "bun:test";
import fc from "fast-check";
import { plainCommands, type PlainCommand } from "../../src/core/paths/plain-commands.ts";
import { exactly } from "../../src/core/paths/shell-state.ts";
import type { ShellStep } from "../../src/core/paths/shell-steps.ts";
import { parseShell } from "../../src/core/paths/shell-words.ts";

const WORDS = [
  "cd",
  "src/a.ts",
  "sed",
  "-n",
  "'1,200p'",
  '"a b"',
  "if",
  "done",
  "case",
  "x=1",
  "a'b'",
  '"$x"',
  "--k=v",
];
const SIGNS = [" ", "  ", "&&", "||", "|", ";", "&", "|&", "#", "!", "{", "[", "*", "~", ">", "2>&1", "(", ")", "\n"];

const usual = fc.array(fc.constantFrom(...WORDS, ...SIGNS), { maxLength: 12 });
const anyText = fc.string({ unit: "binary-ascii", maxLength: 20 });

for (const [name, lines] of [
  [
    "words and signs",
    fc.oneof(
      usual.map((parts) => parts.join("")),
      usual.map((parts) => parts.join(" ")),
    ),
  ],
  ["any text", anyText],
] as const) {
  test(`plainCommands() reads what the grammar reads, or leaves it to the grammar (${name})`, () => {
    fc.assert(
      fc.property(lines, (line) => {
        const quick = plainCommands(line);
        if (quick !== undefined) expect(quick).toEqual(asPlain(parseShell(line)));
      }),
      { numRuns: 3_000 },
    );
  });
}

test("plainCommands() reads the usual command line by itself", () => {
  for (const line of ["cd a && sed -n '1,9p' b.ts | head -5", "ls; cat a || true", 'grep -rn "two words" src', ""]) {
    expect(plainCommands(line)).toEqual(asPlain(parseShell(line)));
  }
});

/** What the grammar read, in the plain form; fails where it holds anything else. */
function asPlain(steps: readonly ShellStep[] | undefined): PlainCommand[] {
  const commands: PlainCommand[] = [];
  for (const step of steps ?? [{ kind: "scope", opens: true }]) {
    if (step.kind === "end" && !step.inBackground) continue;
    if (step.kind !== "command") throw new Error(`not plain: ${JSON.stringify(step)}`);
    const { kind: _, words, isPiped, ...rest } = step;
    expect(rest).toEqual({ assignments: [], redirects: [], heredocs: [], hereString: undefined });
    const args = words.map((word) => {
      const [part, ...more] = word;
      expect([more.length, part?.kind]).toEqual([0, expect.stringMatching(/^(plain|quoted)$/)]);
      return exactly(part !== undefined && "text" in part ? part.text : "");
    });
    commands.push({ args, isPiped });
  }
  return commands;
}
