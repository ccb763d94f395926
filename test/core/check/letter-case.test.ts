import { expect, test } from "bun:test";
import { wrongLetterCase } from "../../../src/core/check/letter-case.ts";

const KNOWN = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"];

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
];
for (const [names, wrong] of CASES) {
  test(names.join(" "), () => {
    const place = { directory: "/r", path: (name: string) => `/r/${name}`, names };
    const found = names.filter((name) => KNOWN.some((other) => other.toLowerCase() === name.toLowerCase()));
    const said = wrongLetterCase(place, found, KNOWN).map(({ path, fix }) =>
      fix?.kind === "rename" ? `${path.slice(3)} > ${fix.to.slice(3)}` : path.slice(3),
    );
    expect(said).toEqual(wrong);
  });
}
