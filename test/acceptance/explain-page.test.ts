import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";

// What the page says about sessions with codelia's hooks is what `preview` shows for each: the same files, complete, and
// from the same source.

interface Facts {
  readonly clients: readonly { readonly name: string }[];
  readonly states: readonly { readonly status: string; readonly isGiven?: boolean; readonly isProject?: boolean }[];
  readonly rungs: readonly {
    readonly files: readonly { readonly path: string; readonly states: readonly number[][] }[];
  }[];
  readonly places: readonly { readonly path: string; readonly rungs: readonly number[] }[];
}

const CASES: readonly (readonly [string, Readonly<Record<string, Entry>>])[] = [
  [
    "a CLAUDE.md that silences the others, and one that imports a file",
    {
      "AGENTS.md": "Root.\n",
      "CLAUDE.md": "Memory.\n",
      "api/AGENTS.md": "Api.\n",
      "web/AGENTS.md": "Web.\n",
      "web/CLAUDE.md": "@AGENTS.md\n",
    },
  ],
  [
    "a file that uses up Codex's budget, and an override",
    {
      "AGENTS.md": `Root.\n${"x ".repeat(20_000)}`,
      "api/AGENTS.md": "Api.\n",
      "db/AGENTS.md": "Hidden.\n",
      "db/AGENTS.override.md": "Override.\n",
    },
  ],
  [
    "two names of one file",
    { "AGENTS.md": "Root.\n", "CLAUDE.md": { link: "AGENTS.md" }, "api/AGENTS.md": { link: "../AGENTS.md" } },
  ],
];

test.each(CASES)("explain --html agrees with preview on %s", (_, files) => {
  using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", ...files });
  using home = tempTree({ "page.html": "" });
  const run = (args: string[], cwd: string) => {
    const { stdout, stderr, exitCode } = runCodelia(args, { cwd, home: home.root });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return stdout;
  };
  run(["explain", "--html", home.path("page.html"), "--quiet"], tree.root);
  const [, json = ""] = /id="facts">(.*?)<\/script>/s.exec(readFileSync(home.path("page.html"), "utf8")) ?? [];
  const facts = JSON.parse(json) as Facts;
  for (const place of facts.places) {
    const rows = place.rungs.flatMap((rung) => facts.rungs[rung]?.files ?? []);
    for (const [index, { name }] of facts.clients.entries()) {
      const preview = JSON.parse(run(["preview", "--as", name, "--json", "--quiet"], place.path));
      const told = preview.texts.map(({ text }: { text: string }) => text).join("\n");
      const given = rows.filter(({ states }) => facts.states[states[index]!.at(-1)!]?.isGiven === true);
      const named = [...told.matchAll(/^Instructions from: (.*?)(?: \((?:continued|lines).*)?$/gm)].map(
        ([, path]) => path,
      );
      expect({ at: place.path, name, given: given.map(({ path }) => path).toSorted() }).toEqual({
        at: place.path,
        name,
        given: [...new Set(named as string[])].toSorted(),
      });
    }
  }
});
