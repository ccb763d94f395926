import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { profileNames } from "../../src/clients/registry.ts";
import { ExplanationSchema, type Explanation } from "../../src/report/schema.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const SKILL = "---\nname: greet\ndescription: Greets people\n---\nHello.\n";
const PROJECT = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "AGENTS.md": "Root.\n",
  "app/AGENTS.override.md": "Override.\n",
  "app/AGENTS.md": "App.\n",
  "app/main.ts": "",
  "lib/CLAUDE.md": "Memory.\n",
  "lib/AGENTS.md": " \n",
  ".agents/skills/greet/SKILL.md": SKILL,
  "app/.claude/skills/own/SKILL.md": SKILL.replace("greet", "own"),
};

function explain(tree: TempTree, home: TempTree, ...args: string[]): Explanation {
  const { stdout, stderr, exitCode } = runCodelia(["explain", "--json", ...args], { cwd: tree.root, home: home.root });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return ExplanationSchema.parse(JSON.parse(stdout));
}

/** By client, `name status`; the name from the tree's root. */
function states(tree: TempTree, { clients }: Explanation): Record<string, string[]> {
  return Object.fromEntries(
    clients.map(({ client, files }) => [
      client,
      files.map(({ path, status, reason }) => `${path.slice(tree.root.length + 1)} ${status} ${reason}`),
    ]),
  );
}

