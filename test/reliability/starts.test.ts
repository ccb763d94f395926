import { expect, setDefaultTimeout, test } from "bun:test";
import { playStarts } from "./lib/starts.ts";
import { newStartOracle, readMessage } from "./lib/start-oracle.ts";

setDefaultTimeout(120_000);

// The short form; `npm run reliability -- --only starts` plays 400 histories.
test("sessions that begin in many ways: each line, skill and rule arrives once", async () => {
  const figures = await playStarts(6, 3);
  expect(figures.faults).toEqual([]);
  expect(figures.messages).toBeGreaterThan(figures.starts);
});

// The judge is judged.
const FILE = "/r/AGENTS.md";
const OTHER = "/r/a/AGENTS.md";
const STANDING = {
  files: [
    { path: FILE, text: "One.\nTwo.\n", sizeBytes: 10 },
    { path: OTHER, text: "Three.\n", sizeBytes: 7 },
  ],
  skills: ["sk-1", "sk-2"],
};
const RULES = "<agents_usage>\n- Rules\n</agents_usage>\n";
const files = (...sections: string[]) => `<agents_context scope="initial">\n${sections.join("\n")}</agents_context>\n`;
const [ONE, TWO] = [
  `Instructions from: ${FILE}\nOne.\n`,
  `Instructions from: ${FILE} (continued, lines 2–2 of 2)\nTwo.\n`,
];
const THREE = `Instructions from: ${OTHER}\nThree.\n`;
const skills = (names: string, isTruncated = false) =>
  `<skills_catalog scope="initial" truncated="${isTruncated}">\n  <skill_names scope="repo" directory="/s">${names}</skill_names>\n</skills_catalog>\n`;
const TOGETHER = "sk-1, sk-2";
const ALL = RULES + files(ONE, TWO, THREE) + skills(TOGETHER);

const JUDGED: readonly (readonly [what: string, messages: readonly string[], faults: readonly string[]])[] = [
  ["all of it at once", [ALL], []],
  ["all of it in pieces", [RULES + files(THREE), files(ONE) + skills(TOGETHER), files(TWO)], []],
  ["a line twice", [ALL, files(TWO)], [`'${FILE}' 4–8 again`]],
  ["a missing line", [RULES + files(ONE, THREE) + skills(TOGETHER)], [`4 characters of '${FILE}' missing`]],
  ["files in a wrong order", [RULES + files(THREE, ONE, TWO) + skills(TOGETHER)], ["not from the root down"]],
  ["two lines as if they were one text", [RULES + files(ONE, TWO, `${THREE}One.\n`) + skills(TOGETHER)], [`not of '${OTHER}': Three.One.`, `6 characters of '${OTHER}' missing`]], // prettier-ignore
  ["a skill twice", [ALL, skills("sk-2")], ["skill 'sk-2' named 2 times"]],
  ["a catalogue cut to nothing", [RULES + files(ONE, TWO, THREE) + skills("", true)], ["truncated", "2 of 2 skills missing, as 'sk-1'"]], // prettier-ignore
  ["usage rules twice", [ALL, RULES], ["usage rules again"]],
  ["no usage rules", [ALL.replace(RULES, "")], ["no usage rules"]],
  ["a name for what was given", [ALL, `- ${FILE} (mtime: 5)\n`], [`'${FILE}' named though known`]],
];
test.each(JUDGED)("the oracle sees %s", (_, messages, faults) => {
  const oracle = newStartOracle(STANDING);
  for (const text of messages) oracle.take(readMessage(text), "it");
  oracle.conclude("it", false);
  expect(oracle.faults).toEqual(faults.map((fault) => `it: ${fault}`));
});

test("the oracle sees a wrong list of what is to come, and a nearest file that is not whole", () => {
  const list = (...lines: string[]) => `<agents_left_out>\nTo come later:\n${lines.join("\n")}\n</agents_left_out>\n`;
  const judged = (text: string) => {
    const oracle = newStartOracle(STANDING);
    const message = readMessage(text);
    oracle.take(message, "it");
    oracle.judgeStart([message], 10_000, "it");
    return oracle.faults;
  };
  expect(judged(RULES + files(THREE) + list(`- ${FILE} (10 bytes)`))).toEqual([]);
  expect(judged(RULES + files(THREE) + list(`- ${FILE} (9 bytes)`))).toEqual([
    `it: to come: ${FILE} 10; said: ${FILE} 9`,
  ]);
  expect(judged(RULES + files(ONE, TWO) + list(`- ${OTHER} (7 bytes)`))).toEqual([
    "it: 6 characters of the nearest file are missing",
  ]);
});
