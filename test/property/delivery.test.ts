import { expect } from "bun:test";
import { array, constant, constantFrom, integer, property, record, tuple } from "fast-check";
import {
  AFTER,
  BEFORE,
  MEANWHILE,
  planDelivery,
  type Capacity,
  type Companions,
  type DueFile,
  type Missing,
  type Output,
} from "../../src/instructions/delivery.ts";
import { union, without } from "../../src/ledger/delivery.ts";
import type { Ranges } from "../../src/ledger/schema.ts";
import { testProperty } from "./fuzz.ts";

const encoder = new TextEncoder();
const LONGEST_LINE = 90;

/** Files whose lines are all different: what is told can be found again. */
const sizes = array(integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 8 });
const kind = constantFrom("plain", "headings", "日本語");

function filesOf(counts: readonly number[], what: string): DueFile[] {
  return counts.map((count, index) => {
    const path = `/r/${"d/".repeat(index)}AGENTS.md`;
    const lines = Array.from({ length: count }, (_, line) => {
      if (what === "headings" && line % 9 === 0) return `## On file ${index}, section ${line}\n`;
      return `- file ${index}, line ${line}: ${(what === "日本語" ? "規則" : "rule ").repeat(1 + ((line * 7) % 12))}\n`;
    });
    const bytes = encoder.encode(lines.join(""));
    return { path, bytes, sizeBytes: bytes.length, due: bytes.length > 0 ? [[0, bytes.length] as const] : [] };
  });
}

const capacity = record({
  count: integer({ min: 1, max: 12 }),
  max: integer({ min: 2500, max: 10_000 }),
  measure: constant((text: string) => text.length),
});

function named(missing: readonly Missing[]): string {
  const unseen = missing.filter(({ shownBytes }) => shownBytes === 0);
  return unseen.map(({ path, sizeBytes }) => `- ${path} (${sizeBytes} bytes)\n`).join("");
}
const COMPANIONS: Companions = { before: "rules\n", after: (missing) => [`${named(missing)}skills\n`] };

function outputsOf(files: readonly DueFile[], companions: Companions, room: Capacity): readonly Output[] {
  return planDelivery(files, companions, room, "later")?.outputs ?? [];
}

function givenOf(outputs: readonly Output[], path: string): Ranges {
  return outputs.flatMap(({ given }) => (given.get(path) ?? []).map(([from, to]): [number, number] => [from, to]));
}

function isComplete(outputs: readonly Output[], { path, sizeBytes }: DueFile): boolean {
  return sizeBytes === 0 || without([[0, sizeBytes]], givenOf(outputs, path)).length === 0;
}

testProperty(
  "planDelivery() tells nothing twice, in the order root to working directory, within the limits, and names the rest",
  property(sizes, kind, capacity, (counts, what, room) => {
    const files = filesOf(counts, what);
    const outputs = planDelivery(files, COMPANIONS, room, "later")?.outputs;
    expect(outputs).toEqual(planDelivery(files, COMPANIONS, room, "later")?.outputs);
    expect(outputs?.length).toBeGreaterThan(0);
    expect(outputs?.length).toBeLessThanOrEqual(room.count);
    for (const { text } of outputs ?? []) expect(text.length).toBeLessThanOrEqual(room.max);
    const whole = (outputs ?? []).map(({ text }) => text).join("");
    const told = [...whole.matchAll(/file (\d+), (?:line|section) (\d+)/g)].map(
      ([, file, line]) => Number(file) * 1000 + Number(line),
    );
    expect(told).toEqual([...new Set(told)].toSorted((left, right) => left - right));
    let count = 0;
    for (const [index, file] of files.entries()) {
      const given = givenOf(outputs ?? [], file.path);
      // What is recorded as given is what was printed: whole lines, none of them twice.
      const ends = union(given).reduce((sum, [from, to]) => sum + to - from, 0);
      expect(given.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(ends);
      const text = given.map(([from, to]) => new TextDecoder().decode(file.bytes.subarray(from, to))).join("");
      count += text.split("\n").length - 1;
      expect(told.filter((at) => Math.floor(at / 1000) === index)).toHaveLength(text.split("\n").length - 1);
      if (given.length === 0 && file.sizeBytes > 0) expect(whole).toContain(`- ${file.path} (${file.sizeBytes} bytes)`);
      else if (!isComplete(outputs ?? [], file)) expect(whole).toMatch(/to have it now, read on from line \d+\]/);
    }
    expect(told).toHaveLength(count);
  }),
);

