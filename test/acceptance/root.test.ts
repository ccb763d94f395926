import { readdirSync } from "node:fs";
import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file, headersOf, type Bench, type Call } from "./agents-bench.ts";

// What decides the root. Files that codelia itself creates are in root-own-state, git's own layouts in root-git.

/** A ladder of directories, each with its AGENTS.md; only `repo/a` has a marker. */
function rootTree(): Bench {
  return bench({
    "repo/AGENTS.md": file("repo\n"),
    "repo/a/.git/": dir,
    "repo/a/AGENTS.md": file("a\n"),
    "repo/a/b/package.json": "{}\n",
    "repo/a/b/AGENTS.md": file("b\n"),
    "repo/a/b/c/AGENTS.md": file("c\n"),
  });
}

const CHAIN = ["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/a/b/AGENTS.md", "repo/a/b/c/AGENTS.md"];

/** The bundle in `repo/a/b/c`, which begins at the root. */
function chainFrom(tree: Bench, args: readonly string[], env: Call["env"] = {}): string[] {
  return tree.bundle([...args, "--no-state"], { cwd: "repo/a/b/c", env });
}

function userConfig(tree: Bench, root: Record<string, unknown>): void {
  tree.write("home/.codelia/config.json", JSON.stringify({ agents: { root } }));
}

test("root: --root > CODELIA_AGENTS_ROOT > user config > markers > cwd", () => {
  using tree = rootTree();
  userConfig(tree, { projectRootOverride: tree.path("repo/a/b") });
  const env = { CODELIA_AGENTS_ROOT: tree.path("repo/a/b/c") };
  expect(chainFrom(tree, ["--root", tree.path("repo")], env)).toEqual(CHAIN);
  expect(chainFrom(tree, [], env)).toEqual(CHAIN.slice(3));
  expect(chainFrom(tree, [])).toEqual(CHAIN.slice(2));
  tree.remove("home/.codelia");
  expect(chainFrom(tree, [])).toEqual(CHAIN.slice(1));
  tree.remove("repo/a/.git");
  expect(chainFrom(tree, [])).toEqual(CHAIN.slice(3));
});

test("root: a CODELIA_AGENTS_ROOT that names no directory leaves the user's own choice in force", () => {
  using tree = rootTree();
  userConfig(tree, { projectRootOverride: tree.path("repo/a/b") });
  const call = { cwd: "repo/a/b/c", env: { CODELIA_AGENTS_ROOT: "gone" } };
  const { stdout, stderr, exitCode } = tree.codelia(["init-context", "--only", "agents", "--no-state"], call);
  expect({ stderr, exitCode }).toEqual({
    stderr: "codelia: warning: CODELIA_AGENTS_ROOT names 'gone', which is not a directory; it is ignored\n",
    exitCode: 0,
  });
  expect(headersOf(stdout)).toEqual(CHAIN.slice(2).map((path) => tree.path(path)));
});

test("root: one that does not contain the working directory is passed over by instructions, skills, config and ledger alike", () => {
  using tree = rootTree();
  tree.write("other/AGENTS.md", "other\n");
  tree.write("other/.agents/skills/theirs/SKILL.md", "---\nname: theirs\ndescription: d\n---\n");
  tree.write("repo/a/.agents/skills/ours/SKILL.md", "---\nname: ours\ndescription: d\n---\n");
  tree.write("other/.codelia/config.json", JSON.stringify({ skills: { enabled: false } }));
  const call = { cwd: "repo/a/b", env: { CODELIA_AGENTS_ROOT: tree.path("other") } };
  const stderr = `codelia: warning: CODELIA_AGENTS_ROOT names '${tree.path("other")}', which does not contain the working directory; the root here is '${tree.path("repo/a")}'\n`;
  const first = tree.codelia(["init-context", "--session", "s"], call);
  expect({ stderr: first.stderr, exitCode: first.exitCode }).toEqual({ stderr, exitCode: 0 });
  expect(headersOf(first.stdout)).toEqual(CHAIN.slice(1, 3).map((path) => tree.path(path)));
  expect(first.stdout).toContain("<name>ours</name>");
  expect(first.stdout).not.toContain("theirs");
  expect(tree.read("repo/a/.codelia/session.json")).toContain('"s":');
  expect(readdirSync(tree.path("other/.codelia"))).toEqual(["config.json"]);
  const { root } = JSON.parse(tree.codelia(["inspect", "--json"], call).stdout);
  expect(root).toMatchObject({ directory: tree.path("repo/a"), reason: "marker" });
  // A user's config that names the next root is asked before the markers.
  userConfig(tree, { projectRootOverride: tree.path("repo") });
  expect(tree.codelia(["init-context", "--no-state", "--quiet"], call)).toMatchObject({ stderr: "", exitCode: 0 });
  expect(chainFrom(tree, ["--quiet"], call.env)).toEqual(CHAIN);
});

