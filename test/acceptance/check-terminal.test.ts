import { expect, test } from "bun:test";
import { checkProject } from "../support/check-project.ts";
import { runAtTerminal } from "../support/run-at-terminal.ts";

// What `codelia check` shows at a terminal: the same lines as elsewhere, wrapped at words, with the line of the file and a caret.

const FILES = {
  "AGENTS.md": "Be brief.\n\n- Keep to 漢\t`docs/none.md`.\n",
  "a/AGENTS.md": "",
  "b/AGENTS.md": `${"Long ".repeat(29)}Read \`docs/gone.md\` ${"and long ".repeat(30)}\n`,
};
const AT = { columns: 80, env: { TERM: "xterm", NO_COLOR: "1" } };

test("the line and a caret, below what is found", async () => {
  using tree = checkProject(FILES);
  const options = { cwd: tree.path("repo"), home: tree.path("home"), ...AT };
  const { shown, exitCode } = await runAtTerminal(["check", "--quiet"], options);
  expect({ shown, exitCode }).toEqual({
    shown: `AGENTS.md:3:14 warning instructions-missing-path 'docs/none.md' does not
  exist; add it or correct the path
    - Keep to 漢 \`docs/none.md\`.
                  ^

a/AGENTS.md:1 warning instructions-blank it is blank; write something into it,
  or remove it

b/AGENTS.md:1:152 warning instructions-missing-path 'docs/gone.md' does not
  exist; add it or correct the path
    …ong Long Long Long Long Long Long Read \`docs/gone.md\` and long and long an…
                                             ^
`,
    exitCode: 0,
  });
});

test("in colours, where those are wanted", async () => {
  using tree = checkProject({ "a/AGENTS.md": "" });
  const options = { cwd: tree.path("repo"), home: tree.path("home"), ...AT, env: { TERM: "xterm" } };
  const { shown } = await runAtTerminal(["check", "--quiet"], options);
  expect(shown).toBe(
    "\u001B[1ma/AGENTS.md:1\u001B[0m \u001B[33mwarning\u001B[0m \u001B[2minstructions-blank\u001B[0m it is blank; write something into it,\n  or remove it\n",
  );
});
