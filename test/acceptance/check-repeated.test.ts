import { describe, expect, test } from "bun:test";
import { checkProject, foundIn, turnedOn } from "../support/check-project.ts";
import type { Entry } from "../support/temp-tree.ts";

// `codelia check`: repeated instructions, and texts that only look repeated.

const LONG = "Say in the message why the change is needed, and what you left out. ".repeat(4);

const WITH_PARAGRAPHS = turnedOn("instructions-repeated-paragraph");

function inBoth(text: string, more: Readonly<Record<string, Entry>> = {}): Record<string, Entry> {
  return { "AGENTS.md": "Of all.\n", "w/AGENTS.md": "Of w.\n", "CLAUDE.md": text, "w/CLAUDE.md": text, ...more };
}

const DIFFERENT: [what: string, files: Record<string, Entry>][] = [
  ["an import below a heading", inBoth("# CLAUDE.md\n\n@AGENTS.md\n")],
  ["an import after a sentence", inBoth("Be brief.\n\n@AGENTS.md\n")],
  ["a link to a file beside it", inBoth("Read [AGENTS.md](AGENTS.md).\n")],
  ["a link that leads up", inBoth("Read [the plan](../plan.md).\n", { "plan.md": "" })],
  ["the name of a file beside it", inBoth("See AGENTS.md in this directory.\n")],
  ["a path that begins beside it", inBoth(`${LONG}See docs/a.md.\n`, { "docs/a.md": "", "w/docs/a.md": "" })],
  [
    "the text of a file that an override hides",
    { "AGENTS.md": LONG, "AGENTS.override.md": "Of all.\n", "w/AGENTS.md": LONG },
  ],
];
describe("says nothing twice:", () => {
  for (const [what, files] of DIFFERENT) {
    test(what, () => {
      using tree = checkProject({ ...WITH_PARAGRAPHS, ...files });
      expect(foundIn(tree).filter((found) => found.includes("instructions-repeated"))).toEqual([]);
    });
  }
});

const REPEATED: [what: string, text: string][] = [
  ["a whole text", "Be brief.\n"],
  ["an import of nothing", "@gone.md\n"],
  ["a name that stands further up only", "Be brief, as README.md is.\n"],
];
describe("says twice:", () => {
  for (const [what, text] of REPEATED) {
    test(what, () => {
      using tree = checkProject(inBoth(text, { "README.md": "" }));
      const found = foundIn(tree, ["--as", "raw"]).filter((place) => !place.endsWith(" instructions-missing-import"));
      expect(found).toEqual(["w/CLAUDE.md:1 instructions-repeated"]);
    });
  }

  test("a paragraph without the name that stands in another one", () => {
    using tree = checkProject(inBoth(`@AGENTS.md\n\n${LONG}\n`, WITH_PARAGRAPHS));
    expect(foundIn(tree)).toEqual(["w/CLAUDE.md:3 instructions-repeated-paragraph"]);
  });
});
