import { describe, expect, test } from "bun:test";
import { answerOf, before, eventText, hook, optionsOf, start } from "../support/hook-calls.ts";
import { runCodelia, startCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `preview` shows exactly what the hooks that `install` registers print.

type Tree = Readonly<Record<string, Entry>>;

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `- Rule ${index} of ${name}: as it is done here, always.\n`).join("");
const configured = (agents: object): Tree => ({ "repo/.codelia/config.json": JSON.stringify({ agents }) });

const TREE: Tree = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/AGENTS.md": lines("the root", 400),
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/app/deep/AGENTS.md": "Deep rules.\n",
  "repo/app/deep/x.ts": "",
  "repo/.agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes\n---\nBody.\n",
};

const TREES: [what: string, tree: Tree][] = [
  ["nested files", TREE],
  ["a CLAUDE.md", { ...TREE, "repo/CLAUDE.md": "Be brief.\n" }],
  ["links named CLAUDE.md", { ...TREE, "repo/CLAUDE.md": { link: "AGENTS.md" }, "repo/app/CLAUDE.md": { link: "AGENTS.md" } }], // prettier-ignore
  ["delivery: body", { ...TREE, ...configured({ resolver: { delivery: "body" } }) }],
  ["delivery: escalate", { ...TREE, ...configured({ resolver: { delivery: "escalate" } }) }],
  ["gate: edit", { ...TREE, ...configured({ resolver: { gate: "edit" } }) }],
  ["one file for each reminder", { ...TREE, ...configured({ resolver: { maxFilesPerResolve: 1 } }) }],
  ["a small budget", { ...TREE, ...configured({ initial: { maxBytes: 2000 } }) }],
  ["no reminders", { ...TREE, ...configured({ resolver: { enabled: false } }) }],
];

const PATHS = ["app/deep/x.ts", "app/deep/new.ts", "app/deep/AGENTS.md", "AGENTS.md", "README.md"];

function previewed(tree: TempTree, client: string, path: string): string[] {
  const { stdout } = runCodelia(["preview", path, "--as", client, "--json", "--quiet"], optionsOf(tree, ""));
  return JSON.parse(stdout).texts.map(({ text }: { text: string }) => text);
}

/** @param count how many parts are asked for */
async function given(tree: TempTree, client: "claude" | "codex", path: string, count: number): Promise<string[]> {
  const session = { session_id: path };
  const parts = client === "codex" ? ["whole"] : Array.from({ length: count }, (_, index) => `${index + 1}/16`);
  const starts = parts.map((part) => {
    return startCodelia(["hook", client, "--part", part], optionsOf(tree, eventText(tree, { ...start(), ...session })));
  });
  const begun = (await Promise.all(starts)).map(({ stdout }) => answerOf(stdout).context);
  const edit = hook(tree, before("Edit", { file_path: tree.path("repo", path) }, session), [client]);
  return [...begun, edit.context || (edit.refusal?.reason ?? "")].filter((text) => text !== "");
}

describe.each(["claude", "codex"] as const)("preview --as %s", (client) => {
  test.each(TREES)("shows what hooks give: %s", async (_, files) => {
    using tree = tempTree(files);
    for (const path of PATHS) {
      const shown = previewed(tree, client, path);
      expect([path, ...shown]).toEqual([path, ...(await given(tree, client, path, shown.length + 1))]);
    }
  });
});

test.each([
  ["come later, and none counts as left out", 15, 2900, "- comes later: the skill catalogue\n"],
  ["come before the end of the file, as no later message could hold them", 40, 2950, "- comes later: 1"],
])("where the nearest file takes all parts, the skills %s", (_, length, count, later) => {
  using tree = tempTree({ ...TREE, "repo/CLAUDE.md": "Be brief.\n", "repo/AGENTS.md": lines("the root", count) });
  for (let index = 0; index < 198; index++) {
    const name = `long-${index}-${"n".repeat(length)}`;
    tree.write(`repo/.agents/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does it\n---\n`);
  }
  const { stdout } = runCodelia(["preview", "--as", "claude"], optionsOf(tree, ""));
  const [head = ""] = stdout.split("\n=====");
  expect(head).toContain("- skills: 199 of 199 are named\n");
  expect(head).toContain(later);
  expect(head.split("- comes later: ")).toHaveLength(2);
});