test("root: CODELIA_AGENTS_MARKERS > user config's markers > the default ones", () => {
  using tree = rootTree();
  userConfig(tree, { markers: ["package.json"] });
  expect(chainFrom(tree, [], { CODELIA_AGENTS_MARKERS: ".git" })).toEqual(CHAIN.slice(1));
  expect(chainFrom(tree, [])).toEqual(CHAIN.slice(2));
  expect(chainFrom(tree, [], { CODELIA_AGENTS_MARKERS: "" })).toEqual(CHAIN.slice(2));
  expect(chainFrom(tree, [], { CODELIA_AGENTS_MARKERS: " , ," })).toEqual(CHAIN.slice(2));
});

test("root: a relative --root starts at the cwd, and ~/ at home", () => {
  using tree = rootTree();
  expect(chainFrom(tree, ["--root", "../.."])).toEqual(CHAIN.slice(1));
  expect(chainFrom(tree, ["--root", "../../"])).toEqual(CHAIN.slice(1));
  tree.write("home/project/AGENTS.md", "project\n");
  tree.write("home/project/deep/AGENTS.md", "deep\n");
  const call = { cwd: "home/project/deep" };
  expect(tree.bundle(["--no-state", "--root", "~/project"], call)).toEqual([
    "home/project/AGENTS.md",
    "home/project/deep/AGENTS.md",
  ]);
});

test("root: an override with a slash at its end is the same directory", () => {
  using tree = rootTree();
  const slashed = `${tree.path("repo/a")}/`;
  expect(chainFrom(tree, ["--root", slashed])).toEqual(CHAIN.slice(1));
  expect(chainFrom(tree, [], { CODELIA_AGENTS_ROOT: slashed })).toEqual(CHAIN.slice(1));
  userConfig(tree, { projectRootOverride: slashed });
  expect(chainFrom(tree, [])).toEqual(CHAIN.slice(1));
});

test("root: an override with a slash at its end, after ~/, is found without climbing for ever", () => {
  using tree = bench({ "home/project/AGENTS.md": file("project\n") });
  userConfig(tree, { projectRootOverride: "~/project/" });
  expect(tree.resolve(["--no-state", "x.ts"], { cwd: "home/project", timeoutMs: 2000 })).toEqual([
    "home/project/AGENTS.md",
  ]);
});

test("root: an override that is the cwd's directory by another name is that directory", () => {
  using tree = bench({ "repo/AGENTS.md": file("top\n"), "repo/a/AGENTS.md": file("a\n"), link: { link: "repo" } });
  const bodies = (root: string) =>
    tree.codelia(["init-context", "--no-state", "--root", tree.path(root)], { cwd: "repo/a" }).stdout;
  expect(bodies("repo")).toContain("\ntop\n");
  expect(bodies("link")).toContain("\ntop\n");
});

test("root: --root that is no directory is an error; elsewhere it is a warning, and the markers decide", () => {
  using tree = rootTree();
  const call = { cwd: "repo/a/b/c" };
  for (const root of ["absent", tree.path("repo/AGENTS.md")]) {
    expect(tree.codelia(["resolve", "--root", root, "x.ts"], call)).toEqual({
      stdout: "",
      stderr: `codelia: root '${root}' is not a directory\n`,
      exitCode: 1,
    });
  }
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", "x.ts"], {
    ...call,
    env: { CODELIA_AGENTS_ROOT: "/absent" },
  });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^codelia: warning: CODELIA_AGENTS_ROOT names '\/absent'.*\n$/);
  expect(JSON.parse(stdout).files).toHaveLength(3);
});

test("root: keys in a project's own config are ignored, with a warning", () => {
  using tree = rootTree();
  const root = { projectRootOverride: tree.path("repo"), markers: ["package.json"], stopAtFsRoot: false };
  tree.write("repo/a/.codelia/config.json", JSON.stringify({ agents: { root } }));
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", "--no-state", "x.ts"], { cwd: "repo/a/b/c" });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^codelia: warning: config '.*\/repo\/a\/\.codelia\/config\.json': .*agents\.root.*\n$/);
  expect(JSON.parse(stdout).files.map(({ path }: { path: string }) => path)).toEqual(
    CHAIN.slice(1).map((path) => tree.path(path)),
  );
  const { values } = JSON.parse(tree.codelia(["config", "--json"], { cwd: "repo/a/b/c" }).stdout);
  const markers = values.find(({ key }: { key: string }) => key === "agents.root.markers");
  expect(markers).toEqual({ key: "agents.root.markers", value: [".codelia", ".git", ".jj"], source: "default" });
});

