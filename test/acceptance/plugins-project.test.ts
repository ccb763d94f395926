import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { before, eventText } from "../support/hook-calls.ts";
import { moduleOf, plugged, PROJECT_CONFIG, recorder, USER_CONFIG, type PluginEntry } from "../support/plugged.ts";
import type { Entry } from "../support/temp-tree.ts";
import { NOTHING, type Bench } from "./agents-bench.ts";

// A project's plugins run only after `codelia trust`, only unchanged, and only inside the project.

function projectWith(plugins: readonly PluginEntry[], more: Readonly<Record<string, Entry>> = {}): Bench {
  return plugged([], { [PROJECT_CONFIG]: JSON.stringify({ plugins }), ...more });
}

const MODULE: PluginEntry = { path: "plugins/p.ts", hooks: ["agents:chain"] };
const ADD = "return { ...data, files: [...data.files, { path: context.root + '/more.md' }] }";

function withModule(text = moduleOf("agents:chain", ADD)): Bench {
  return projectWith([MODULE], { "repo/.codelia/plugins/p.ts": text, "repo/more.md": "More.\n" });
}

function resolved(tree: Bench): string[] {
  const { stdout } = tree.codelia(["resolve", "--json", "--no-state", "x"]);
  return JSON.parse(stdout).files.map(({ path }: { path: string }) => path.slice(tree.path("repo/").length));
}

test("a project's plugin runs only after trust, and not once its file or its config has changed", () => {
  using tree = withModule();
  const untrusted = tree.codelia(["resolve", "--no-state", "x"]);
  expect(untrusted.stdout).not.toContain("more.md");
  expect(untrusted.stderr).toBe(
    `codelia: warning: config '${tree.path(PROJECT_CONFIG)}': 'plugins' is not in force: you have not trusted this project; run 'codelia trust' in '${tree.path("repo")}' to review it\n`,
  );
  const { stderr } = tree.codelia(["trust", "--yes"]);
  expect(stderr).toContain(`  asks for plugins[0] = {"path":"plugins/p.ts","hooks":["agents:chain"]}\n`);
  expect(stderr).toContain("  .codelia/plugins/p.ts  (");
  expect(resolved(tree)).toEqual(["AGENTS.md", "more.md"]);

  tree.write("repo/.codelia/plugins/p.ts", moduleOf("agents:chain", `${ADD};`));
  const changed = tree.codelia(["resolve", "--no-state", "x"]);
  expect(changed.stdout).not.toContain("more.md");
  expect(changed.stderr).toBe(
    `codelia: warning: plugin 'p' is skipped at 'agents:chain': '.codelia/plugins/p.ts' has changed since it was trusted; run 'codelia trust' in '${tree.path("repo")}' to review it\n`,
  );
  tree.codelia(["trust", "--yes"]);
  expect(resolved(tree)).toEqual(["AGENTS.md", "more.md"]);

  tree.write(PROJECT_CONFIG, `${tree.read(PROJECT_CONFIG)} `);
  expect(resolved(tree)).toEqual(["AGENTS.md"]);
  const waiting = `p  (the project's, not trusted, plugins[0] in ${tree.path(PROJECT_CONFIG)})\n  not run: you do not trust this config file as it is; run 'codelia trust' to review it\n`;
  expect(tree.codelia(["plugins"]).stdout).toStartWith(waiting);
  tree.codelia(["trust", "--yes"]);
  expect(tree.codelia(["plugins"]).stdout).toStartWith("p  (the project's, trusted, ");
  tree.codelia(["trust", "--revoke"]);
  expect(resolved(tree)).toEqual(["AGENTS.md"]);
  expect(tree.codelia(["plugins", "--quiet"]).stdout).toStartWith(waiting);
});

