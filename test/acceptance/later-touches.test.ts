import { describe, expect, test } from "bun:test";
import { bash, edit, hook, HOOK_PROJECT, named, read, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// What is told of instruction files after the start, and in which words.

const FILES: Readonly<Record<string, Entry>> = {
  ...HOOK_PROJECT,
  "repo/api/AGENTS.md": "Api rules.\n",
  "repo/api/y.ts": "",
};

const tree = (more: Readonly<Record<string, Entry>> = {}) => tempTree({ ...FILES, ...more });
const config = (agents: object) => ({ "repo/.codelia/config.json": JSON.stringify({ agents }) });

function resolve(repo: TempTree, ...paths: readonly string[]) {
  return runCodelia(["resolve", ...paths], { cwd: repo.path("repo"), home: repo.path("home") });
}

describe("a reminder says what it is about", () => {
  test("one path is 'this path'; of several those are named that the files apply to", () => {
    using repo = tree();
    hook(repo, start());
    expect(hook(repo, bash("cat lib/deep/x.ts")).context).toContain("may apply for this path:\n");
    expect(hook(repo, bash("cat lib/deep/x.ts CLAUDE.md api/y.ts")).context).toContain("may apply for api/y.ts:\n");
    expect(resolve(repo, "lib/a.ts", "api/y.ts", "lib/deep/x.ts").stdout).toContain(
      "may apply for api/y.ts, lib/a.ts and lib/deep/x.ts:\n",
    );
  });

  test("of many paths five are named", () => {
    using repo = tree();
    const paths = Array.from({ length: 9 }, (_, index) => `lib/${index}.ts`);
    expect(resolve(repo, ...paths).stdout).toContain(
      "may apply for lib/0.ts, lib/1.ts, lib/2.ts, lib/3.ts, lib/4.ts and 4 more:\n",
    );
  });

  test("with the result of an edit it asks to check that edit, with that of a reading it does not", () => {
    using repo = tree();
    hook(repo, start());
    expect(hook(repo, edit(repo.path("repo/lib/z.ts"))).context).toContain("check this edit against them");
    const reading = hook(repo, read(repo.path("repo/api/y.ts"))).context;
    expect(reading).toContain("Read and apply these files before editing files in this scope.\n");
    expect(reading).not.toContain("check this edit");
  });

  test("where hooks speak, nobody is sent to a command for what does not fit", () => {
    using repo = tree(config({ resolver: { maxFilesPerResolve: 1 } }));
    hook(repo, start());
    const first = hook(repo, bash("cat lib/deep/x.ts")).context;
    expect(first).toContain("1 more file applies; your next call there brings the rest.\n");
    expect(first).not.toContain("resolve this path");
    expect(named(repo, hook(repo, bash("cat lib/deep/x.ts")).context)).toEqual(["lib/AGENTS.md"]);
  });

  test("a changed file is told as changed, a new one is not", () => {
    using repo = tree();
    hook(repo, start());
    expect(hook(repo, bash("cat lib/deep/x.ts")).context).not.toContain("changed");
    repo.write("repo/lib/AGENTS.md", "Other rules of lib.\n");
    const { context } = hook(repo, bash("cat lib/deep/x.ts"));
    expect(context).toMatch(/^- .*\/lib\/AGENTS\.md \(mtime: \d+\) \(changed: read it again\)$/m);
    expect(named(repo, context)).toEqual(["lib/AGENTS.md"]);
  });
});

test("what a start names as left out is not named again with the first touch, but when it changes", () => {
  using repo = tree(config({ initial: { maxFiles: 1 } }));
  const cwd = repo.path("repo/lib/deep");
  expect(hook(repo, { ...start(), cwd }).context).toContain("/lib/deep/AGENTS.md (12 bytes)");
  expect(hook(repo, { ...bash("ls"), cwd }).context).toBe("");
  repo.write("repo/lib/deep/AGENTS.md", "Other deep rules.\n");
  expect(named(repo, hook(repo, { ...bash("ls"), cwd }).context)).toEqual(["lib/deep/AGENTS.md"]);
});

test("of several targets the nearest file of each comes first", () => {
  const files = { "repo/a/AGENTS.md": "a\n", "repo/a/b/AGENTS.md": "b\n", "repo/a/b/c/AGENTS.md": "c\n" };
  using repo = tree({ ...files, ...config({ resolver: { maxFilesPerResolve: 2 } }) });
  hook(repo, start());
  const touch = bash("cat a/b/c/x.ts api/y.ts");
  expect(named(repo, hook(repo, touch).context)).toEqual(["a/b/c/AGENTS.md", "api/AGENTS.md"]);
  expect(named(repo, hook(repo, touch).context)).toEqual(["a/AGENTS.md", "a/b/AGENTS.md"]);
  expect(hook(repo, touch).stdout).toBe("");
});

describe("a target that is reached through a link", () => {
  const LINKS = {
    "repo/links/AGENTS.md": "Rules of links.\n",
    "repo/links/deep": { link: "../lib/deep" },
    "repo/links/y.ts": { link: "../api/y.ts" },
    "repo/links/out": { link: "../../outside" },
    "outside/AGENTS.md": "Not ours.\n",
    "outside/z.ts": "",
  };
  for (const [what, path, files] of [
    ["a linked directory", "links/deep/x.ts", ["lib/AGENTS.md", "lib/deep/AGENTS.md", "links/AGENTS.md"]],
    ["a new file in it", "links/deep/new.ts", ["lib/AGENTS.md", "lib/deep/AGENTS.md", "links/AGENTS.md"]],
    ["a linked file", "links/y.ts", ["api/AGENTS.md", "links/AGENTS.md"]],
    ["one that leads outside", "links/out/z.ts", ["links/AGENTS.md"]],
  ] as const) {
    test(`has the files of both places: ${what}`, () => {
      using repo = tree(LINKS);
      hook(repo, start());
      expect(named(repo, hook(repo, edit(repo.path("repo", path))).context).toSorted()).toEqual([...files]);
      expect(hook(repo, edit(repo.path("repo", path))).stdout).toBe("");
    });
  }
});

describe("resolve understands", () => {
  for (const [what, written] of [
    ["~/", "~/proj/lib/x.ts"],
    ["file://", "file://HOME/proj/lib/x.ts"],
    ["file://localhost and escapes", "file://localhostHOME/proj/li%62/x.ts"],
  ] as const) {
    test(what, () => {
      using repo = tempTree({ "home/proj/.git/": { dir: true }, "home/proj/lib/AGENTS.md": "Lib.\n" });
      const where = { cwd: repo.path("home/proj"), home: repo.path("home") };
      const { stdout } = runCodelia(["resolve", written.replace("HOME", repo.path("home"))], where);
      expect(stdout).toContain("/home/proj/lib/AGENTS.md (mtime: ");
    });
  }

  test("no file of another machine, and says so", () => {
    using repo = tree();
    expect(resolve(repo, "file://server/share/x.ts")).toEqual({
      stdout: "",
      stderr: "codelia: 'file://server/share/x.ts' is not a file on this machine\n",
      exitCode: 64,
    });
  });
});