testProperty(
  "planDelivery() has the nearest whole whenever it can be, then its ancestors upwards, and leaves no room empty",
  property(sizes, kind, capacity, (counts, what, room) => {
    const files = filesOf(counts, what);
    const outputs = outputsOf(files, COMPANIONS, room);
    const shown = files.map((file) => givenOf(outputs, file.path).length > 0 || file.sizeBytes === 0);
    const whole = files.map((file) => isComplete(outputs, file));
    // From the nearest upwards: whole ones, one that is cut, none.
    const lastCut = whole.lastIndexOf(false);
    expect(whole.slice(lastCut + 1).every(Boolean)).toBe(true);
    expect(
      shown.slice(0, Math.max(0, lastCut)).every((isShown, index) => !isShown || files[index]?.sizeBytes === 0),
    ).toBe(true);
    if (lastCut < 0) return;
    const nearest = files.findLast(({ sizeBytes }) => sizeBytes > 0) as DueFile;
    const alone = outputsOf(
      [nearest],
      { before: "rules\n", after: () => [named(files.map((file) => ({ ...file, shownBytes: 0 })))] },
      room,
    );
    if (isComplete(alone, nearest)) expect(isComplete(outputs, nearest)).toBe(true);
    expect(outputs).toHaveLength(room.count);
    // A tenth may go for a better place to cut at, and what a heading and a mark take is reckoned at its most.
    const free = outputs.reduce((sum, { text }) => sum + room.max - text.length, 0);
    expect(free / room.count).toBeLessThan(0.1 * room.max + 5 * LONGEST_LINE + 20 * files.length + 160);
  }),
);

testProperty(
  "planDelivery() goes on where it ended, until all has arrived",
  property(sizes, kind, capacity, (counts, what, room) => {
    let files = filesOf(counts, what);
    const first = outputsOf(files, COMPANIONS, room);
    expect(first.some(({ given }) => given.has(AFTER))).toBe(true);
    let all = first.map(({ text }) => text).join("");
    let outputs = first;
    for (let event = 0; event < 200; event++) {
      files = files.map((file) => ({ ...file, due: without(file.due as Ranges, givenOf(outputs, file.path)) }));
      if (files.every(({ due }) => due.length === 0)) break;
      outputs = outputsOf(files, { before: "", after: () => [""] }, { ...room, count: 1 });
      expect(outputs).toHaveLength(1);
      all += outputs[0]?.text;
    }
    expect(files.every(({ due }) => due.length === 0)).toBe(true);
    const told = [...all.matchAll(/file (\d+), (?:line|section) (\d+)/g)].map(([line]) => line);
    expect(told).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
    expect(new Set(told).size).toBe(told.length);
  }),
);

