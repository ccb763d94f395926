import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dir } from "../support/temp-tree.ts";
import { bench, file, NOTHING, resolveReminder, says, T0, type Bench } from "./agents-bench.ts";

// DESIGN §3 and §3.1: what resolve says, in what form, and what it keeps for the next call.

/** Ten files on one ladder: repo/AGENTS.md, repo/1/AGENTS.md, … repo/1/2/3/4/5/6/7/8/9/AGENTS.md. */
const RUNGS = Array.from({ length: 10 }, (_, depth) =>
  ["repo", ...Array.from({ length: depth }, (_unused, index) => `${index + 1}`), "AGENTS.md"].join("/"),
);
const DEEPEST = "1/2/3/4/5/6/7/8/9/x.ts";

function deepTree(): Bench {
  return bench({ "repo/.git/": dir, ...Object.fromEntries(RUNGS.map((path) => [path, file("text\n")])) });
}

function smallTree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("a\n"),
    "repo/b/AGENTS.md": file("b\n"),
    "repo/with\nnewline/AGENTS.md": file("n\n"),
  });
}

test("formats: over the limit of 8 the nearest are shown, the number of the others is said, and they stay pending", () => {
  using tree = deepTree();
  const first = tree.codelia(["resolve", DEEPEST]);
  expect({ ...first, stdout: "" }).toEqual(NOTHING);
  const told = [...first.stdout.matchAll(/^- (.*) \(mtime: \d+\)$/gm)].map((match) => match[1]);
  expect(told).toEqual(RUNGS.slice(2).map((path) => tree.path(path)));
  expect(first.stdout).toMatch(/^2 more files apply\b/m);
  expect(tree.resolve([DEEPEST])).toEqual(RUNGS.slice(0, 2));
  expect(tree.codelia(["resolve", DEEPEST])).toEqual(NOTHING);
});

test("formats: under --json the number that remains is on standard error", () => {
  using tree = deepTree();
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", DEEPEST]);
  expect(JSON.parse(stdout).files).toHaveLength(8);
  expect(stderr).toMatch(/\b2 more files apply\b/);
  expect(exitCode).toBe(0);
});

test("formats: what remains pending for one path is told for any path it applies to", () => {
  using tree = deepTree();
  tree.codelia(["resolve", DEEPEST]);
  expect(tree.resolve(["x.ts"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.resolve([DEEPEST])).toEqual(["repo/1/AGENTS.md"]);
});

test("formats: a known file that has vanished is reported once", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts", "b/x.ts"]);
  tree.remove("repo/a/AGENTS.md");
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "a/x.ts"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toStartWith('<system-reminder type="agents.resolve.paths">\n');
  expect(stdout).toContain(`\n- ${tree.path("repo/a/AGENTS.md")}\n`);
  expect(stdout).not.toContain("repo/b/AGENTS.md");
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
});

test("formats: one that has vanished with its directory is reported once too", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.remove("repo/a");
  expect(tree.codelia(["resolve", "a/x.ts"]).stdout).toContain(`\n- ${tree.path("repo/a/AGENTS.md")}\n`);
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
});

test("formats: under --json a vanished file is on standard error, and the object stays of its schema", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.remove("repo/a/AGENTS.md");
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", "a/x.ts"]);
  expect({ stdout, exitCode }).toEqual({ stdout: '{"files":[]}\n', exitCode: 0 });
  expect(stderr).toContain(`'${tree.path("repo/a/AGENTS.md")}'`);
  expect(tree.codelia(["resolve", "--json", "a/x.ts"])).toEqual(says('{"files":[]}\n'));
});

test("formats: a vanished file that --json --quiet had no place for is not lost", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.remove("repo/a/AGENTS.md");
  const quiet = tree.codelia(["resolve", "--json", "--quiet", "a/x.ts"]);
  const next = tree.codelia(["resolve", "a/x.ts"]);
  expect(quiet.stderr + next.stdout).toContain(tree.path("repo/a/AGENTS.md"));
});

test("formats: a file that vanished and came back is new", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.remove("repo/a/AGENTS.md");
  tree.codelia(["resolve", "a/x.ts"]);
  tree.write("repo/a/AGENTS.md", "a\n");
  tree.touch("repo/a/AGENTS.md", T0);
  expect(tree.resolve(["a/x.ts"])).toEqual(["repo/a/AGENTS.md"]);
});

test("formats: a new size under the same mtime is a new version", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.write("repo/a/AGENTS.md", "a and more\n");
  tree.touch("repo/a/AGENTS.md", T0);
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(says(resolveReminder([[tree.path("repo/a/AGENTS.md"), T0]])));
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
});

test('formats: with nothing to say stdout is empty, and {"files":[]} under --json', () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
  expect(tree.codelia(["resolve", "--json", "a/x.ts"])).toEqual(says('{"files":[]}\n'));
});

