import { expect, test } from "bun:test";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, file, NOTHING, resolveReminder, says, T0, type Bench } from "./agents-bench.ts";

// Which of a directory's files count. What may be in a file's place is in instruction-files-special, names and paths in
// instruction-files-paths.

function repository(table: Record<string, Entry>): Bench {
  return bench({
    "repo/.git/": dir,
    ...Object.fromEntries(Object.entries(table).map(([path, entry]) => [`repo/${path}`, entry])),
  });
}

function userConfig(tree: Bench, agents: Record<string, unknown>): void {
  tree.write("home/.codelia/config.json", JSON.stringify({ agents }));
}

/** What both commands find in `repo/a`. They must agree. */
function chainIn(tree: Bench, cwd = "repo/a"): string[] {
  const bundle = tree.bundle(["--no-state"], { cwd });
  expect(tree.resolve(["--no-state", "x.ts"], { cwd })).toEqual(bundle.filter((path) => !path.startsWith("home/")));
  return bundle;
}

test("files: AGENTS.override.md replaces the AGENTS.md of its own directory only", () => {
  using tree = repository({
    "AGENTS.md": file("root\n"),
    "a/AGENTS.md": file("a\n"),
    "a/AGENTS.override.md": file("a, overridden\n"),
  });
  expect(chainIn(tree)).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.override.md"]);
});

test("files: fallback names count in their order if the others are absent; there are none by default", () => {
  using tree = repository({
    "CLAUDE.md": file("claude\n"),
    "GEMINI.md": file("gemini\n"),
    "a/GEMINI.md": file("gemini a\n"),
    "a/b/CLAUDE.md": file("claude b\n"),
    "a/b/AGENTS.md": file("agents b\n"),
  });
  expect(chainIn(tree, "repo/a/b")).toEqual(["repo/a/b/AGENTS.md"]);
  userConfig(tree, { fallbackFilenames: ["CLAUDE.md", "GEMINI.md"] });
  expect(chainIn(tree, "repo/a/b")).toEqual(["repo/CLAUDE.md", "repo/a/GEMINI.md", "repo/a/b/AGENTS.md"]);
});

test("files: additional names are added after the main file, or without one; there are none by default", () => {
  using tree = repository({
    "AGENTS.md": file("root\n"),
    "AGENTS.local.md": file("root, local\n"),
    "a/AGENTS.local.md": file("a, local\n"),
    "a/NOTES.md": file("a, notes\n"),
  });
  expect(chainIn(tree)).toEqual(["repo/AGENTS.md"]);
  userConfig(tree, { additionalFilenames: ["AGENTS.local.md", "NOTES.md"] });
  expect(chainIn(tree)).toEqual([
    "repo/AGENTS.md",
    "repo/AGENTS.local.md",
    "repo/a/AGENTS.local.md",
    "repo/a/NOTES.md",
  ]);
});

test("files: a name that is both a main and an additional one counts once", () => {
  using tree = repository({ "AGENTS.md": file("root\n"), "a/": dir });
  userConfig(tree, { fallbackFilenames: ["AGENTS.md"], additionalFilenames: ["AGENTS.md", "AGENTS.md"] });
  expect(chainIn(tree)).toEqual(["repo/AGENTS.md"]);
});

for (const [name, text] of [
  ["empty", ""],
  ["of white space", " \t\r\n\n\u00A0\n"],
  ["of a byte order mark", "\uFEFF\n"],
] as const) {
  test(`files: one that is ${name} adds nothing`, () => {
    using tree = repository({ "AGENTS.md": file(text), "a/AGENTS.md": file("a\n") });
    expect(chainIn(tree)).toEqual(["repo/a/AGENTS.md"]);
  });
}

test("files: a blank one adds nothing and takes no room, however long it is", () => {
  using tree = repository({ "AGENTS.md": file("\n".repeat(40_000)), "a/AGENTS.md": file("a\n") });
  expect(chainIn(tree)).toEqual(["repo/a/AGENTS.md"]);
});