describe("explain", () => {
  test("says what each client makes of each file on the way to a path", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    expect(states(tree, explain(tree, home, "app/new/file.ts"))).toEqual({
      raw: [
        "AGENTS.md loaded reads-it",
        "app/AGENTS.override.md loaded reads-it",
        "app/AGENTS.md shadowed earlier-name",
      ],
      claude: ["AGENTS.md loaded reads-it", "app/AGENTS.md loaded reads-it"],
      codex: [
        "AGENTS.md loaded reads-it",
        "app/AGENTS.override.md loaded reads-it",
        "app/AGENTS.md shadowed earlier-name",
      ],
    });
    expect(states(tree, explain(tree, home, "lib", "--as", "codex,claude"))).toEqual({
      codex: ["AGENTS.md loaded reads-it", "lib/AGENTS.md skipped blank"],
      claude: ["AGENTS.md shadowed silenced", "lib/CLAUDE.md loaded reads-it", "lib/AGENTS.md shadowed silenced"],
    });
  });

  test("names the file in whose favour another is not read", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    const [codex, claude] = explain(tree, home, "lib", "--as", "codex,claude").clients;
    expect(claude?.files[0]).toMatchObject({ by: tree.path("lib/CLAUDE.md"), bytesShown: 0, bytesTotal: 6 });
    expect(codex).toMatchObject({ root: tree.root, budget: { limitBytes: 32_768, usedBytes: 6 } });
  });

  test("gives one row for each file and client, with the cause that decides", () => {
    using tree = tempTree({
      ".git/HEAD": "ref: refs/heads/main\n",
      "AGENTS.md": "Root.\n",
      "CLAUDE.md": "Memory. @AGENTS.md\n",
      "packages/api/AGENTS.md": "Api.\n",
      "packages/web/CLAUDE.md": "Web. @../../AGENTS.md\n",
    });
    using home = tempTree();
    // The import would load the root's AGENTS.md only if the user approved it.
    const refused = "AGENTS.md skipped outside-root";
    expect(states(tree, explain(tree, home, "packages/api", "--as", "claude"))["claude"]).toEqual([
      "CLAUDE.md loaded reads-it",
      refused,
      "packages/api/AGENTS.md shadowed silenced",
    ]);
    expect(states(tree, explain(tree, home, "packages/web", "--as", "claude"))["claude"]).toEqual([
      "CLAUDE.md loaded reads-it",
      refused,
      "packages/web/CLAUDE.md loaded reads-it",
    ]);
    expect(states(tree, explain(tree, home, ".", "--as", "claude"))["claude"]).toEqual([
      "CLAUDE.md loaded reads-it",
      "AGENTS.md loaded reads-it",
    ]);
    const args = ["explain", "--as", "claude", "--no-state", "packages/api"];
    const { stdout } = runCodelia(args, { cwd: tree.root, home: home.root });
    expect(stdout.replaceAll(tree.root, "/r")).toContain(
      "AGENTS.md  claude  skipped: it is outside the working directory, and nothing allows it (imported by /r/CLAUDE.md)\n",
    );
    home.write(
      ".claude.json",
      JSON.stringify({ projects: { [tree.root]: { hasClaudeMdExternalIncludesApproved: true } } }),
    );
    expect(states(tree, explain(tree, home, "packages/api", "--as", "claude"))["claude"]?.slice(0, 2)).toEqual([
      "CLAUDE.md loaded reads-it",
      "AGENTS.md loaded reads-it",
    ]);
  });

  test("cuts and leaves out by the settings of Codex and by ours", () => {
    using tree = tempTree({ ...PROJECT, ".codelia/config.json": '{"agents":{"initial":{"maxBytes":9}}}' });
    using home = tempTree({ ".codex/config.toml": "project_doc_max_bytes = 6\n" });
    const shown = explain(tree, home, "app", "--as", "raw,codex").clients.map(({ files }) =>
      files.map(({ status, bytesShown, bytesTotal }) => `${status} ${bytesShown}/${bytesTotal}`),
    );
    expect(shown).toEqual([
      ["loaded 6/6", "cut 3/10", "shadowed 0/5"],
      ["loaded 6/6", "left-out 0/10", "shadowed 0/5"],
    ]);
  });

  test("says what was told, in which epoch, and only reads the ledger", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    const where = { cwd: tree.root, home: home.root };
    const told = () => {
      const before = existsSync(tree.path(".codelia")) ? tree.read(".codelia/session.json") : "";
      const explanation = explain(tree, home, "app", "--session", "s");
      expect(existsSync(tree.path(".codelia")) ? tree.read(".codelia/session.json") : "").toBe(before);
      return [
        explanation.context?.epoch,
        ...explanation.told.map(({ path, state }) => `${path.slice(tree.root.length + 1)} ${state}`),
      ];
    };
    expect(told()).toEqual([0, "AGENTS.md pending", "app/AGENTS.override.md pending"]);
    expect(existsSync(tree.path(".codelia"))).toBe(false);
    runCodelia(["init-context", "--session", "s"], where);
    expect(told()).toEqual([1, "AGENTS.md told", "app/AGENTS.override.md pending"]);
    tree.write("AGENTS.md", "Root, changed.\n");
    expect(told()).toEqual([1, "AGENTS.md changed", "app/AGENTS.override.md pending"]);
    expect(explain(tree, home, "app", "--session", "s", "--no-state")).toMatchObject({ context: null, told: [] });
  });

  test("says which clients see a skill", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    const seen = ({ skills }: Explanation) => skills.map(({ name, visibleTo }) => [name, ...visibleTo].join(" "));
    expect(seen(explain(tree, home, "app"))).toEqual(["own claude", "greet raw codex"]);
    tree.write("app/.agents/keep", "");
    symlinkSync("../.claude/skills", tree.path("app/.agents/skills"));
    expect(seen(explain(tree, home, "app")).toSorted()).toEqual(["greet raw codex", "own raw claude codex"]);
    tree.write(".codelia/config.json", '{"skills":{"disabled":["greet"]}}');
    expect(seen(explain(tree, home, ".", "--as", "raw,claude"))).toEqual(["greet"]);
  });

  test("prints a tree for people, with what can't be seen made visible", () => {
    using tree = tempTree({ ...PROJECT, "a\u202Eb/AGENTS.md": "x" });
    using home = tempTree();
    const args = ["explain", "--as", "codex,claude", "--no-state", "a\u202Eb"];
    const { stdout, stderr, exitCode } = runCodelia(args, { cwd: tree.root, home: home.root });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout.replaceAll(tree.root, "/r")).toBe(`what is read by sessions that begin in /r/a\\u{202e}b

/r/
  AGENTS.md
    codex   loaded 6 bytes
    claude  loaded 5 bytes: 1 byte of blank space, front matter or comments removed
  a\\u{202e}b/
    AGENTS.md
      codex   loaded 1 byte
      claude  loaded 1 byte

budgets:
  codex   7 of 32,768 bytes, from /r
  claude  no limit (Claude Code)

skills:
  greet  visible to codex  /r/.agents/skills/greet/SKILL.md
`);
  });

  test("writes a page that stands alone, or says that it can't", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    const where = { cwd: tree.root, home: home.root };
    const written = runCodelia(["explain", "--html", "page.html"], where);
    expect(written).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    const page = readFileSync(tree.path("page.html"), "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(?:src|href)=/);
    const refused = runCodelia(["explain", "--html", "AGENTS.md/page.html"], where);
    expect({ ...refused, stderr: refused.stderr.replaceAll(tree.root, "/r") }).toEqual({
      stdout: "",
      stderr: "codelia: page '/r/AGENTS.md/page.html' can't be written (ENOTDIR)\n",
      exitCode: 64,
    });
  });

  test.each([
    [["explain", "--as", "codx"], "codelia: unknown client 'codx', did you mean 'codex'?\n", 1],
    [["explain", ""], "codelia: '' is not a path; is a variable unset?\n", 64],
    [["init-context", "--as", "raw"], `codelia: unknown client 'raw'; one of ${profileNames().join(", ")}\n`, 1],
    [["init-context", "--as", "codex", "--only", "skills"], "codelia: '--as' and '--only' can't be combined\n", 64],
  ] as const)("refuses %p", (args, stderr, exitCode) => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    expect(runCodelia(args, { cwd: tree.root, home: home.root })).toEqual({ stdout: "", stderr, exitCode });
  });
});

