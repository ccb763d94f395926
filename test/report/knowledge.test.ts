import { describe, expect, test } from "bun:test";
import { indexFiles, meaningfulLines, newKnowledge, type Extent } from "../../src/report/knowledge.ts";

const ROOT = "/shop/AGENTS.md";
const API = "/shop/api/AGENTS.md";
const TEXTS = { [ROOT]: "# Shop\n\nBe brief.\nRun `make test`.\n", [API]: "# API\nBe brief.\nNo <b>tags</b>.\n" };
const INDEX = indexFiles(Object.entries(TEXTS).map(([path, text]) => ({ path, lines: meaningfulLines(text) })));

type Given = string | { readonly text: string; readonly path: string };

function after(...texts: readonly Given[]) {
  const knowledge = newKnowledge(INDEX);
  for (const each of texts) {
    if (typeof each === "string") knowledge.hear(each, "hook");
    else knowledge.hear(each.text, "client", each.path);
  }
  return knowledge;
}

describe("newKnowledge()", () => {
  const bundle = `<agents_context>\nInstructions from: ${ROOT}\n${TEXTS[ROOT]}Instructions from: ${API}\n${TEXTS[API]}</agents_context>`;
  test.each<[what: string, texts: Given[], root: Extent, api: Extent]>([
    ["nothing", [], "none", "none"],
    ["both in a bundle", [bundle], "whole", "whole"],
    ["one in a frame of its own", [{ text: TEXTS[API], path: API }], "none", "whole"],
    ["a file read with line numbers", ["1\t# Shop\n2\t\n3\tBe brief.\n4\tRun `make test`.\n5\t"], "whole", "none"],
    ["a text that only quotes a line of both", ["Please\nBe brief.\nThanks"], "none", "none"],
    ["the beginning", [`Instructions from: ${ROOT}\n# Shop\n\nBe brief.\n[shown: lines 1–3 of 4]`], "cut", "none"],
    [
      "two parts",
      [
        `Instructions from: ${ROOT}\n# Shop`,
        `Instructions from: ${ROOT} (continued, lines 3–4 of 4)\nBe brief.\nRun \`make test\`.`,
      ],
      "whole",
      "none",
    ],
    [
      "an earlier version",
      [`Instructions from: ${ROOT}\n# Shop\nBe long.\nRun \`make\`.\n</agents_context>`],
      "stale",
      "none",
    ],
    ["its path", [`Additional AGENTS.md may apply:\n- ${API} (mtime: 1)\n`], "none", "named"],
    [
      "what a bundle writes otherwise",
      [`Instructions from: ${API}\n# API\nBe brief.\nNo &lt;b>tags&lt;/b>.\n`],
      "none",
      "whole",
    ],
  ])("after %s", (_, texts, root, api) => {
    const knowledge = after(...texts);
    expect({ root: knowledge.of(ROOT).extent, api: knowledge.of(API).extent }).toEqual({ root, api });
  });

  // Nearly all texts are passed over by a search for how a file may begin, so each form of a beginning must be found.
  test.each<[what: string, first: string, text: (line: string) => string]>([
    ["after other lines", "# Rules", (line) => `${"# Other\n".repeat(1000)}\n${line}\nEnd.`],
    ["indented", "Rules", (line) => `x\n \t ${line}\n  End.`],
    ["with an arrow behind the number", "Rules", (line) => `   9→${line}\n  10→End.`],
    ["with other line ends", "Rules", (line) => `${line}\r\nEnd.\r\n`],
    ["at the end of the text", "Rules", (line) => `x\n1\t${line}\n2\tEnd.`],
    ["of one letter", "R", (line) => `x R\n${line}\nEnd.`],
    ["that begins with a tag", "<b>Rules</b>", (line) => `x\n${line}\nEnd.`],
    ["that begins with a tag, written otherwise", "<<b>Rules", (line) => `x\n${line.replaceAll("<", "&lt;")}\nEnd.`],
    ["of which one sign is written otherwise", "<<b>Rules", (line) => `x\n${line.replace("<", "&lt;")}\nEnd.`],
    ["that looks like a name", "- /a and /b", (line) => `x\n${line}\nEnd.`],
    ["that begins outside the basic plane", "😀 Rules", (line) => `x\n${line}\nEnd.`],
    ["that is quoted in a line before", "Rules", (line) => `see ${line}\n> ${line}\n${line}\nEnd.`],
  ])("finds a file whose first line stands %s", (_, first, text) => {
    const index = indexFiles([{ path: ROOT, lines: meaningfulLines(`${first}\nEnd.\n`) }]);
    const knowledge = newKnowledge(index);
    knowledge.hear(text(first), "tool");
    expect(knowledge.of(ROOT).extent).toBe("whole");
  });

  test("forgets", () => {
    const knowledge = after(bundle);
    expect(knowledge.of(ROOT)).toEqual({ extent: "whole", by: "codelia" });
    knowledge.forget();
    expect(knowledge.of(ROOT)).toEqual({ extent: "none", by: undefined });
  });
});
