import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { branched, git } from "../support/git-repository.ts";
import { CODELIA, REPOSITORY } from "../support/run-codelia.ts";

// The recipes of docs/ci.md for what runs programs before a commit, each with the real program from npm.

const MANUAL = readFileSync(join(REPOSITORY, "docs/ci.md"), "utf8");
const PROGRAMS = join(import.meta.dirname, "node_modules");

/** The first block after a text. */
function blockAfter(words: string): string {
  return /```\w+\n([^]*?)```/.exec(MANUAL.slice(MANUAL.indexOf(words)))?.[1] ?? "";
}

const LEFTHOOK = join(PROGRAMS, `lefthook-${process.platform}-${process.arch}`, "bin/lefthook");
const RECIPES: [name: string, file: string, program: string, args: string[]][] = [
  ["lefthook", "lefthook.yml", LEFTHOOK, ["run", "pre-commit"]],
  ["lint-staged", "lint-staged.config.mjs", "node", [join(PROGRAMS, "lint-staged/bin/lint-staged.js")]],
];
for (const [name, file, program, args] of RECIPES) {
  test.skipIf(program !== "node" && !existsSync(program))(`${name} lets no new error into a commit`, () => {
    const recipe = blockAfter(`- **${name}**`);
    expect(recipe).toContain("codelia check --staged");
    using tree = branched({ "AGENTS.md": "Be brief.\n", "old/AGENTS.md": { link: "nowhere" }, [file]: recipe });
    const run = () => {
      const env = {
        PATH: [dirname(CODELIA), process.env["PATH"] ?? ""].join(":"),
        HOME: tree.path("home"),
        GIT_CONFIG_NOSYSTEM: "1",
      };
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: tree.path("repo"), env, encoding: "utf8" });
      return { status, said: stdout + stderr };
    };
    tree.write("repo/README.md", "Read.\n");
    git(tree, "add", "README.md");
    expect(run().status).toBe(0);
    tree.write("repo/CLAUDE.md", "AGENTS.md");
    git(tree, "add", "CLAUDE.md");
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said).toContain("CLAUDE.md:1 error instructions-lost-link");
    expect(said).not.toContain("old/AGENTS.md");
  });
}