describe("init-context --as", () => {
  test("prints what the client would give its model, and leaves no trace", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree({ ".codex/AGENTS.md": "\nHome.\n", ".claude/CLAUDE.md": "Mine.\n" });
    const as = (client: string) => {
      const { stdout, stderr, exitCode } = runCodelia(["init-context", "--as", client], {
        cwd: tree.path("app"),
        home: home.root,
      });
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      return stdout.replaceAll(tree.root, "/r").replaceAll(home.root, "/h");
    };
    expect(as("codex")).toBe(
      "# AGENTS.md instructions for /r/app\n\n<INSTRUCTIONS>\nHome.\n\n--- project-doc ---\n\nRoot.\n\n\nOverride.\n\n</INSTRUCTIONS>",
    );
    expect(as("claude").split("\n\n").slice(1)).toEqual([
      "Contents of /h/.claude/CLAUDE.md (user's private global instructions for all projects):",
      "Mine.",
      "Contents of /r/AGENTS.md (project instructions, checked into the codebase):",
      "Root.",
      "Contents of /r/app/AGENTS.md (project instructions, checked into the codebase):",
      "App.\n</system-reminder>",
    ]);
    expect(existsSync(tree.path(".codelia"))).toBe(false);
  });

  test("goes by '--cwd' as it is named, and by the directory itself otherwise", () => {
    using tree = tempTree({ ...PROJECT, link: { link: "app" } });
    using home = tempTree();
    const where = { cwd: tree.path("link"), home: home.root, env: { PWD: tree.path("link") } };
    const heading = (...args: string[]) =>
      runCodelia(["init-context", "--as", "codex", ...args], where).stdout.split("\n", 1)[0];
    expect(heading()).toBe(`# AGENTS.md instructions for ${tree.path("app")}`);
    expect(heading("--cwd", tree.path("link"))).toBe(`# AGENTS.md instructions for ${tree.path("link")}`);
  });

  test("says that a client follows a link out of the project", () => {
    using outside = tempTree({ secret: "Secret.\n" });
    using tree = tempTree({ ".git/HEAD": "x", "AGENTS.md": { link: outside.path("secret") } });
    using home = tempTree();
    const { stdout, stderr } = runCodelia(["init-context", "--as", "codex"], { cwd: tree.root, home: home.root });
    expect(stdout).toContain("Secret.");
    expect(stderr).toBe(
      `codelia: warning: '${tree.path("AGENTS.md")}' is a link that leads outside the root, and Codex follows it\n`,
    );
  });

  test("says what the client's budget keeps from its model", () => {
    using tree = tempTree({ ...PROJECT, "AGENTS.md": "0123456789", "app/deep/AGENTS.md": "Deep.\n" });
    using home = tempTree({ ".codex/config.toml": "project_doc_max_bytes = 4\n" });
    const where = { cwd: tree.path("app/deep"), home: home.root };
    const { stdout, stderr, exitCode } = runCodelia(["init-context", "--as", "codex"], where);
    expect(stdout).toEndWith("\n0123\n</INSTRUCTIONS>");
    expect({ stderr: stderr.replaceAll(tree.root, "/r"), exitCode }).toEqual({
      stderr: [
        "codelia: warning: Codex reads only 4 of 10 bytes of '/r/AGENTS.md'\n",
        "codelia: warning: Codex reads nothing of '/r/app/AGENTS.override.md': its budget is used up before it\n",
        "codelia: warning: Codex reads nothing of '/r/app/deep/AGENTS.md': its budget is used up before it\n",
      ].join(""),
      exitCode: 0,
    });
    expect(runCodelia(["init-context", "--as", "codex", "--quiet"], where)).toMatchObject({ stdout, stderr: "" });
  });

  test("with --json also says what became of each file", () => {
    using tree = tempTree(PROJECT);
    using home = tempTree();
    const { stdout } = runCodelia(["init-context", "--as", "codex", "--json"], {
      cwd: tree.path("app"),
      home: home.root,
    });
    const { context, files } = JSON.parse(stdout);
    expect(context).toStartWith("# AGENTS.md instructions for ");
    expect(files).toHaveLength(3);
  });
});

