import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file, NOTHING, says, T0, type Bench, type Call } from "./agents-bench.ts";

// DESIGN §3, spec 1 §11.3: what a resumed session is told, once.

const S = ["--session", "s"];
const MARKERS = '[".codelia",".git",".jj"]';

function resumeTree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("a\n", T0 + 1),
    "repo/b/": dir,
    "other/.git/": dir,
    "other/AGENTS.md": file("other\n", T0 + 2),
  });
}

interface Diff {
  cwd?: readonly [string, string];
  root?: readonly [string, string];
  markers?: readonly [string, string];
  after?: readonly string[];
}

/** The whole reminder; what is not named stayed as it was, in repo. */
function reminder(tree: Bench, { cwd = ["repo", "repo"], root = ["repo", "repo"], markers, after = [] }: Diff): string {
  const [from, to] = markers ?? [MARKERS, MARKERS];
  return [
    '<system-reminder type="session.resume.diff">',
    "Session resumed with context changes:",
    `- cwd: ${tree.path(cwd[0])} -> ${tree.path(cwd[1])}`,
    `- root: ${tree.path(root[0])} -> ${tree.path(root[1])}`,
    `- markers: ${from} -> ${to}`,
    ...after,
    "</system-reminder>",
    "",
  ].join("\n");
}

function begun(call: Call = {}): Bench {
  const tree = resumeTree();
  tree.codelia(["init-context", ...S], call);
  return tree;
}

/** It is told once, and the present is the baseline of the next comparison. */
function expectOnce(tree: Bench, expected: string, call: Call = {}): void {
  expect(tree.codelia(["resume-diff", ...S], call)).toEqual(says(expected));
  expect(tree.codelia(["resume-diff", ...S], call)).toEqual(NOTHING);
}

const RECHECK = "Re-check AGENTS.md for current scope:";

test("resume: nothing changed, nothing said", () => {
  using tree = begun();
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
  tree.resolve([...S, "a/x.ts"]);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
  const { stdout, ...rest } = tree.codelia(["resume-diff", "--json", ...S]);
  expect(rest).toEqual({ stderr: "", exitCode: 0 });
  const { before, after, ...news } = JSON.parse(stdout);
  expect(before).toEqual(after);
  expect(news).toEqual({ files: [], gone: [], skills: { changed: [], gone: [] } });
});

test("resume: another cwd, with the files that are new there", () => {
  using tree = begun();
  const after = [RECHECK, `- ${tree.path("repo/a/AGENTS.md")} (mtime: ${T0 + 1})`];
  expectOnce(tree, reminder(tree, { cwd: ["repo", "repo/a"], after }), { cwd: "repo/a" });
  expect(tree.codelia(["resolve", ...S, "a/x.ts"])).toEqual(NOTHING);
});

test("resume: another cwd without instructions of its own is said as well", () => {
  using tree = begun();
  expectOnce(tree, reminder(tree, { cwd: ["repo", "repo/b"] }), { cwd: "repo/b" });
});

test("resume: another root, because the session moved", () => {
  using tree = begun();
  const after = [RECHECK, `- ${tree.path("other/AGENTS.md")} (mtime: ${T0 + 2})`];
  expectOnce(tree, reminder(tree, { cwd: ["repo", "other"], root: ["repo", "other"], after }), { cwd: "other" });
  expectOnce(tree, reminder(tree, { cwd: ["other", "repo"], root: ["other", "repo"] }));
});

test("resume: another root, because a marker appeared", () => {
  using tree = begun({ cwd: "repo/a" });
  tree.write("repo/a/.git/HEAD", "");
  const { stdout } = tree.codelia(["resume-diff", ...S], { cwd: "repo/a" });
  expect(stdout).toContain(`\n- root: ${tree.path("repo")} -> ${tree.path("repo/a")}\n`);
  expect(tree.codelia(["resume-diff", ...S], { cwd: "repo/a" })).toEqual(NOTHING);
});

test("resume: other markers, also where they find the same root", () => {
  using tree = begun();
  const env = { CODELIA_AGENTS_MARKERS: ".jj,.git" };
  expectOnce(tree, reminder(tree, { markers: [MARKERS, '[".jj",".git"]'] }), { env });
});