test("a clone's plugin leaves no trace before trust, whatever is called", () => {
  const hooks = ["agents:chain", "agents:pending", "skills:catalog", "skills:ranked", "reminder:before", "hook:event"];
  using tree = projectWith([
    { path: "plugins/p.ts", hooks },
    { command: ["./plugins/p.sh"], hooks },
  ]);
  tree.write(
    "repo/.codelia/plugins/p.ts",
    `require("fs").writeFileSync(${JSON.stringify(tree.path("EVIDENCE"))}, "");`,
  );
  tree.write("repo/.codelia/plugins/p.sh", `#!/bin/sh\n: >${tree.path("EVIDENCE")}\n`);
  chmodSync(tree.path("repo/.codelia/plugins/p.sh"), 0o755);
  const stdin = eventText(tree, before("Edit", { file_path: "x" }));
  for (const args of [
    ["resolve", "x"],
    ["init-context"],
    ["resume-diff"],
    ["skills", "list"],
    ["skills", "search", "shop"],
    ["hook", "claude"],
    ["plugins"],
    ["trust"],
    ["trust", "--list"],
    ["config"],
    ["inspect"],
    ["doctor"],
  ]) {
    tree.codelia(args, { stdin });
  }
  expect(existsSync(tree.path("EVIDENCE"))).toBeFalse();
});

test("what runs is the copy in the trust store, in a directory of copies only", () => {
  using tree = withModule("");
  tree.write(
    "repo/.codelia/plugins/p.ts",
    recorder(
      "agents:chain",
      tree.path("seen"),
      `fs.writeFileSync(${JSON.stringify(tree.path("where"))}, process.cwd() + "\\n" + import.meta.url);`,
    ),
  );
  tree.write("repo/.codelia/plugins/other.ts", "");
  tree.codelia(["trust", "--yes"]);
  tree.codelia(["resolve", "x"]);
  const [cwd = "", url = ""] = tree.read("where").split("\n");
  expect(cwd).toStartWith(tree.path("home/.local/state/codelia/trust/"));
  expect(url).toBe(`file://${cwd}/plugins/p.ts`);
  expect(existsSync(`${cwd}/plugins/other.ts`)).toBeFalse();
});

test("a project's program runs as a copy; one that is no program any more is a change", () => {
  const program = `#!/bin/sh\ncat >/dev/null\nprintf '{"targets":[],"files":[{"path":"%s/more.md"}]}' "$1"\n`;
  using tree = projectWith([{ command: ["plugins/p.sh", "ROOT"], hooks: ["agents:chain"] }], {
    "repo/more.md": "More.\n",
  });
  tree.write(PROJECT_CONFIG, tree.read(PROJECT_CONFIG).replace("ROOT", tree.path("repo")));
  tree.write("repo/.codelia/plugins/p.sh", program);
  tree.codelia(["trust", "--yes"]);
  expect(tree.codelia(["resolve", "--no-state", "x"]).stderr).toContain(
    "plugin 'p' is skipped at 'agents:chain': it can't be started (EACCES)",
  );
  chmodSync(tree.path("repo/.codelia/plugins/p.sh"), 0o755);
  expect(tree.codelia(["resolve", "--no-state", "x"]).stderr).toContain("has changed since it was trusted");
  tree.codelia(["trust", "--yes"]);
  expect(resolved(tree)).toEqual(["more.md"]);
});

for (const [what, path, reason] of [
  ["outside the project", "/etc/hostname", "'/etc/hostname' is outside the project"],
  ["outside by a link", "ROOT/out.md", "out.md' is outside the project"],
  ["that is no instruction file", "ROOT/.env", ".env' is not a *.md file"],
  ["that is none behind its link", "ROOT/in.md", "in.md' is not a *.md file"],
] as const) {
  test(`a trusted project's plugin can't add a file ${what}`, () => {
    using tree = projectWith([MODULE], {
      "repo/.env": "SECRET=1\n",
      "repo/in.md": { link: ".env" },
      "repo/out.md": { link: "../home/notes.md" },
      "home/notes.md": "Mine.\n",
    });
    const added = JSON.stringify(path.replace("ROOT", tree.path("repo")));
    tree.write(
      "repo/.codelia/plugins/p.ts",
      moduleOf("agents:chain", `return { ...data, files: [...data.files, { path: ${added} }] }`),
    );
    tree.codelia(["trust", "--yes"]);
    const { stdout, stderr } = tree.codelia(["init-context", "--only", "agents"]);
    expect(stdout).toContain("Root.");
    expect(stdout).not.toMatch(/SECRET|Mine/);
    expect(stderr).toContain(reason);
  });
}

