import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

const TIMEOUT_MS = 2000;

// Programs set PWD as they like: a shell's `cd /r/` leaves no slash, an `env: { PWD: "/r/" }` does.
const SPELLINGS: [what: string, spell: (tree: TempTree) => string][] = [
  ["as it is", (tree) => tree.path("r/a")],
  ["with a slash at its end", (tree) => `${tree.path("r/a")}/`],
  ["with a slash at its end, where the root is", (tree) => `${tree.path("r")}/`],
  ["with two slashes in it", (tree) => `${tree.root}//r/a`],
  ["with two slashes before it", (tree) => `/${tree.path("r/a")}`],
  ["with a dot in it", (tree) => `${tree.root}/./r/a/.`],
  ["with two dots in it", (tree) => `${tree.root}/r/a/../a`],
  ["as another directory", (tree) => tree.path("other")],
  ["as a directory that is not there", (tree) => tree.path("missing")],
  ["as a relative path", () => "r/a"],
  ["not at all", () => ""],
];
for (const [what, spell] of SPELLINGS) {
  test(`resolve finds its way when PWD names the working directory ${what}`, () => {
    using tree = tempTree({
      "r/.git/": dir,
      "r/AGENTS.md": "r\n",
      "r/a/AGENTS.md": "a\n",
      "other/": dir,
      "home/": dir,
    });
    const pwd = spell(tree);
    const isRoot = pwd === `${tree.path("r")}/`;
    const main = join(REPOSITORY, "src/main.ts");
    const target = isRoot ? "a/file" : "file";
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, "resolve", "--no-state", "--json", target], {
      cwd: tree.path(isRoot ? "r" : "r/a"),
      env: { HOME: tree.path("home"), PWD: pwd, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    expect([status, stderr]).toEqual([0, ""]);
    const paths = JSON.parse(stdout).files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual([tree.path("r/AGENTS.md"), tree.path("r/a/AGENTS.md")]);
  });
}
