import { expect, test } from "bun:test";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// What `init-context --as codex` prints, according to the description of how Codex resolves AGENTS.md.
// e2e/codex-profile.test.ts compares it with the real client.

interface Scene {
  readonly files: Readonly<Record<string, Entry>>;
  readonly home?: Readonly<Record<string, Entry>>;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function run({ files, home = {}, cwd = "", env = {} }: Scene): RunResult & { readonly tree: string } {
  using tree: TempTree = tempTree(files);
  using homeTree: TempTree = tempTree(home);
  const result = runCodelia(["init-context", "--as", "codex"], { cwd: tree.path(cwd), home: homeTree.root, env });
  return { ...result, tree: tree.root };
}

/** The text between the tags. */
function textOf(scene: Scene): string {
  const { stdout, stderr, exitCode } = run(scene);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return /<INSTRUCTIONS>\n(.*)\n<\/INSTRUCTIONS>$/s.exec(stdout)?.[1] ?? "";
}

const REPOSITORY = { ".git/HEAD": "x" };
const configured = (toml: string) => ({ ".codex/config.toml": toml });

test("of each directory the first of override, AGENTS.md and fallbacks", () => {
  const files = {
    ...REPOSITORY,
    "AGENTS.override.md": "override",
    "AGENTS.md": "hidden",
    "a/AGENTS.md": "plain",
    "a/CLAUDE.md": "hidden",
    "a/b/CLAUDE.md": "second fallback",
    "a/b/c/RULES.md": "first fallback",
    "a/b/c/CLAUDE.md": "hidden",
  };
  const cwd = "a/b/c";
  expect(textOf({ files, cwd })).toBe("override\n\nplain");
  const home = configured('project_doc_fallback_filenames = ["RULES.md", "CLAUDE.md"]\n');
  expect(textOf({ files, cwd, home })).toBe("override\n\nplain\n\nsecond fallback\n\nfirst fallback");
});

test("the first file of the user's home that is not empty comes first", () => {
  const both = { ".codex/AGENTS.override.md": "mine", ".codex/AGENTS.md": "hidden" };
  expect(textOf({ files: REPOSITORY, home: both })).toBe("mine");
  expect(textOf({ files: REPOSITORY, home: { ...both, ".codex/AGENTS.override.md": " \n" } })).toBe("hidden");
  using elsewhere = tempTree({ "AGENTS.md": "elsewhere" });
  expect(textOf({ files: REPOSITORY, home: both, env: { CODEX_HOME: elsewhere.root } })).toBe("elsewhere");
});

test("the separator stands only between two texts", () => {
  const files = { ...REPOSITORY, "AGENTS.md": "root", "a/AGENTS.md": "a" };
  const home = { ".codex/AGENTS.md": "mine" };
  expect(textOf({ files, home, cwd: "a" })).toBe("mine\n\n--- project-doc ---\n\nroot\n\na");
  expect(textOf({ files, cwd: "a" })).toBe("root\n\na");
  expect(textOf({ files: REPOSITORY, home })).toBe("mine");
});

test("the markers are '.git', or those of the user's config", () => {
  const files = {
    ...REPOSITORY,
    "AGENTS.md": "root",
    "a/Cargo.toml": "",
    "a/AGENTS.md": "crate",
    "a/b/.hg/x": "",
    "a/b/AGENTS.md": "hg",
  };
  const cwd = "a/b";
  expect(textOf({ files, cwd })).toBe("root\n\ncrate\n\nhg");
  const markers = (list: string) => configured(`project_root_markers = ${list}\n`);
  expect(textOf({ files, cwd, home: markers('["Cargo.toml"]') })).toBe("crate\n\nhg");
  expect(textOf({ files, cwd, home: markers('["Cargo.toml", ".hg"]') })).toBe("hg");
  expect(textOf({ files, cwd, home: configured("project_root_markers = [\n") })).toBe("root\n\ncrate\n\nhg");
});

test("a project's own config doesn't move its root", () => {
  using tree = tempTree({
    ...REPOSITORY,
    "AGENTS.md": "root",
    "a/AGENTS.md": "a",
    "a/here": "",
    "a/.codex/config.toml": 'project_root_markers = ["here"]\n',
  });
  using home = tempTree({ ".codex/config.toml": `[projects."${tree.root}"]\ntrust_level = "trusted"\n` });
  const { stdout } = runCodelia(["init-context", "--as", "codex"], { cwd: tree.path("a"), home: home.root });
  expect(stdout).toContain("\nroot\n\na\n");
});

test("without a marker only the cwd is searched", () => {
  expect(textOf({ files: { "AGENTS.md": "above", "a/AGENTS.md": "here" }, cwd: "a" })).toBe("here");
});

test("links are followed, and what is no file is passed over", () => {
  const files = {
    ...REPOSITORY,
    "AGENTS.md": { link: "docs/rules.md" },
    "docs/rules.md": "rules",
    "a/AGENTS.override.md/": { dir: true as const },
    "a/AGENTS.md": "a",
    "a/b/AGENTS.md": { link: "nowhere" },
  };
  expect(textOf({ files, cwd: "a/b" })).toBe("rules\n\na");
});

test("32,768 bytes are read unless the config says otherwise", () => {
  const files = { ...REPOSITORY, "AGENTS.md": "r".repeat(32_760), "a/AGENTS.md": "0123456789" };
  const cut = run({ files, cwd: "a" });
  expect(cut.stdout).toEndWith("rr\n\n01234567\n</INSTRUCTIONS>");
  expect(cut.stderr).toBe(`codelia: warning: Codex reads only 8 of 10 bytes of '${cut.tree}/a/AGENTS.md'\n`);
  const home = configured("project_doc_max_bytes = 40000\n");
  expect(textOf({ files, cwd: "a", home })).toEndWith("rr\n\n0123456789");
});

test("with a budget of 0 the project has no text", () => {
  const home = { ...configured("project_doc_max_bytes = 0\n"), ".codex/AGENTS.md": "mine" };
  const { stdout } = run({ files: { ...REPOSITORY, "AGENTS.md": "root" }, home });
  expect(stdout).toBe("# AGENTS.md instructions\n\n<INSTRUCTIONS>\nmine\n</INSTRUCTIONS>");
});

test("what is no text is replaced, and what is blank left out", () => {
  const files = {
    ...REPOSITORY,
    "AGENTS.md": new Uint8Array([0x61, 0xff, 0x62]),
    "a/AGENTS.md": "",
    "a/b/AGENTS.md": " \n\t\n",
    "a/b/c/AGENTS.md": "c",
  };
  expect(textOf({ files, cwd: "a/b/c" })).toBe("a\uFFFDb\n\nc");
});

test("without any text there is no message", () => {
  expect(run({ files: { ...REPOSITORY, "AGENTS.md": "\n" } })).toMatchObject({ stdout: "", stderr: "", exitCode: 0 });
});