describe("explain --as raw agrees with init-context", () => {
  const long = "é".repeat(3000);
  const settings = (agents: object) => ({ ".codelia/config.json": JSON.stringify({ agents }) });
  test.each([
    ["on the chain", PROJECT],
    [
      "on a blank override, links and what is no file",
      {
        ...PROJECT,
        "AGENTS.override.md": " \n",
        "app/AGENTS.override.md": { link: "nowhere" },
        "app/AGENTS.md": { link: "../lib/CLAUDE.md" },
      },
    ],
    ["on a link out of the root", { ...PROJECT, "app/AGENTS.override.md": { link: "/etc/hostname" } }],
    ["on one file by two names", { ...PROJECT, "app/AGENTS.override.md": { link: "../AGENTS.md" } }],
    [
      "on a byte order mark, within a character",
      { ...PROJECT, "AGENTS.md": `\u{FEFF}${long}`, ...settings({ initial: { maxBytes: 4001 } }) },
    ],
    [
      "on the nearest first",
      { ...PROJECT, "AGENTS.md": long, ...settings({ initial: { maxBytes: 4001, keep: "nearest-first" } }) },
    ],
    ["on a limit of files", { ...PROJECT, ...settings({ initial: { maxFiles: 1 } }) }],
    [
      "on further names",
      {
        ...PROJECT,
        "app/AGENTS.local.md": "Mine.",
        "X.md": "X.",
        "AGENTS.md": { dir: true },
        ...settings({ fallbackFilenames: ["X.md"], additionalFilenames: ["AGENTS.local.md"] }),
      },
    ],
    ["on ignored directories", { ...PROJECT, ...settings({ ignore: ["app"] }) }],
  ] as const)("%s", (_, files) => {
    using tree = tempTree(files);
    using home = tempTree({ ".codelia/AGENTS.md": "Home.\n" });
    const where = { cwd: tree.path("app"), home: home.root };
    const told = JSON.parse(
      runCodelia(["init-context", "--only", "agents", "--no-state", "--json", "--quiet"], where).stdout,
    );
    const { stdout } = runCodelia(["explain", "--as", "raw", "--json", "--quiet"], where);
    const { files: explained } = ExplanationSchema.parse(JSON.parse(stdout)).clients[0]!;
    const read = explained.filter(({ bytesShown }) => bytesShown > 0);
    expect(
      read.map(({ path, bytesShown, bytesTotal }) => ({ path, shownBytes: bytesShown, sizeBytes: bytesTotal })),
    ).toEqual(told.files);
    const leftOut = explained.filter(({ status }) => status === "left-out");
    expect(leftOut.map(({ path, bytesTotal }) => ({ path, sizeBytes: bytesTotal }))).toEqual(told.leftOut);
  });
});
