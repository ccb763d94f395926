import { expect, test } from "bun:test";
import { type Extent, watchSkills } from "../../src/report/knowledge.ts";

const NOTES = {
  name: "release-notes",
  description: "Write <b>release</b> notes from commits",
  path: "/r/notes/SKILL.md",
};

function countsOf(play: (watch: ReturnType<typeof watchSkills>) => void, extent: Extent = "none") {
  const counts = new Map([[NOTES.path, { listed: 0, loaded: 0 }]]);
  const watch = watchSkills([NOTES], counts);
  play(watch);
  watch.end(() => ({ extent, by: undefined }));
  return counts.get(NOTES.path);
}

test.each([
  ["by its path", `- ${NOTES.path}`, 1],
  ["by name and description", "- release-notes: Write <b>release</b> notes from commits", 1],
  ["with an escaped description", "<name>release-notes</name> Write &lt;b&gt;release&lt;/b&gt; notes from commits", 1],
  ["not by its name alone, which may mean anything", "the release-notes are late", 0],
])("a skill is listed %s", (_, text, listed) => {
  expect(countsOf((watch) => watch.hear(text))).toEqual({ listed, loaded: 0 });
});

test("a skill is loaded by the client's tool, or once the model has its text", () => {
  expect(countsOf((watch) => watch.load("plugin:release-notes"))).toEqual({ listed: 0, loaded: 1 });
  expect(countsOf(() => {}, "whole")).toEqual({ listed: 0, loaded: 1 });
  expect(countsOf((watch) => watch.load("another"), "cut")).toEqual({ listed: 0, loaded: 0 });
});

test("each compaction ends a context", () => {
  const counts = countsOf((watch) => {
    watch.hear(NOTES.path);
    watch.end(() => ({ extent: "whole", by: "tool" }));
    watch.hear(NOTES.path);
  });
  expect(counts).toEqual({ listed: 2, loaded: 1 });
});