function globalTree(): Bench {
  return bench({
    "home/AGENTS.md": file("home\n"),
    "home/work/.codelia/config.json": "{}\n",
    "home/work/AGENTS.md": file("work\n"),
    "home/work/project/AGENTS.md": file("project\n"),
  });
}

test("root: the user's global directory is no marker, wherever CODELIA_HOME puts it", () => {
  using tree = globalTree();
  const cwd = "home/work/project";
  expect(tree.bundle(["--no-state"], { cwd })).toEqual(["home/work/AGENTS.md", "home/work/project/AGENTS.md"]);
  for (const end of ["", "/", "/../.codelia"]) {
    const env = { CODELIA_HOME: tree.path("home/work/.codelia") + end };
    expect(tree.bundle(["--no-state"], { cwd, env })).toEqual(["home/work/project/AGENTS.md"]);
  }
});

test("root: while CODELIA_HOME is elsewhere, ~/.codelia is no marker either", () => {
  using tree = globalTree();
  tree.write("home/.codelia/config.json", "{}\n");
  tree.remove("home/work/.codelia");
  const env = { CODELIA_HOME: tree.path("elsewhere") };
  expect(tree.bundle(["--no-state"], { cwd: "home/work/project", env })).toEqual(["home/work/project/AGENTS.md"]);
});

test("root: the global directory is no marker in another spelling either", () => {
  using tree = bench({
    "home/.codelia/": dir,
    "home/AGENTS.md": file("home\n"),
    "home/project/AGENTS.md": file("project\n"),
  });
  const cwd = "home/project";
  for (const marker of [".codelia/", "./.codelia", "x/../.codelia"]) {
    const env = { CODELIA_AGENTS_MARKERS: marker };
    expect(tree.bundle(["--no-state"], { cwd, env })).toEqual(["home/project/AGENTS.md"]);
    userConfig(tree, { markers: [marker] });
    expect(tree.bundle(["--no-state"], { cwd })).toEqual(["home/project/AGENTS.md"]);
    tree.remove("home/.codelia/config.json");
  }
});

test("root: a marker may be a path", () => {
  using tree = bench({ "repo/AGENTS.md": file("root\n"), "repo/go/go.mod": "", "repo/a/AGENTS.md": file("a\n") });
  const env = { CODELIA_AGENTS_MARKERS: "go/go.mod" };
  expect(tree.bundle(["--no-state"], { cwd: "repo/a", env })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("root: stopAtFsRoot false stops at home, true walks on", () => {
  using tree = bench({
    ".git/": dir,
    "AGENTS.md": file("above home\n"),
    "home/project/AGENTS.md": file("project\n"),
    "repo/a/AGENTS.md": file("beside home\n"),
  });
  const cwd = "home/project";
  expect(tree.bundle(["--no-state"], { cwd })).toEqual(["AGENTS.md", "home/project/AGENTS.md"]);
  userConfig(tree, { stopAtFsRoot: false });
  expect(tree.bundle(["--no-state"], { cwd })).toEqual(["home/project/AGENTS.md"]);
  expect(tree.bundle(["--no-state"], { cwd: "repo/a" })).toEqual(["AGENTS.md", "repo/a/AGENTS.md"]);
});

test("root: stopAtFsRoot false stops at home, whatever HOME calls it", () => {
  using tree = bench({
    ".git/": dir,
    "AGENTS.md": file("above home\n"),
    "home/project/AGENTS.md": file("project\n"),
    link: { link: "home" },
  });
  userConfig(tree, { stopAtFsRoot: false });
  for (const home of ["home/", "link"]) {
    const env = { HOME: `${tree.root}/${home}` };
    expect(tree.bundle(["--no-state"], { cwd: "home/project", env })).toEqual(["home/project/AGENTS.md"]);
  }
});

test("root: a call at the filesystem root works", () => {
  using tree = bench({});
  const { stderr, exitCode } = tree.codelia(["resolve", "--cwd", "/", "--json", "absent.ts"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(tree.codelia(["init-context", "--cwd", "/", "--root", "/", "--json"]).exitCode).toBe(0);
});
