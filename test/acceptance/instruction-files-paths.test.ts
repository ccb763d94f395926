import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file, NOTHING, type Bench } from "./agents-bench.ts";

// Which directory a path belongs to, however it is written. A faulty search upwards might never end, so calls that could
// cause one have two seconds.

const SOON = { timeoutMs: 2000 };

function tree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/b/AGENTS.md": file("b\n"),
    "repo/a/b/file.ts": "",
    "repo/a/bc/AGENTS.md": file("bc\n"),
    "repo/..x/AGENTS.md": file("dots\n"),
    "other/.git/": dir,
    "other/AGENTS.md": file("other\n"),
    "other/deep/AGENTS.md": file("deep\n"),
    "nowhere/AGENTS.md": file("in no root\n"),
  });
}

const ROOT = "repo/AGENTS.md";
const B = "repo/a/b/AGENTS.md";

for (const [written, told] of [
  [".", [ROOT]],
  ["./", [ROOT]],
  ["a/b", [ROOT, B]],
  ["a/b/", [ROOT, B]],
  ["a/b/.", [ROOT, B]],
  ["a//b///file.ts", [ROOT, B]],
  ["a/b/../bc/x", [ROOT, "repo/a/bc/AGENTS.md"]],
  ["a/b/file.ts", [ROOT, B]],
  ["a/b/file.ts/", [ROOT, B]],
  ["a/b/file.ts/below-a-file", [ROOT, B]],
  ["a/b/new.ts", [ROOT, B]],
  ["a/b/new/newer/newest.ts", [ROOT, B]],
  ["absent/x.ts", [ROOT]],
  ["a/b/AGENTS.md", [ROOT, B]],
  ["..x/y.ts", [ROOT, "repo/..x/AGENTS.md"]],
  ["..x", [ROOT, "repo/..x/AGENTS.md"]],
  ["./~/x.ts", [ROOT]],
  ["~/../other/deep/x", ["other/AGENTS.md", "other/deep/AGENTS.md"]],
  ["~", []],
  ["*", [ROOT]],
  ["../repo/a/b/x", [ROOT, B]],
  ["..", []],
  ["../nowhere/x", []],
  ["/", []],
  ["/absent/x", []],
  ["../other/deep/x", ["other/AGENTS.md", "other/deep/AGENTS.md"]],
  ["../other/new/x", ["other/AGENTS.md"]],
] as const) {
  test(`files: 'resolve ${written}' belongs to ${told.at(-1) ?? "nothing"}`, () => {
    using work = tree();
    expect(work.resolve([written], SOON)).toEqual([...told]);
    expect(work.resolve([written], SOON)).toEqual([]);
  });
}

test("files: containment goes by components: /a/bc is not inside /a/b, and ..x is an ordinary child", () => {
  using work = tree();
  const call = { cwd: "repo/a/b", env: { CODELIA_AGENTS_ROOT: work.path("repo/a/b") } };
  expect(work.resolve(["--no-state", work.path("repo/a/b/x")], call)).toEqual([B]);
  // Outside that root, it is resolved in the root that its own markers define.
  expect(work.resolve(["--no-state", work.path("repo/a/bc/x")], call)).toEqual([ROOT, "repo/a/bc/AGENTS.md"]);
  expect(work.bundle(["--no-state"], { cwd: "repo/..x" })).toEqual([ROOT, "repo/..x/AGENTS.md"]);
});

test("files: a target outside root, told once to the session, stays told", () => {
  using work = tree();
  const outside = work.path("other/deep/x");
  expect(work.resolve([outside])).toEqual(["other/AGENTS.md", "other/deep/AGENTS.md"]);
  expect(work.codelia(["resolve", outside])).toEqual(NOTHING);
  expect(work.codelia(["resolve", work.path("other/y")])).toEqual(NOTHING);
});

test("files: a named session that moves to another root is not told again there", () => {
  using work = tree();
  const session = ["--session", "s"];
  expect(work.resolve([...session, work.path("other/deep/x")])).toHaveLength(2);
  expect(work.resolve([...session, "deep/x"], { cwd: "other" })).toEqual([]);
});

test("files: a path of many components, or with too long a name, is answered at once", () => {
  using work = tree();
  expect(work.resolve(["--no-state", `a/b/${"d/".repeat(2000)}x`], SOON)).toEqual([ROOT, B]);
  expect(work.resolve(["--no-state", `a/b/${"n".repeat(5000)}`], SOON)).toEqual([ROOT, B]);
});

