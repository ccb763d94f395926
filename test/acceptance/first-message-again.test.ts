import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { dir } from "../support/temp-tree.ts";
import { bench, file } from "./agents-bench.ts";

// The message that began a context: printed again, and kept within bounds. More is in a scenario.

const S = ["--session", "s"];
const KEPT = "home/.local/state/codelia/beginnings";
const project = () => bench({ "repo/.git/": dir, "repo/AGENTS.md": file("Root.\n") });

test("init-context: at a terminal a new beginning says that it is one", async () => {
  using tree = project();
  const at = { cwd: tree.path("repo"), home: tree.path("home") };
  const says = "codelia: this context had begun before and now begins anew; '--again' prints the same as before\n";
  expect((await runAtTerminal(["init-context", ...S], at)).shown).not.toContain("begins anew");
  expect((await runAtTerminal(["init-context", ...S], at)).shown).toEndWith(says);
  expect((await runAtTerminal(["init-context", ...S, "--quiet"], at)).shown).not.toContain("begins anew");
  expect((await runAtTerminal(["init-context", ...S, "--again"], at)).shown).not.toContain("begins anew");
});

test("init-context: --again after a compaction prints the same bytes", () => {
  using tree = project();
  const first = tree.codelia(["init-context", ...S]);
  const event = { session_id: "s", cwd: tree.path("repo"), hook_event_name: "SessionStart", source: "compact" };
  expect(tree.codelia(["hook", "claude"], { stdin: JSON.stringify(event) })).toMatchObject({ exitCode: 0 });
  tree.write("repo/AGENTS.md", "Other.\n");
  expect(tree.codelia(["init-context", ...S, "--again"])).toEqual(first);
});

test("init-context: a file that is none of ours is not printed, and nothing lost keeps a context from beginning", () => {
  using tree = project();
  tree.codelia(["init-context", ...S]);
  const [name = ""] = readdirSync(tree.path(KEPT));
  for (const text of ["", "{", "[]", '{"message":"{}"}', tree.read(`${KEPT}/${name}`).replace('\\"s\\"', '\\"t\\"')]) {
    writeFileSync(tree.path(KEPT, name), text);
    const { stdout, stderr, exitCode } = tree.codelia(["init-context", ...S, "--again"]);
    expect({ stderr, exitCode }).toEqual({
      stderr: "codelia: warning: what this context began with is not kept, so it begins anew\n",
      exitCode: 0,
    });
    expect(stdout).toContain("Root.");
  }
});

test("init-context: the messages of a hundred contexts are kept, for the user alone", () => {
  using tree = project();
  tree.codelia(["init-context", ...S]);
  for (let index = 0; index < 120; index++) tree.write(`${KEPT}/old-${index}.json`, "{}");
  for (let index = 0; index < 120; index++) tree.touch(`${KEPT}/old-${index}.json`, 1_000_000_000_000 + index);
  tree.codelia(["init-context", "--session", "t"]);
  const names = readdirSync(tree.path(KEPT));
  expect(names).toHaveLength(100);
  expect(names).toContain("old-119.json");
  expect(names).not.toContain("old-0.json");
  for (const session of ["s", "t"]) {
    expect(tree.codelia(["init-context", "--session", session, "--again"])).toMatchObject({ stderr: "", exitCode: 0 });
  }
});
