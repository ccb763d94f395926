import { describe, expect, test } from "bun:test";
import { moduleOf, plugged } from "../support/plugged.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { RUNTIMES } from "./runtimes.ts";

// A plugin's module is loaded by whatever runs codelia; a program is a program everywhere.

const TIMEOUT_MS = 60_000;
const BODY = "return { ...data, files: [...data.files, { path: context.root + '/more.md' }] };";
const TYPED = `interface Data { files: { path: string }[] }
export default { "agents:chain"(data: Data, context: { root: string }): Data { ${BODY} } };
`;
const CASES = [
  ["p.mjs", moduleOf("agents:chain", BODY)],
  ["p.ts", TYPED],
  ["p.sh", `#!/bin/sh\ncat >/dev/null\nprintf '{"targets":[],"files":[{"path":"%s/more.md"}]}' "$ROOT"\n`],
] as const;

describe.each(RUNTIMES)("codelia in $name", ({ name, program, args }) => {
  // Deno starts nothing unless it is told that it may.
  const allowed = name === "Deno" ? [...args.slice(0, -1), "--allow-run", ...args.slice(-1)] : args;
  test.skipIf(program === undefined).each(CASES)(
    "has its say by the plugin %s, or says why not",
    (file, text) => {
      const entry = file === "p.sh" ? { command: [`./${file}`] } : { path: file };
      using tree = plugged([{ ...entry, hooks: ["agents:chain"] }], {
        [`home/.codelia/${file}`]: { text, mode: 0o755 },
        "repo/more.md": "More.\n",
      });
      const { stdout, stderr, exitCode } = runCodelia([...allowed, "resolve", "--no-state", "x"], {
        binary: program ?? "",
        cwd: tree.path("repo"),
        home: tree.path("home"),
        env: { ROOT: tree.path("repo") },
        timeoutMs: TIMEOUT_MS,
      });
      expect(exitCode).toBe(0);
      const isLoaded = name !== "Node" || file !== "p.ts" || loadsTypeScript(program ?? "");
      if (isLoaded) {
        expect(stderr).toBe("");
        expect(stdout).toContain("more.md");
      } else {
        expect(stderr).toBe(
          "codelia: warning: plugin 'p' is skipped at 'agents:chain': this Node can't load TypeScript; use the codelia binary, Node 22.18 or later, Bun or Deno, or write the plugin as .mjs\n",
        );
        expect(stdout).toContain("AGENTS.md");
      }
    },
    TIMEOUT_MS,
  );
});

test.skipIf(RUNTIMES[2]?.program === undefined)(
  "Node that was given a link without an ending, as package managers make them, finds the way back",
  () => {
    const { program = "", args } = RUNTIMES[2] ?? { args: [] };
    using tree = plugged([{ path: "p.mjs", hooks: ["agents:chain"] }], {
      "home/.codelia/p.mjs": moduleOf("agents:chain", BODY),
      "repo/more.md": "More.\n",
      "bin/codelia": { link: args[0] ?? "" },
    });
    const { stdout, stderr, exitCode } = runCodelia([tree.path("bin/codelia"), "resolve", "--no-state", "x"], {
      binary: program,
      cwd: tree.path("repo"),
      home: tree.path("home"),
      timeoutMs: TIMEOUT_MS,
    });
    expect([stderr, exitCode]).toEqual(["", 0]);
    expect(stdout).toContain("more.md");
  },
  TIMEOUT_MS,
);

function loadsTypeScript(node: string): boolean {
  const { stdout } = runCodelia(["--print", "process.features.typescript ?? false"], {
    binary: node,
    cwd: "/",
    home: "/",
  });
  return stdout.trim() !== "false";
}

test.skipIf(RUNTIMES[1]?.program === undefined)(
  "Deno that may start nothing says so, and the answer comes",
  () => {
    const { program = "", args } = RUNTIMES[1] ?? { args: [] };
    using tree = plugged([{ path: "p.mjs", hooks: ["agents:chain"] }], {
      "home/.codelia/p.mjs": moduleOf("agents:chain", BODY),
    });
    const { stdout, stderr, exitCode } = runCodelia([...args, "resolve", "--no-state", "x"], {
      binary: program,
      cwd: tree.path("repo"),
      home: tree.path("home"),
      timeoutMs: TIMEOUT_MS,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("AGENTS.md")]);
    expect(stderr).toContain("plugin 'p' is skipped at 'agents:chain': it can't be started (");
  },
  TIMEOUT_MS,
);
