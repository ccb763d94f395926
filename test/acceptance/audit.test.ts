import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { gitRepository } from "../support/git-repository.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// `codelia audit` on the built binary. What it says of real sessions is tested in test/e2e/audit.test.ts.

const SKILL =
  "---\nname: notes\ndescription: Write release notes from the commits\n---\nGroup the commits.\nBe brief.\n";

/** A session that is given the root's rules, edits a file in `app`, and loads a skill. */
function record(tree: TempTree): string {
  const said = (type: string, content: unknown) => ({ type, message: { role: type, content } });
  const lines = [
    {
      type: "attachment",
      attachment: { type: "instructions", files: [{ path: tree.path("AGENTS.md"), content: "Old rules.\n" }] },
    },
    said("user", "Go. The skills: notes (Write release notes from the commits)"),
    said("assistant", [{ type: "tool_use", id: "1", name: "Edit", input: { file_path: tree.path("app/a.ts") } }]),
    said("user", [{ type: "tool_result", tool_use_id: "1", content: "done" }]),
    said("assistant", [{ type: "tool_use", id: "2", name: "Skill", input: { skill: "notes" } }]),
    said("user", [{ type: "tool_result", tool_use_id: "2", content: "Launching skill: notes" }]),
  ];
  return lines.map((line) => `${JSON.stringify({ sessionId: "s", cwd: tree.root, ...line })}\n`).join("");
}

function scene() {
  const tree = tempTree({ "AGENTS.md": "Old rules.\n", "app/AGENTS.md": "App.\n", "app/a.ts": "1\n" });
  const home = tempTree();
  const { git } = gitRepository(tree, home);
  tree.write("session.jsonl", record(tree));
  const audit = (...args: string[]) =>
    runCodelia(["audit", "session.jsonl", ...args], { cwd: tree.root, home: home.root });
  return {
    tree,
    git,
    audit,
    [Symbol.dispose]() {
      tree[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

test("--at compares with the files of a commit: their texts, those that are gone, links, and no later ones", () => {
  using place = scene();
  const { tree, git, audit } = place;
  tree.write("AGENTS.md", "New rules.\n");
  tree.write("app/AGENTS.override.md", "Later.\n");
  tree.remove("app/AGENTS.md");
  git("add", "--all");
  git("commit", "--quiet", "--message=two");
  const filesAt = (...args: string[]) => {
    const { stdout, stderr, exitCode } = audit("--json", ...args);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const [write] = JSON.parse(stdout).sessions[0].contexts[0].writes;
    return write.files.map(({ path, extent }: { path: string; extent: string }) => [path, extent]);
  };
  const root = tree.path("AGENTS.md");
  expect(filesAt()).toEqual([
    [root, "stale"],
    [tree.path("app/AGENTS.override.md"), "none"],
  ]);
  expect(filesAt("--at", "HEAD")).toEqual(filesAt());
  expect(filesAt("--at", "HEAD~1")).toEqual([
    [root, "whole"],
    [tree.path("app/AGENTS.md"), "none"],
  ]);
});

test("--at follows a link inside the commit, and gives one text once", () => {
  using place = scene();
  const { tree, git, audit } = place;
  tree.remove("app/AGENTS.md");
  symlinkSync("../AGENTS.md", tree.path("app/AGENTS.md"));
  git("add", "--all");
  git("commit", "--quiet", "--message=two");
  const { stdout } = audit("--json", "--at", "HEAD");
  const [write] = JSON.parse(stdout).sessions[0].contexts[0].writes;
  expect(write.files).toEqual([{ path: tree.path("AGENTS.md"), extent: "whole", by: "client" }]);
});

test("--at says so where there is no such commit, and runs no option as one", () => {
  using place = scene();
  for (const revision of ["nope", "--help"]) {
    const { stdout, stderr, exitCode } = place.audit(`--at=${revision}`);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 64 });
    expect(stderr).toBe(`codelia: '--at' can't be used: '${revision}' is not a commit here\n`);
  }
});

test("--format github annotates the writes without something: as errors where they fail the check", () => {
  using place = scene();
  const said = (kind: string) =>
    `::${kind} file=app/a.ts,title=codelia audit::Edit wrote without all of app/AGENTS.md (not at all)\n`;
  expect(place.audit("--format", "github")).toMatchObject({ stdout: said("warning"), stderr: "", exitCode: 0 });
  const failing = place.audit("--format", "github", "--fail-on", "missing");
  expect(failing).toMatchObject({ stdout: said("error"), stderr: "", exitCode: 1 });
  expect(place.audit("--json", "--format", "github")).toMatchObject({ exitCode: 64 });
});

test("writes outside the project are counted apart", () => {
  using place = scene();
  const { tree } = place;
  const outside = JSON.stringify({
    sessionId: "s",
    cwd: tree.root,
    type: "assistant",
    message: { content: [{ type: "tool_use", id: "1", name: "Write", input: { file_path: "/elsewhere/x.ts" } }] },
  });
  tree.write("session.jsonl", `${outside}\n`);
  expect(place.audit().stdout).toEndWith(`\n1 write; 1 outside '${tree.root}', not judged\n`);
  tree.write("session.jsonl", `${record(tree)}${outside.replace('"1"', '"9"')}\n`);
  expect(place.audit().stdout).toContain(
    `\n2 writes: 1 without all that applied; most often missing: app/AGENTS.md (1); 1 outside '${tree.root}', not judged\n`,
  );
});

test("skills are counted: listed, loaded, never", () => {
  using place = scene();
  place.tree.write(".agents/skills/notes/SKILL.md", SKILL);
  place.tree.write(".agents/skills/other/SKILL.md", "---\nname: other\ndescription: Find dead code\n---\nLook.\n");
  expect(place.audit().stdout).toEndWith("\n2 skills: 1 listed, 1 loaded (notes); never listed: 1 (other)\n");
  const [session] = JSON.parse(place.audit("--json").stdout).sessions;
  const path = (name: string) => place.tree.path(`.agents/skills/${name}/SKILL.md`);
  expect(
    session.skills.toSorted((left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1)),
  ).toEqual([
    { name: "notes", path: path("notes"), listed: 1, loaded: 1 },
    { name: "other", path: path("other"), listed: 0, loaded: 0 },
  ]);
});
