import { expect, setDefaultTimeout, test } from "bun:test";
import { before, eventText, read } from "../support/hook-calls.ts";
import { dir } from "../support/temp-tree.ts";
import { bench, type Bench } from "./agents-bench.ts";

setDefaultTimeout(60_000);

// Skill headers that take the parser too long, all of them together.

/** Makes Bun collect garbage all the time, as if on a machine on which every parser takes many times as long. */
const SLOW = { BUN_JSC_slowPathAllocsBetweenGCs: "10" };
/** Valid metadata of 14 KB, for which the YAML parser is needed. */
const METADATA = Array.from({ length: 1000 }, (_, index) => `  k${index}: 'v'\n`).join("");
const large = (name: string) => `---\nname: '${name}'\ndescription: 'Does it'\nmetadata:\n${METADATA}---\nBody.\n`;
const small = (name: string) => `---\nname: '${name}'\ndescription: 'Does it'\n---\nBody.\n`;

function collection(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/.agents/skills/a-large/SKILL.md": large("a-large"),
    "repo/.agents/skills/b-large/SKILL.md": large("b-large"),
    "repo/.agents/skills/c-plain/SKILL.md": "---\nname: c-plain\ndescription: Does it\n---\nBody.\n",
    "home/.agents/skills/d-small/SKILL.md": small("d-small"),
    "home/.codelia/config.yaml": "permissions:\n  deny:\n    - { tool: skill_load, skill_name: b-large }\n",
  });
}

interface Listed {
  readonly skills: readonly { readonly name: string }[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

function list(tree: Bench, env: Readonly<Record<string, string>> = {}): Listed {
  const { stdout, exitCode } = tree.codelia(["skills", "list", "--json"], { env });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

const names = ({ skills }: Listed) => skills.map(({ name }) => name).toSorted();

test("headers that take too long are named, the other skills are there, and the next call tries again", () => {
  using tree = collection();
  const slow = list(tree, SLOW);
  expect(names(slow)).toEqual(["c-plain", "d-small"]);
  expect(slow.errors.map(({ path }) => path).toSorted()).toEqual(
    ["a", "b"].map((name) => tree.path(`repo/.agents/skills/${name}-large/SKILL.md`)),
  );
  expect(slow.errors.map(({ message }) => message).toSorted()).toEqual([
    "its header is not read: parsing it takes longer than 500 ms; make it smaller or simpler",
    "its header is not read: the parser took longer than 500 ms for another file",
  ]);
  const next = list(tree);
  expect([names(next), next.errors]).toEqual([["a-large", "b-large", "c-plain", "d-small"], []]);
});

test("what the user forbids of them is kept from an agent that reads them itself", () => {
  using tree = collection();
  tree.write("repo/elsewhere/SKILL.md", large("b-large"));
  for (const event of [before("Skill", { skill: "b-large" }), read(tree.path("repo/elsewhere/SKILL.md"))]) {
    const { stdout, stderr, exitCode } = tree.codelia(["hook", "claude"], { stdin: eventText(tree, event), env: SLOW });
    expect([stderr, exitCode]).toEqual(["", 0]);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  }
});
