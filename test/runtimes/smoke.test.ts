import { describe, expect, test } from "bun:test";
import { WORTH_GOING } from "../../src/lib/working-directory.ts";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { RUNTIMES } from "./runtimes.ts";

const FILES = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "AGENTS.md": "Keep it short.\n",
  "a/AGENTS.md": "Only in a.\n",
  "a/b.txt": "",
  ".codelia/config.yaml": "agents:\n  initial:\n    maxFiles: 5\n",
  "agent/agent.json": JSON.stringify({
    name: "hello",
    entryStep: "hello",
    steps: { hello: { prompt: { path: "hello.md" }, check: { type: "output", onPass: "complete" } } },
  }),
  "agent/hello.md": "Say hello.\n",
  ".agents/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets people\n---\nSay hello.\n",
};

const MANY_SKILLS = Object.fromEntries(
  Array.from({ length: WORTH_GOING }, (_, index) => [
    `.agents/skills/many-${index}/SKILL.md`,
    `---\nname: many-${index}\ndescription: One of many\n---\n`,
  ]),
);

/** Between them they load every package: one that a runtime can't load, or may not, shows here. */
const COMMANDS: readonly (readonly string[])[] = [
  ["--version"],
  ["--help"],
  ["resolve", "--help"],
  ["init-context", "--no-state", "--cwd", "."],
  ["resolve", "a/b.txt"],
  ["resolve", "--json", "a/b.txt"],
  ["skills", "list"],
  ["skills", "search", "greet"],
  ["skills", "load", "greet"],
  ["config", "--json"],
  ["schema", "config"],
  ["mcp"],
  ["agent", "validate", "agent"],
  ["agent", "start", "agent", "--session", "s"],
  ["agent", "run", "agent"],
  ["no-such-verb"],
  ["resolve", "--no-such-flag"],
];

/** What `mcp` is asked; the others read nothing. */
const REQUESTS = [
  { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
  {
    jsonrpc: "2.0",
    id: 3,
    method: "tools/call",
    params: { name: "agents_resolve", arguments: { paths: ["a/b.txt"] } },
  },
];
const STDIN = REQUESTS.map((request) => `${JSON.stringify(request)}\n`).join("");

/** Starting a runtime takes longer than starting the binary, and the first run of Deno compiles every module. */
const TIMEOUT_MS = 60_000;

describe.each(RUNTIMES)("codelia in $name", ({ program, args }) => {
  test.skipIf(program === undefined).each(COMMANDS.map((command) => [command.join(" "), command] as const))(
    "does as the binary: %s",
    (_, command) => {
      expect(play(program ?? "", [...args, ...command])).toEqual(play(CODELIA, command));
    },
    TIMEOUT_MS,
  );

  test.skipIf(program === undefined)(
    "finds skills among many as the binary does",
    () => {
      const files = { ...FILES, ...MANY_SKILLS };
      const told = play(program ?? "", [...args, "skills", "search", "one"], files);
      expect(told.stdout).toContain("many-");
      expect(told).toEqual(play(CODELIA, ["skills", "search", "one"], files));
    },
    TIMEOUT_MS,
  );
});

/** Runs a command in a new tree, always the same; where it and the home stand is left out of what the command prints. */
function play(program: string, args: readonly string[], files: Readonly<Record<string, string>> = FILES) {
  const untouched = Object.entries(files).map(([path, text]) => [path, { text, mtimeMs: 1_700_000_000_000 }]);
  using tree = tempTree(Object.fromEntries(untouched));
  using home = tempTree();
  const place = { cwd: tree.root, home: home.root, stdin: STDIN };
  const result = runCodelia(args, { ...place, binary: program, timeoutMs: TIMEOUT_MS });
  const { stdout, stderr, exitCode } = result;
  const withoutPlace = (text: string) =>
    text
      .replaceAll(tree.root, "<tree>")
      .replaceAll(home.root, "<home>")
      // How the program is called is another in each.
      .replaceAll(/(?<=[:(] ?)[^:(\n]*(?= (?:skills load|resolve) )/g, "codelia");
  return { stdout: withoutPlace(stdout), stderr: withoutPlace(stderr), exitCode };
}
