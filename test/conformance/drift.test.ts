import { expect, test } from "bun:test";
import { renderDrift } from "./drift.ts";
import type { ConformanceRecord, RecordedCell, Sighting } from "./record.ts";
import type { Tree } from "./tree.ts";

const TREES = ["root", "nested", "link"].map((name): Tree => {
  return { name, group: "", title: "", about: "", files: {}, watch: [{ label: name, text: "Rule.", expect: true }] };
});

function recordOf(version: string, cells: Readonly<Record<string, Sighting["given"]>>): ConformanceRecord {
  const cell = (label: string, given: Sighting["given"]): RecordedCell => {
    return { sightings: [{ label, given }], tree: "", version, date: "" };
  };
  return {
    clients: { one: { title: "One", version }, two: { title: "Two", version: "7.0" } },
    cells: Object.fromEntries(Object.entries(cells).map(([name, given]) => [name, { one: cell(name, given) }])),
  };
}

const recorded = recordOf("1.0", { root: "text", nested: "text", link: "no" });
const absent = [{ client: "two", why: "npm has none" }];

test("says which rows of a client differ, which were not played to their end, and which client was not played", () => {
  const played = recordOf("1.1", { root: "text", nested: "no" });
  const failures = [{ client: "one", tree: "link", why: "it ended with 1\n" }];
  expect(renderDrift({ recorded, played, absent, failures, trees: TREES })).toEqual({
    text: [
      "one 1.1 (recorded: 1.0): 3 rows, 2 not as recorded",
      "  nested: ✓ → ✗ not nested",
      "  link did not come to its end: it ended with 1",
      "two 7.0: the newest was not played: npm has none",
      "Not as recorded: 2 rows.",
      "",
    ].join("\n"),
    isSame: false,
  });
});

test("says that nothing differs", () => {
  const { text, isSame } = renderDrift({ recorded, played: recorded, absent, failures: [], trees: TREES });
  expect(isSame).toBe(true);
  expect(text).toBe(
    "one 1.0, as recorded: 3 rows, all as recorded\ntwo 7.0: the newest was not played: npm has none\nNothing differs from the record.\n",
  );
});
