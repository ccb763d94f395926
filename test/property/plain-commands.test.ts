import { expect, test } from "bun:test";
import fc from "fast-check";
import { plainCommands } from "../../src/core/paths/plain-commands.ts";
import { parseShell } from "../../src/core/paths/shell-words.ts";
import { asPlain } from "../support/plain-steps.ts";

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
  "time",
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
