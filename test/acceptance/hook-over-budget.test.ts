import { expect, test } from "bun:test";
import { makeText } from "../delivery/play.ts";
import { after, eventText, hook, start, type Fields } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Chains that exceed the limits of `agents.initial`, on the built binary.

const PARTS = Array.from({ length: 16 }, (_, index) => `${index + 1}/16`);
const LAST_EVENTS = 40;

/** All that a session in `cwd` is given, until nothing more comes. */
function textsOf(tree: TempTree, cwd: string, client: string): string[] {
  const ask = (fields: Fields, ...part: string[]) =>
    hook(tree, eventText(tree, { cwd: tree.path(cwd), ...fields }), [client, ...part]).context;
  const parts = client === "claude" ? PARTS : ["whole"];
  const texts = parts.map((part) => ask(start(), "--part", part));
  for (let event = 0; event < LAST_EVENTS; event++) {
    const text = ask(after("Bash", { command: "true" }));
    if (text === "") break;
    texts.push(text);
  }
  return texts.filter((text) => text !== "");
}

function project(files: Readonly<Record<string, Entry>>): TempTree {
  return tempTree({
    "home/.codelia/": { dir: true },
    "repo/.git/": { dir: true },
    "repo/CLAUDE.md": "Brief.\n",
    ...files,
  });
}

const rulesOf = (text: string) => text.split("\n").filter((line) => line.endsWith("always."));

for (const channel of ["claude", "codex", "init-context"]) {
  test(`${channel}: in a chain over the limit the nearest file is whole, and the cut one says where to read on`, () => {
    const [root, nearest] = [makeText("AGENTS.md", 300_000), makeText("a/AGENTS.md", 40_000)];
    using tree = project({ "repo/AGENTS.md": root, "repo/a/AGENTS.md": nearest });
    const where = { cwd: tree.path("repo/a"), home: tree.path("home") };
    const texts =
      channel === "init-context" ? [runCodelia(["init-context"], where).stdout] : textsOf(tree, "repo/a", channel);
    const all = texts.join("");
    expect(rulesOf(nearest).filter((rule) => !all.includes(rule))).toEqual([]);
    const [, line] = /of 300000 bytes; read on from line (\d+)\]/.exec(all) ?? [];
    const lines = root.split("\n").slice(0, Number(line) - 1);
    const first = channel === "codex" ? lines.findIndex((rule) => all.includes(rule) && rule.endsWith("always.")) : 0;
    expect(first).toBeLessThan(350);
    expect(lines.slice(first).filter((rule) => !all.includes(rule))).toEqual([]);
    expect(rulesOf(root).findLast((rule) => all.includes(rule))).toBe(rulesOf(lines.join("\n")).at(-1) as string);
  });
}

test("files left out are named, the nearest first, even if their list is longer than an answer", () => {
  const directories = Array.from({ length: 100 }, (_, depth) => `repo/${`${"d".repeat(9)}/`.repeat(depth)}`);
  using tree = project(Object.fromEntries(directories.map((path, at) => [`${path}AGENTS.md`, `- Rule of ${at}.\n`])));
  const texts = textsOf(tree, directories.at(-1) as string, "claude");
  expect(texts[0]?.startsWith("<agents_usage>")).toBeTrue();
  expect(texts.map((text) => text.length > 10_000)).not.toContain(true);
  const rules = texts.join("").match(/(?<=^- Rule of )\d+(?=\.$)/gm) ?? [];
  expect([rules.length, rules.at(-1)]).toEqual([64, "99"]);
  const names = texts.join("").match(/(?<=^- ).+\(\d+ bytes\)$/gm) ?? [];
  expect(names).toEqual([
    `${tree.path(directories[98] as string)}AGENTS.md (14 bytes)`,
    "35 more files between the root and the working directory (490 bytes)",
  ]);
});