test("files: a blank override still hides its AGENTS.md", () => {
  using tree = repository({ "AGENTS.md": file("hidden\n"), "AGENTS.override.md": file(" \n"), "a/": dir });
  expect(chainIn(tree)).toEqual([]);
});

test("files: an override that appears is new, and what it hides is no longer in force", () => {
  using tree = repository({ "AGENTS.md": file("root\n"), "a/": dir });
  tree.codelia(["init-context"]);
  tree.write("repo/AGENTS.override.md", "other\n");
  tree.touch("repo/AGENTS.override.md", T0 + 1);
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "a/x.ts"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain(`- ${tree.path("repo/AGENTS.override.md")} (mtime: ${T0 + 1})\n`);
  expect(stdout).toContain(`No longer in force, disregard what they said:\n- ${tree.path("repo/AGENTS.md")}\n`);
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
});

test("files: one whose directory has become a file is no longer in force", () => {
  using tree = repository({ "AGENTS.md": file("root\n"), "a/AGENTS.md": file("a\n"), "a/b/AGENTS.md": file("b\n") });
  tree.resolve(["a/b/x.ts"]);
  tree.remove("repo/a");
  tree.write("repo/a", "a file now\n");
  expect(tree.codelia(["resolve", "a/b/x.ts"])).toEqual(
    says(
      `<system-reminder type="agents.resolve.paths">\nNo longer in force, disregard what they said:\n${["a", "a/b"].map((path) => `- ${tree.path("repo", path, "AGENTS.md")}\n`).join("")}</system-reminder>\n`,
    ),
  );
  expect(tree.codelia(["resolve", "a/b/x.ts"])).toEqual(NOTHING);
});

test("files: one that turns blank is no longer in force", () => {
  using tree = repository({ "AGENTS.md": file("root\n"), "a/": dir });
  tree.codelia(["init-context"]);
  tree.write("repo/AGENTS.md", "\n");
  expect(tree.codelia(["resolve", "a/x.ts"]).stdout).toContain(
    `No longer in force, disregard what they said:\n- ${tree.path("repo/AGENTS.md")}\n`,
  );
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
});

test("files: one that appears in a covered directory is new", () => {
  using tree = repository({ "AGENTS.md": file("root\n"), "a/x.ts": "" });
  tree.codelia(["init-context"], { cwd: "repo/a" });
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
  tree.write("repo/a/AGENTS.md", "new\n");
  tree.touch("repo/a/AGENTS.md", T0);
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(says(resolveReminder([[tree.path("repo/a/AGENTS.md"), T0]])));
});

test("files: the home-level one is the first that is not blank, and the first in the bundle", () => {
  using tree = repository({ "AGENTS.md": file("root\n") });
  tree.write("home/.codelia/AGENTS.md", "mine\n");
  expect(tree.bundle(["--no-state"])).toEqual(["home/.codelia/AGENTS.md", "repo/AGENTS.md"]);
  tree.write("home/.codelia/AGENTS.override.md", " \n");
  expect(tree.bundle(["--no-state"])).toEqual(["home/.codelia/AGENTS.md", "repo/AGENTS.md"]);
  tree.write("home/.codelia/AGENTS.override.md", "mine, overridden\n");
  expect(tree.bundle(["--no-state"])).toEqual(["home/.codelia/AGENTS.override.md", "repo/AGENTS.md"]);
  tree.write("global/AGENTS.md", "elsewhere\n");
  const env = { CODELIA_HOME: tree.path("global") };
  expect(tree.bundle(["--no-state"], { env })).toEqual(["global/AGENTS.md", "repo/AGENTS.md"]);
});

test("files: the home-level one does not count in the project's budget", () => {
  using tree = repository({ "AGENTS.md": file("0123456789"), "a/AGENTS.md": file("abcdefghij") });
  tree.write("home/.codelia/AGENTS.md", "mine ".repeat(3));
  userConfig(tree, { initial: { maxBytes: 20, maxFiles: 2 } });
  const { stdout } = tree.codelia(["init-context", "--only", "agents"], { cwd: "repo/a" });
  expect(stdout).toContain("mine mine mine");
  expect(stdout).toContain("0123456789");
  expect(stdout).toContain("abcdefghij");
  expect(stdout).not.toContain("[shown:");
  expect(stdout).not.toContain("left_out");
});