test("files: a path on standard input that is longer than any path can be is answered at once", () => {
  using work = tree();
  expect(work.resolve(["--no-state", "-"], { ...SOON, stdin: `a/b/${"d/".repeat(250_000)}x\n` })).toEqual([ROOT, B]);
});

test("files: the cwd is lexical: PWD names it through a linked directory", () => {
  using place = bench({
    "real/sub/AGENTS.md": file("sub\n"),
    "real/AGENTS.md": file("real\n"),
    "real/.git/": dir,
    "view/.git/": dir,
    "view/AGENTS.md": file("view\n"),
    "view/linked": { link: "../real/sub" },
  });
  // By the names of its links this directory is inside the root. sub's text is outside that root and not included.
  const env = { PWD: place.path("view/linked") };
  const { stdout, stderr } = place.codelia(["init-context", "--no-state"], { cwd: "view/linked", env });
  expect(stdout).toContain(`Instructions from: ${place.path("view/AGENTS.md")}\nview\n`);
  expect(stdout).not.toContain("\nreal\n");
  expect(stdout).not.toContain("\nsub\n");
  expect(stderr).toContain(`'${place.path("view/linked/AGENTS.md")}' is skipped`);
  expect(place.bundle(["--no-state"], { cwd: "view/linked" })).toEqual(["real/AGENTS.md", "real/sub/AGENTS.md"]);
});

test("files: a link to the repository itself is the same repository under that name", () => {
  using work = bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("a\n"),
    link: { link: "repo" },
  });
  const call = { cwd: "link/a", env: { PWD: work.path("link/a") } };
  expect(work.bundle([], call)).toEqual(["link/AGENTS.md", "link/a/AGENTS.md"]);
  // An editor that names the file by its real path asks about the same files.
  expect(work.resolve([work.path("repo/a/x.ts")], call)).toEqual([]);
  expect(work.resolve(["x.ts"], { cwd: "repo/a" })).toEqual([]);
});

test("files: without markers, a file of the cwd that is named by its real path is in the cwd", () => {
  using work = bench({ "repo/AGENTS.md": file("root\n"), link: { link: "repo" } });
  const call = { cwd: "link", env: { PWD: work.path("link") } };
  expect(work.resolve(["--no-state", "x.ts"], call)).toEqual(["link/AGENTS.md"]);
  expect(work.resolve(["--no-state", work.path("repo/x.ts")], call)).toHaveLength(1);
});

test("files: a PWD that names another directory, or none, is not believed", () => {
  using work = tree();
  for (const pwd of [work.path("other"), work.path("absent"), "a/b", "", "."]) {
    expect(work.resolve(["--no-state", "x"], { cwd: "repo/a/b", env: { PWD: pwd } })).toEqual([ROOT, B]);
  }
});

for (const [what, pwd] of [
  ["below a file", "repo/AGENTS.md/x"],
  ["with a name that is too long", `${"n".repeat(300)}/x`],
  ["longer than a path can be", `${"n/".repeat(3000)}x`],
] as const) {
  test(`files: a PWD ${what} is not believed`, () => {
    using work = tree();
    const env = { PWD: work.path(pwd) };
    expect(work.resolve(["--no-state", "x"], { cwd: "repo/a/b", env })).toEqual([ROOT, B]);
  });
}

for (const [what, pwd] of [
  ["with a slash at its end", "repo/"],
  ["with a dot at its end", "repo/."],
  ["with a way down and up again", "repo/a/.."],
  ["with a doubled slash", "/repo"],
] as const) {
  test(`files: a PWD ${what} is the same directory (it must not climb for ever)`, () => {
    using work = tree();
    const call = { env: { PWD: `${work.root}/${pwd}` }, ...SOON };
    expect(work.resolve(["--no-state", "a/b/x"], call)).toEqual([ROOT, B]);
    expect(work.bundle(["--no-state"], call)).toEqual([ROOT]);
  });
}

test("files: --cwd is relative to the real cwd, with or without a slash at its end", () => {
  using work = tree();
  for (const cwd of ["a/b", "a/b/", "./a/b", "../repo/a/b/.", work.path("repo/a/b"), `${work.path("repo/a/b")}/`]) {
    expect(work.resolve(["--no-state", "--cwd", cwd, "x"], SOON)).toEqual([ROOT, B]);
    expect(work.bundle(["--no-state", "--cwd", cwd], SOON)).toEqual([ROOT, B]);
  }
  expect(work.codelia(["resolve", "--cwd", "absent", "x"])).toEqual({
    stdout: "",
    stderr: "codelia: 'absent' is not a directory\n",
    exitCode: 1,
  });
});
