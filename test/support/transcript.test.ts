import { expect, test } from "bun:test";
import { judgeStep, parseTranscript, type Step } from "./transcript.ts";

function stepOf(text: string): Step {
  const steps = parseTranscript(text.split("\n"));
  expect(steps.length).toBe(1);
  return steps[0]!;
}

test("parseTranscript() reads commands, stdout, stderr and exit codes", () => {
  const steps = parseTranscript(
    ["$ one", "out", "2> err", "", "2>", "[exit 64]", "$ two", "$ three \\", "  3", "out"],
    10,
  );
  expect(steps.map(({ line, command, stdout, stderr, exitCode }) => [line, command, stdout, stderr, exitCode])).toEqual(
    [
      [10, "one", ["out", ""], ["err", ""], 64],
      [16, "two", [], [], 0],
      [17, "three \\\n  3", ["out"], [], 0],
    ],
  );
});

test("parseTranscript() reads what follows a second prompt as part of the command", () => {
  const step = stepOf("$ cat <<END\n> text\n> END\ntext");
  expect(step.command).toBe("cat <<END\ntext\nEND");
  expect(step.stdout).toEqual(["text"]);
});

test("parseTranscript() takes a quoted backslash at the end of a line as what it is", () => {
  expect(stepOf("$ echo \\\\\n\\").stdout).toEqual(["\\"]);
});

test("parseTranscript() refuses what nobody could have meant", () => {
  expect(() => parseTranscript(["out", "$ one"])).toThrow("line 1: expected a command");
  expect(() => parseTranscript(["$ one", "[exit 1]", "out"], 5)).toThrow("line 7: '[exit 1]' must come last");
});

const SAID = { stdout: "out\n", stderr: "err\n", exitCode: 3 };
const SAYING = "$ x\nout\n2> err\n[exit 3]";

test("judgeStep() agrees with what is as written", () => {
  expect(judgeStep(stepOf(SAYING), SAID)).toMatchObject({ agrees: true, corrected: SAYING });
  expect(judgeStep(stepOf("$ x\n[exit 0]"), { stdout: "", stderr: "", exitCode: 0 })).toMatchObject({
    agrees: true,
    corrected: "$ x\n[exit 0]",
  });
});

const WRONG: [name: string, written: string, difference: string][] = [
  ["a missing stderr line", "$ x\nout\n[exit 3]", "  $ x\n  out\n+ 2> err\n  [exit 3]"],
  ["a missing stdout line", "$ x\n2> err\n[exit 3]", "  $ x\n+ out\n  2> err\n  [exit 3]"],
  ["an extra stdout line", "$ x\nout\nmore\n2> err\n[exit 3]", "  $ x\n  out\n- more\n  2> err\n  [exit 3]"],
  ["an extra stderr line", `${"$ x\nout\n2> err\n2> more"}\n[exit 3]`, "  $ x\n  out\n  2> err\n- 2> more\n  [exit 3]"],
  ["a wrong exit code", "$ x\nout\n2> err\n[exit 1]", "  $ x\n  out\n  2> err\n- [exit 1]\n+ [exit 3]"],
  ["no exit code", "$ x\nout\n2> err", "  $ x\n  out\n  2> err\n+ [exit 3]"],
  ["stderr on stdout", "$ x\nout\nerr\n[exit 3]", "  $ x\n  out\n- err\n+ 2> err\n  [exit 3]"],
];
for (const [name, written, difference] of WRONG) {
  test(`judgeStep() disagrees with ${name}, and corrects it`, () => {
    const verdict = judgeStep(stepOf(written), SAID);
    expect(verdict).toEqual({ agrees: false, difference, corrected: SAYING });
    expect(judgeStep(stepOf(verdict.corrected), SAID).agrees).toBe(true);
  });
}

test("judgeStep() disagrees with an exit code that was expected and did not come", () => {
  const verdict = judgeStep(stepOf("$ x\n[exit 1]"), { stdout: "", stderr: "", exitCode: 0 });
  expect(verdict).toEqual({ agrees: false, difference: "  $ x\n- [exit 1]", corrected: "$ x" });
});

test("judgeStep() tells output with its last newline from output without", () => {
  expect(judgeStep(stepOf("$ x\nout"), { stdout: "out", stderr: "", exitCode: 0 })).toMatchObject({
    agrees: false,
    corrected: "$ x\nout\n[no newline at end]",
  });
});

test("judgeStep() keeps the placeholders that hold, and makes one of a time", () => {
  const written = stepOf("$ x\n- {WORK}/a (mtime: {mtime})\n…\nend");
  const printed = "- {WORK}/a (mtime: 1738970000000)\n- {WORK}/b (mtime: 1738970000001)\nEND\n";
  expect(judgeStep(written, { stdout: printed, stderr: "", exitCode: 0 }).corrected).toBe(
    "$ x\n- {WORK}/a (mtime: {mtime})\n…\nEND",
  );
  expect(judgeStep(stepOf("$ x"), { stdout: printed, stderr: "", exitCode: 0 }).corrected).toContain(
    "- {WORK}/b (mtime: {mtime})",
  );
});