for (const [what, plugin] of [
  ["above the project", { path: "../../p.ts", hooks: ["agents:chain"] }],
  ["by an absolute path", { path: "/tmp/p.ts", hooks: ["agents:chain"] }],
  ["by a drive", { path: "C:/p.ts", hooks: ["agents:chain"] }],
  ["with backslashes", { path: "..\\..\\p.ts", hooks: ["agents:chain"] }],
  ["as a program on PATH", { command: ["node", "p.mjs"], hooks: ["agents:chain"] }],
  ["as a program above", { command: ["../../p.sh"], hooks: ["agents:chain"] }],
  ["as the root", { command: [".."], hooks: ["agents:chain"] }],
] as const) {
  test(`a plugin that a project names ${what} is refused, and can't be trusted`, () => {
    using tree = projectWith([plugin, MODULE], {
      "repo/.codelia/plugins/p.ts": moduleOf("agents:chain", ADD),
      "repo/more.md": "More.\n",
      "p.ts": "",
      "p.sh": { text: "#!/bin/sh\n", mode: 0o755 },
    });
    expect(tree.codelia(["trust", "--yes"])).toMatchObject({ stdout: "", exitCode: 1 });
    const { stderr } = tree.codelia(["resolve", "x"]);
    expect(stderr).toContain(
      "the path of a file inside the project; until this is fixed, no plugin of the project counts",
    );
    expect(resolved(tree)).toEqual(["AGENTS.md"]);
  });
}

test("a project's plugin has no say in where the root is", () => {
  using tree = projectWith([{ path: "plugins/p.ts", hooks: ["root:resolved", "agents:chain"] }], {
    "repo/.codelia/plugins/p.ts": `export default { "root:resolved": () => ({ directory: "/", reason: "plugin" }), "agents:chain"() {} };`,
  });
  expect(tree.codelia(["trust", "--yes"]).stderr).toContain(`"hooks":["agents:chain"]`);
  const { stdout, stderr } = tree.codelia(["inspect", "--json"]);
  expect(JSON.parse(stdout).root.directory).toBe(tree.path("repo"));
  expect(stderr).toContain("'root:resolved' is ignored in a project's own config");
});

for (const [what, more] of [
  [
    "a link",
    { "repo/.codelia/plugins/p.ts": { link: "../../real.ts" }, "repo/real.ts": moduleOf("agents:chain", ADD) },
  ],
  [
    "in a linked directory",
    { "repo/.codelia/plugins": { link: "../real" }, "repo/real/p.ts": moduleOf("agents:chain", ADD) },
  ],
  ["not there", {}],
  ["a pipe", { "repo/.codelia/plugins/p.ts": { fifo: true } }],
] as const) {
  test(`a project's plugin that is ${what} can't be trusted`, () => {
    using tree = projectWith([MODULE], more as Record<string, Entry>);
    const { stderr, exitCode } = tree.codelia(["trust", "--yes"], { timeoutMs: 5_000 });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`'${tree.path("repo")}' can't be trusted: `)]);
    expect(tree.codelia(["trust", "--list"])).toEqual(NOTHING);
  });
}

test("the user's own plugins run in every project, a stranger's beside them or not", () => {
  using tree = withModule();
  tree.write(USER_CONFIG, JSON.stringify({ plugins: [{ path: "mine.ts", hooks: ["agents:chain"] }] }));
  tree.write("home/.codelia/mine.ts", moduleOf("agents:chain", "return { ...data, files: [...data.files].reverse() }"));
  mkdirSync(tree.path("repo/b"));
  tree.write("repo/b/AGENTS.md", "B.\n");
  const { stdout } = tree.codelia(["resolve", "--json", "--no-state", "b/x"]);
  expect(JSON.parse(stdout).files.map(({ path }: { path: string }) => path)).toEqual([
    tree.path("repo/b/AGENTS.md"),
    tree.path("repo/AGENTS.md"),
  ]);
});
