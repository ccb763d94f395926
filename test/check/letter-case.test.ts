import { expect, test } from "bun:test";
import { wrongLetterCase } from "../../src/check/letter-case.ts";

const KNOWN = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];

const CASES: [names: string[], wrong: string[]][] = [
  [["AGENTS.md", "CLAUDE.md"], []],
  [["agents.md"], ["agents.md > AGENTS.md"]],
  [["Agents.md", "README.md", "src"], ["Agents.md > AGENTS.md"]],
  [["AGENTS.MD", "install.md"], ["AGENTS.MD > AGENTS.md"]],
  [["agents.override.md", "AGENTS.md"], ["agents.override.md > AGENTS.override.md"]],
  [["agents.md", "AGENTS.md"], ["agents.md"]],
  [["agents.md", "install.md"], []],
  [["Agents.mdx", "agents.md", "Claude.md", "Install.html"], []],
  [["agents.md", "CLAUDE.md", "CHANGELOG.md"], ["agents.md > AGENTS.md"]],
  [
    ["agents.md", "claude.md"],
    ["agents.md > AGENTS.md", "claude.md > CLAUDE.md"],
  ],
  [
    ["Agents.md", "agents.md"],
    ["Agents.md", "agents.md"],
  ],
  [["agents.md", "readme.md", "Contributing.md"], ["agents.md > AGENTS.md"]],
  [["agents.md", "claude.md", "gemini.md"], []],
  [["agents.md", "readme.md", "reading.md"], []],
];
test("one that is not to be renamed has no repair, and says why", () => {
  const place = { path: (name: string) => `/r/${name}`, names: ["agents.md"], whyNotRenamed: () => "not now" };
  expect(wrongLetterCase(place, ["agents.md"], KNOWN)).toMatchObject([{ remedy: "not now" }]);
  expect(wrongLetterCase(place, ["agents.md"], KNOWN)[0]).not.toHaveProperty("fix");
});

for (const [names, wrong] of CASES) {
  test(names.join(" "), () => {
    const place = { path: (name: string) => `/r/${name}`, names, whyNotRenamed: () => undefined };
    const found = names.filter((name) => KNOWN.some((other) => other.toLowerCase() === name.toLowerCase()));
    const said = wrongLetterCase(place, found, KNOWN).map(({ path, fix }) =>
      fix?.kind === "rename" ? `${path.slice(3)} > ${fix.to.slice(3)}` : path.slice(3),
    );
    expect(said).toEqual(wrong);
  });
}