test("resume: a file that changed, one that is new, one that has vanished, each once", () => {
  using tree = begun({ cwd: "repo/a" });
  const home = { cwd: ["repo/a", "repo/a"] } as const;
  tree.touch("repo/AGENTS.md", T0 + 9);
  const changed = [RECHECK, `- ${tree.path("repo/AGENTS.md")} (mtime: ${T0 + 9})`];
  expectOnce(tree, reminder(tree, { ...home, after: changed }), { cwd: "repo/a" });

  tree.remove("repo/a/AGENTS.md");
  const gone = ["No longer in force, disregard what they said:", `- ${tree.path("repo/a/AGENTS.md")}`];
  expectOnce(tree, reminder(tree, { ...home, after: gone }), { cwd: "repo/a" });

  tree.write("repo/a/AGENTS.md", "back\n");
  tree.touch("repo/a/AGENTS.md", T0 + 10);
  const fresh = [RECHECK, `- ${tree.path("repo/a/AGENTS.md")} (mtime: ${T0 + 10})`];
  expectOnce(tree, reminder(tree, { ...home, after: fresh }), { cwd: "repo/a" });
});

test("resume: a file that has vanished with the directory the session worked in", () => {
  using tree = begun({ cwd: "repo/a" });
  tree.remove("repo/a");
  const after = ["No longer in force, disregard what they said:", `- ${tree.path("repo/a/AGENTS.md")}`];
  expectOnce(tree, reminder(tree, { cwd: ["repo/a", "repo"], after }));
});

test("resume: a new size under the same mtime", () => {
  using tree = begun();
  tree.write("repo/AGENTS.md", "root and more\n");
  tree.touch("repo/AGENTS.md", T0);
  expectOnce(tree, reminder(tree, { after: [RECHECK, `- ${tree.path("repo/AGENTS.md")} (mtime: ${T0})`] }));
});

test("resume: all at once, none held back", () => {
  const depth = Array.from({ length: 20 }, (_, index) => `repo/${"d/".repeat(index)}`);
  using tree = bench({
    "repo/.git/": dir,
    ...Object.fromEntries(depth.map((path) => [`${path}AGENTS.md`, file("x\n")])),
  });
  tree.codelia(["init-context", ...S]);
  const { stdout } = tree.codelia(["resume-diff", ...S], { cwd: depth.at(-1) as string });
  expect(stdout.match(/AGENTS\.md \(mtime/g)).toHaveLength(19);
});

test("resume: what it told, resolve does not tell again, nor the other way round", () => {
  using tree = begun();
  tree.touch("repo/AGENTS.md", T0 + 9);
  expect(tree.resolve([...S, "x.ts"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
  tree.touch("repo/AGENTS.md", T0 + 10);
  expect(tree.codelia(["resume-diff", ...S]).stdout).toContain("repo/AGENTS.md");
  expect(tree.codelia(["resolve", ...S, "x.ts"])).toEqual(NOTHING);
});

test("resume: a session that nobody knows is told what applies", () => {
  using tree = resumeTree();
  const { stdout, stderr, exitCode } = tree.codelia(["resume-diff", ...S]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain(`${RECHECK}\n- ${tree.path("repo/AGENTS.md")} (mtime: ${T0})\n`);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
});

test("resume: under --json always an object, with the same facts", () => {
  using tree = begun();
  const { stdout, stderr, exitCode } = tree.codelia(["resume-diff", "--json", ...S], { cwd: "repo/a" });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    before: { cwd: tree.path("repo"), root: tree.path("repo") },
    after: { cwd: tree.path("repo/a"), root: tree.path("repo") },
    files: [{ path: tree.path("repo/a/AGENTS.md"), mtimeMs: T0 + 1, sizeBytes: 2 }],
  });
});

test("resume: a loaded skill that changed or vanished is part of it", () => {
  using tree = resumeTree();
  const skill = "repo/.agents/skills/one/SKILL.md";
  tree.write(skill, "---\nname: one\ndescription: d\n---\nbody\n");
  tree.touch(skill, T0);
  tree.codelia(["init-context", ...S]);
  expect(tree.codelia(["skills", "load", "one", ...S]).exitCode).toBe(0);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
  tree.touch(skill, T0 + 1);
  expect(tree.codelia(["resume-diff", ...S]).stdout).toContain(`- ${tree.path(skill)} (mtime: ${T0 + 1})\n`);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
  tree.remove("repo/.agents/skills/one");
  expect(tree.codelia(["resume-diff", ...S]).stdout).toContain(`- ${tree.path(skill)}\n`);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
});