test("formats: several paths at once are one answer: each file once, root first", () => {
  using tree = smallTree();
  expect(tree.resolve(["b/x.ts", "a/x.ts", "a/y.ts", "."])).toEqual([
    "repo/AGENTS.md",
    "repo/a/AGENTS.md",
    "repo/b/AGENTS.md",
  ]);
  expect(tree.resolve(["b/x.ts", "a/x.ts"])).toEqual([]);
});

for (const [how, stdin] of [
  ["a line each", "a/x.ts\nb/x.ts\n"],
  ["a line each, the last without an end", "a/x.ts\nb/x.ts"],
  ["a line each, from Windows", "a/x.ts\r\nb/x.ts\r\n"],
  ["with blank lines", "\n\na/x.ts\n\nb/x.ts\n\n"],
  ["NUL-separated", "a/x.ts\0b/x.ts\0"],
  ["NUL-separated, the last without an end", "a/x.ts\0b/x.ts"],
] as const) {
  test(`formats: paths on standard input, ${how}`, () => {
    using tree = smallTree();
    expect(tree.resolve(["-"], { stdin })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/b/AGENTS.md"]);
  });
}

test("formats: NUL lets a path hold a newline; paths may stand beside '-'; no path on stdin is no error", () => {
  using tree = smallTree();
  expect(tree.resolve(["--no-state", "-"], { stdin: "with\nnewline/x\0a/x\0" })).toEqual([
    "repo/AGENTS.md",
    "repo/a/AGENTS.md",
    "repo/with\nnewline/AGENTS.md",
  ]);
  expect(tree.resolve(["--no-state", "b/x", "-"], { stdin: "a/x\n" })).toHaveLength(3);
  expect(tree.codelia(["resolve", "-"], { stdin: "" })).toEqual(NOTHING);
  expect(tree.codelia(["resolve", "--json", "-"], { stdin: "\n" })).toEqual(says('{"files":[]}\n'));
});

test("formats: ten thousand paths on stdin are one answer", () => {
  using tree = smallTree();
  const stdin = Array.from({ length: 10_000 }, (_, index) => `${index % 2 === 0 ? "a" : "b"}/new-${index}/x.ts\n`);
  expect(tree.resolve(["-"], { stdin: stdin.join("") })).toHaveLength(3);
});

test("formats: --no-state neither reads nor writes the ledger", () => {
  using tree = smallTree();
  const all = ["repo/AGENTS.md", "repo/a/AGENTS.md"];
  expect(tree.resolve(["--no-state", "a/x.ts"])).toEqual(all);
  for (const args of [["init-context"], ["resume-diff"], ["trim", "--max-bytes", "1"]]) {
    expect(tree.codelia([...args, "--no-state"], { stdin: "long enough" }).exitCode).toBe(0);
  }
  expect(existsSync(tree.path("repo/.codelia"))).toBeFalse();
  expect(existsSync(tree.path("home/.local"))).toBeFalse();
  expect(tree.resolve(["a/x.ts"])).toEqual(all);
  const ledger = tree.read("repo/.codelia/session.json");
  expect(tree.resolve(["--no-state", "a/x.ts", "b/x.ts"])).toHaveLength(3);
  expect(tree.read("repo/.codelia/session.json")).toBe(ledger);
});

test("formats: a call with nothing new writes nothing", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  const ledger = tree.read("repo/.codelia/session.json");
  tree.codelia(["resolve", "a/x.ts"]);
  tree.codelia(["resume-diff"]);
  expect(tree.read("repo/.codelia/session.json")).toBe(ledger);
});

for (const [agents, silent] of [
  [{ enabled: false }, ["resolve", "resume-diff"]],
  [{ resolver: { enabled: false } }, ["resolve"]],
] as const) {
  test(`formats: with ${JSON.stringify(agents)} ${silent.join(" and ")} print nothing, exit 0 and record nothing`, () => {
    using tree = smallTree();
    tree.write("home/.codelia/config.json", JSON.stringify({ agents }));
    const operands = { resolve: ["a/x.ts"], "resume-diff": [] };
    for (const verb of silent) {
      expect(tree.codelia([verb, ...operands[verb]])).toEqual(NOTHING);
      expect(tree.codelia([verb, "--json", ...operands[verb]])).toEqual(
        says(verb === "resolve" ? '{"files":[]}\n' : "{}\n"),
      );
    }
    tree.remove("home/.codelia");
    expect(tree.resolve(["a/x.ts"])).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
  });
}

test("formats: init-context leaves out a part that is disabled", () => {
  using tree = smallTree();
  tree.write("repo/.agents/skills/one/SKILL.md", "---\nname: one\ndescription: d\n---\nbody\n");
  tree.write("home/.codelia/config.json", JSON.stringify({ agents: { enabled: false } }));
  expect(tree.codelia(["init-context"]).stdout).toStartWith("<skills_context");
  tree.write("home/.codelia/config.json", JSON.stringify({ skills: { enabled: false } }));
  expect(tree.codelia(["init-context"]).stdout).not.toContain("skills_context");
  const neither = { agents: { enabled: false }, skills: { enabled: false } };
  tree.write("home/.codelia/config.json", JSON.stringify(neither));
  expect(tree.codelia(["init-context"])).toEqual(NOTHING);
});