test("files: a context that has the home-level one is told when it changes, goes, or comes back", () => {
  using tree = repository({ "AGENTS.md": file("root\n") });
  tree.write("home/.codelia/AGENTS.md", "mine\n");
  tree.codelia(["init-context"]);
  tree.touch("home/.codelia/AGENTS.md", T0);
  const home = tree.path("home/.codelia/AGENTS.md");
  expect(tree.codelia(["resolve", "x.ts"])).toEqual(says(resolveReminder([[home, T0, "changed"]])));
  tree.remove("home/.codelia/AGENTS.md");
  expect(tree.codelia(["resolve", "x.ts"]).stdout).toContain(
    `No longer in force, disregard what they said:\n- ${home}\n`,
  );
  expect(tree.codelia(["resolve", "x.ts"])).toEqual(NOTHING);
});

test("files: a change to the home-level one is told when CODELIA_HOME ends with a slash", () => {
  using tree = repository({ "AGENTS.md": file("root\n") });
  tree.write("global/AGENTS.md", "mine\n");
  const env = { CODELIA_HOME: `${tree.path("global")}/` };
  tree.codelia(["init-context"], { env });
  tree.touch("global/AGENTS.md", T0);
  expect(tree.resolve(["x.ts"], { env })).toEqual(["global/AGENTS.md"]);
});

test("files: a home-level one that appears after the start is told at the resume", () => {
  using tree = repository({ "AGENTS.md": file("root\n") });
  tree.codelia(["init-context"]);
  tree.write("home/.codelia/AGENTS.md", "mine\n");
  expect(tree.codelia(["resume-diff"]).stdout).toContain(tree.path("home/.codelia/AGENTS.md"));
});

test("files: the home-level one is told once, even if it is in the chain itself", () => {
  using tree = bench({
    "home/.git/": dir,
    "home/.codelia/AGENTS.md": file("mine\n"),
    "home/.codelia/notes/": dir,
  });
  const cwd = "home/.codelia/notes";
  expect(tree.bundle([], { cwd })).toEqual(["home/.codelia/AGENTS.md"]);
  tree.touch("home/.codelia/AGENTS.md", T0 + 1);
  expect(tree.resolve(["x.ts"], { cwd })).toEqual(["home/.codelia/AGENTS.md"]);
});

test("files: agents.ignore, by default node_modules: nothing at or below such a directory counts", () => {
  using tree = repository({
    "AGENTS.md": file("root\n"),
    "node_modules/dep/AGENTS.md": file("a dependency's\n"),
    "node_modules/AGENTS.md": file("of all dependencies\n"),
    "vendor/AGENTS.md": file("vendored\n"),
    "node_modules_too/AGENTS.md": file("ordinary\n"),
  });
  expect(chainIn(tree, "repo/node_modules/dep")).toEqual(["repo/AGENTS.md"]);
  expect(chainIn(tree, "repo/vendor")).toEqual(["repo/AGENTS.md", "repo/vendor/AGENTS.md"]);
  expect(chainIn(tree, "repo/node_modules_too")).toHaveLength(2);
  userConfig(tree, { ignore: ["vendor"] });
  expect(chainIn(tree, "repo/vendor")).toEqual(["repo/AGENTS.md"]);
  expect(chainIn(tree, "repo/node_modules/dep")).toHaveLength(3);
});

test("files: a project that itself lies in node_modules has instructions", () => {
  using tree = bench({ "repo/node_modules/dep/.git/": dir, "repo/node_modules/dep/AGENTS.md": file("own\n") });
  expect(chainIn(tree, "repo/node_modules/dep")).toEqual(["repo/node_modules/dep/AGENTS.md"]);
});