testProperty(
  "planDelivery() prints nothing across a gap, and never says to read on where a text was given before",
  property(sizes, kind, capacity, (counts, what, room) => {
    const files = filesOf(counts, what);
    // Every second process of the start is missing.
    const start = outputsOf(files, COMPANIONS, room).filter((_, index) => index % 2 === 0);
    const owed = files.map((file) => ({ ...file, due: without(file.due as Ranges, givenOf(start, file.path)) }));
    const outputs = outputsOf(owed, { before: "", after: () => [""] }, room);
    for (const { text } of outputs) expect(text.length).toBeLessThanOrEqual(room.max);
    const sections = outputs.flatMap(({ text }) => text.split("Instructions from: ").slice(1));
    for (const section of sections) {
      const [heading = "", ...lines] = section.split("\n");
      const { bytes } = files.find(({ path }) => heading.split(" ")[0] === path) as DueFile;
      const body = lines.filter((line) => /^(?:-|##) /.test(line)).map((line) => `${line}\n`);
      expect(new TextDecoder().decode(bytes)).toContain(body.join(""));
      // All of each file may be shown, so what follows comes, or was given.
      expect(section).not.toContain("; read on from line");
    }
  }),
);

/** How long the complete texts are, best first, and the one that leaves something out. */
const LISTS = [4000, 2000, 1000, 100];

testProperty(
  "planDelivery() gives a text after the files completely, once, with the start or with a later message",
  property(sizes, kind, capacity, (counts, what, room) => {
    let files = filesOf(counts, what);
    const [cut = "", ...complete] = LISTS.map((length) => `list of ${length}: ${"x".repeat(length)}\n`).toReversed();
    const ofList: Companions = {
      before: "",
      after: (missing) => complete.toReversed().map((text) => named(missing) + text),
      meanwhile: named,
      shorter: (missing) => [named(missing) + cut],
    };
    const start = planDelivery(files, { ...ofList, before: "rules\n" }, room, "later");
    expect(start).toBeDefined();
    const given: Output[] = [...(start?.outputs ?? [])];
    expect(given.some((output) => output.given.has(AFTER))).toBe(start?.isAfterDue === false);
    let isDue = start?.isAfterDue === true;
    for (let event = 0, outputs: readonly Output[] = given; event < 200; event++) {
      files = files.map((file) => ({ ...file, due: without(file.due as Ranges, givenOf(outputs, file.path)) }));
      if (!isDue && files.every(({ due }) => due.length === 0)) break;
      const isNearestGiven = files.at(-1)?.due.length === 0;
      const companions = isDue ? { ...ofList, isNearestGiven } : { before: "", after: () => [""] };
      const next = planDelivery(files, companions, { ...room, count: 1 }, "later");
      outputs = next?.outputs ?? [];
      expect(outputs).toHaveLength(1);
      // It waits for no other file than the nearest.
      if (isDue && isNearestGiven) expect(next?.isAfterDue).toBe(false);
      isDue &&= next?.isAfterDue === true;
      given.push(...outputs);
    }
    expect(isDue).toBe(false);
    const lists = given.flatMap(({ text }) =>
      [...text.matchAll(/list of (\d+): /g)].map(([, length]) => Number(length)),
    );
    expect(lists).toHaveLength(1);
    expect(lists).not.toContain(LISTS.at(-1));
    expect(given.filter((output) => output.given.has(AFTER))).toHaveLength(1);
    expect(given.filter((output) => output.given.has(BEFORE))).toHaveLength(1);
    for (const { given: keys } of given) expect(keys.has(AFTER) && keys.has(MEANWHILE)).toBe(false);
  }),
);

/** Files of lines of these lengths, and how much of each the budget leaves. */
const uneven = array(
  tuple(array(integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 6 }), constantFrom(1, 9)),
  {
    minLength: 1,
    maxLength: 5,
  },
);

testProperty(
  "planDelivery() divides only lines that no output can hold, and gives each byte of them once",
  property(uneven, capacity, (shapes, room) => {
    let files = shapes.map(([lengths, factor], index): DueFile => {
      let at = 0;
      const text = lengths.map((length) => `${textFrom(`${index}.`, (at += length), length)}\n`).join("");
      const bytes = encoder.encode(text);
      return {
        path: `/r/${"d/".repeat(index)}A.md`,
        bytes,
        sizeBytes: bytes.length * factor,
        due: [[0, bytes.length]],
      };
    });
    const given = files.map((): number[] => []);
    let companions = COMPANIONS;
    for (let event = 0; event < 60 && files.some(({ due }) => due.length > 0); event++) {
      const outputs = outputsOf(files, companions, event === 0 ? room : { ...room, count: 1 });
      companions = { before: "", after: () => [""] };
      for (const { text } of outputs) expect(text.length).toBeLessThanOrEqual(room.max);
      for (const [index, { path, bytes }] of files.entries()) {
        for (const [from, to] of givenOf(outputs, path)) {
          for (const at of [from, to]) {
            const isLineEnd = at === 0 || bytes[at - 1] === 0x0a;
            const line = [bytes.lastIndexOf(0x0a, at - 1) + 1, bytes.indexOf(0x0a, at)];
            if (!isLineEnd) expect((line[1] ?? 0) - (line[0] ?? 0)).toBeGreaterThan(room.max - 500);
          }
          given[index]?.push(from, to);
        }
      }
      files = files.map((file) => ({ ...file, due: without(file.due as Ranges, givenOf(outputs, file.path)) }));
    }
    for (const [index, { bytes }] of files.entries()) {
      // Each piece begins where the last one ended.
      const seams = given[index]?.slice(1, -1) ?? [];
      for (let at = 0; at < seams.length; at += 2) expect(seams[at + 1]).toBe(seams[at] as number);
      if (bytes.length > 0) expect([given[index]?.[0], given[index]?.at(-1)]).toEqual([0, bytes.length]);
    }
  }),
);

function textFrom(prefix: string, start: number, length: number): string {
  let text = "";
  for (let at = start; text.length < length; at++) text += `${prefix}${at} `;
  return text.slice(0, length);
}
