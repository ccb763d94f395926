import { expect, test } from "bun:test";
import { runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree } from "../support/temp-tree.ts";
import { HARNESS, HARNESS_TEST_MS, runHarness } from "./lib/harness.ts";
import { turnsOf } from "./lib/seen.ts";

// What `init-context --as` prints of the clients without tests of their own, against what their models were sent.
// test/conformance holds their profiles to a record of many more trees.

const FILES = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/objects/": dir,
  ".git/refs/": dir,
  "AGENTS.md": "\nRule of the root.\n\n",
  "GEMINI.md": "Rule of the root for one.\n",
  "CLAUDE.md": "Rule of the root for another.\n",
  "sub/AGENTS.md": "Rule of sub.\n\n@more.md and `@code.md`\n{file:more.md}, {file:none.md}\n",
  "sub/.kilo/rules/some.md": "Rule of one client.\n",
  "sub/more.md": "More of sub.\n",
  // Of opencode and Kilo Code.
  "opencode.json": JSON.stringify({
    instructions: ["docs/*.md", "./AGENTS.md", "sub/**/deep.txt", "gone.md"],
  }),
  "sub/opencode.jsonc": '// One more.\n{ "instructions": ["{link,other}.md"], }\n',
  "docs/one.md": "One of the docs.\n",
  "sub/docs/one.md": "One of the docs of sub.\n",
  "sub/a/.b/deep.txt": "Deep in sub.\n",
  "link.md": { link: "docs/.two" },
  "docs/.two": "By a link.\n",
};
const HOME = {
  ".gemini/settings.json": JSON.stringify({ context: { fileName: ["AGENTS.md", "GEMINI.md"] } }),
  ".gemini/GEMINI.md": "Rule of the user.\n",
  ".qwen/QWEN.md": "Rule of the user.\n",
  ".config/opencode/AGENTS.md": "Rule of the user.\n",
  ".config/kilo/AGENTS.md": "Rule of the user.\n",
  ".config/opencode/opencode.json": '{ "instructions": ["~/user.md"] }',
  ".config/kilo/kilo.json": '{ "instructions": ["~/user.md"] }',
  "user.md": "As the user's config says.\n",
  ".kilo/rules/some.md": "Rule of the user for one client.\n",
  ".copilot/copilot-instructions.md": "Rule of the user.\n",
  ".agents/AGENTS.md": "Rule of the user.\n",
  ".pi/agent/AGENTS.md": "Rule of the user.\n",
};
const OTHERS = HARNESS.filter(({ name }) => !["claude", "codex"].includes(name));

for (const { name, title, client } of OTHERS) {
  test.skipIf(client.missing !== undefined)(
    `${title} and our profile of it agree on the text`,
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree(HOME);
      const cwd = tree.path("sub");
      const { stdout, exitCode } = runCodelia(["init-context", "--as", name, "--quiet"], { cwd, home: home.root });
      const run = await runHarness(name, { tree, home, cwd, script: {} });
      const seen = (turnsOf(run)[0]?.seen ?? []).map(({ text }) => text).join("\n");
      expect([exitCode, run.exitCode]).toEqual([0, 0]);
      expect(stdout).toContain("Rule of sub.");
      // Gemini CLI gives the user's and the project's at two places.
      for (const part of stdout.split(/\n\n(?=<loaded_context>)/)) expect(seen).toContain(part);
    },
    HARNESS_TEST_MS,
  );
}
