import { expect } from "bun:test";
import { array, boolean, constantFrom, integer, property, record, string } from "fast-check";
import { renderAgentsContext } from "../../src/instructions/render.ts";
import { renderContextParts, type ContextContent } from "../../src/hooks/parts.ts";
import { testProperty } from "./fuzz.ts";

const CATALOGUE = "<skills_context>";
const LONGEST_LABEL = ' part="9 of 9"'.length;
const encoder = new TextEncoder();

const file = record({
  size: integer({ min: 0, max: 3000 }),
  unit: constantFrom("a", "é", "日本\n", "line\n", "😀"),
}).map(({ size, unit }) => encoder.encode(unit.repeat(Math.ceil(size / unit.length))));
const skill = record({
  name: constantFrom("review", "release-notes"),
  description: string({ maxLength: 80 }),
  path: constantFrom("/r/.agents/skills/x/SKILL.md"),
  scope: constantFrom("repo", "user"),
});
const pathsOf = (count: number) => Array.from({ length: count }, (_, index) => `/r/loaded/${index}/SKILL.md`);
const content = record({
  usage: constantFrom("codelia-reminder", "system-reminder", undefined),
  bodies: array(file, { maxLength: 12 }),
  skills: array(skill, { maxLength: 30 }),
  truncated: boolean(),
  loaded: integer({ min: 0, max: 150 }),
}).map(({ usage, bodies, skills, truncated, loaded }) => {
  const files = bodies.map((bytes, index) => ({
    path: `/r/${"d/".repeat(index)}AGENTS.md`,
    bytes,
    shownBytes: bytes.length,
    sizeBytes: bytes.length,
  }));
  return { usage, files, leftOut: [], skills: { skills, truncated }, loaded: pathsOf(loaded) } as ContextContent;
});

testProperty(
  "renderContextParts() keeps every text within the limit, every shown file once, the nearest always, and names the rest",
  property(content, integer({ min: 1, max: 5 }), integer({ min: 2000, max: 10_000 }), (given, count, limit) => {
    const { texts, shown } = renderContextParts(given, count, (text) => text.length <= limit);
    expect(texts.length).toBeLessThanOrEqual(count);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(limit);
    const whole = texts.join("");
    const nearest = given.files.at(-1);
    if (nearest !== undefined) expect(shown.has(nearest.path)).toBe(true);
    for (const { path, sizeBytes } of given.files) {
      const isShown = whole.split(`Instructions from: ${path}\n`).length === 2;
      expect(isShown).toBe(shown.has(path));
      if (!isShown) expect(whole).toContain(`- ${path} (${sizeBytes} bytes)`);
    }
    const order = given.files.filter(({ path }) => shown.has(path)).map(({ path }) => whole.indexOf(`from: ${path}\n`));
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    // What is left out is the farthest.
    expect([...shown]).toEqual(given.files.slice(given.files.length - shown.size).map(({ path }) => path));
    const skillsShown = whole.split("  <skill>").length - 1;
    const skillsGiven = given.skills?.skills.length ?? 0;
    if (skillsShown < skillsGiven && whole.includes(CATALOGUE)) expect(whole).toContain('truncated="true"');
    const loadedShown = whole.split("/loaded/").length - 1;
    const [, unnamed = "0"] = /\n(\d+) of them are not named here/.exec(whole) ?? [];
    if (whole.includes(CATALOGUE)) expect(loadedShown + Number(unnamed)).toBe(given.loaded.length);
  }),
);

/** Room for the usage rules, what is left out and the least of a catalogue. */
const ENOUGH = 4000;

testProperty(
  "renderContextParts() never leaves out wholly that there are skills, nor cuts a nearest file that a text has room for",
  property(content, integer({ min: 1, max: 5 }), integer({ min: ENOUGH, max: 10_000 }), (given, count, limit) => {
    const { texts } = renderContextParts(given, count, (text) => text.length <= limit);
    const whole = texts.join("");
    const { skills, truncated } = given.skills ?? { skills: [], truncated: false };
    const isThere = skills.length > 0 || truncated || given.loaded.length > 0;
    expect(whole.split(CATALOGUE)).toHaveLength(isThere ? 2 : 1);
    const nearest = given.files.at(-1);
    const alone = nearest === undefined ? "" : renderAgentsContext([nearest]);
    if (count > 1 && alone.length + LONGEST_LABEL <= limit) expect(whole).not.toContain("[cut:");
  }),
);
