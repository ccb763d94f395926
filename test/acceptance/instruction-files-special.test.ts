import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { linkSync } from "node:fs";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, file, NOTHING, resolveReminder, says, T0, type Bench } from "./agents-bench.ts";

// Other things that have the name of an instruction file. A call that opened a FIFO would not end, so every call here
// has two seconds.

const SOON = { timeoutMs: 2000 };

function withEntry(entry: Entry, more: Record<string, Entry> = {}): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.override.md": entry,
    "repo/a/AGENTS.md": file("a\n"),
    ...more,
  });
}

/** The override is passed over and named on standard error; its AGENTS.md is used. */
function expectPassedOver(tree: Bench, because: RegExp): void {
  const path = tree.path("repo/a/AGENTS.override.md");
  for (const args of [
    ["init-context", "--only", "agents"],
    ["resolve", "--no-state", "x.ts"],
    ["resume-diff", "--no-state"],
  ]) {
    const { stdout, stderr, exitCode } = tree.codelia(args, { cwd: "repo/a", ...SOON });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(tree.path("repo/a/AGENTS.md"));
    expect(stdout).not.toContain(path);
    expect(stderr).toStartWith(`codelia: warning: '${path}' is skipped: `);
    expect(stderr).toMatch(because);
    expect(stderr.match(/\n/g)).toHaveLength(1);
  }
}

for (const [name, entry, because] of [
  ["a directory", dir, /not a regular file/],
  ["a FIFO", { fifo: true }, /not a regular file/],
  ["a dangling link", { link: "absent" }, /leads nowhere/],
  ["a link to itself", { link: "AGENTS.override.md" }, /leads nowhere/],
  ["a link to a directory", { link: "../.git" }, /not a regular file/],
  ["a link to a device", { link: "/dev/zero" }, /outside the root/],
  ["a link out of the root", { link: "../../outside.md" }, /outside the root/],
  ["an absolute link out of the root", { link: "/etc/passwd" }, /outside the root/],
  ["a link to a file of the user's", { link: "../../home/.ssh/id_ed25519" }, /outside the root/],
] as const) {
  test(`files: ${name} is passed over, reported and not opened`, () => {
    using tree = withEntry(entry, { "outside.md": "outside text\n", "home/.ssh/id_ed25519": "a private key\n" });
    expectPassedOver(tree, because);
  });
}

test("files: a link to a FIFO inside the root is passed over", () => {
  using tree = withEntry({ link: "pipe" }, { "repo/a/pipe": { fifo: true } });
  expectPassedOver(tree, /not a regular file/);
});

test("files: a socket is passed over", async () => {
  using tree = bench({ "repo/.git/": dir, "repo/a/AGENTS.md": file("a\n") });
  const server = createServer();
  await new Promise<void>((ready) => server.listen(tree.path("repo/a/AGENTS.override.md"), ready));
  try {
    expectPassedOver(tree, /not a regular file/);
  } finally {
    await new Promise((closed) => server.close(closed));
  }
});

test("files: the home-level one is passed over, too, if it is none", () => {
  for (const entry of [dir, { fifo: true }, { link: "absent" }] as const) {
    using tree = bench({ "repo/.git/": dir, "home/.codelia/AGENTS.md": entry, "repo/AGENTS.md": file("root\n") });
    const { stdout, exitCode } = tree.codelia(["init-context", "--only", "agents"], SOON);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Instructions from: ${tree.path("repo/AGENTS.md")}\nroot\n`);
    expect(stdout).not.toContain("home/.codelia");
  }
});

test("files: --quiet prints the answer without the warning", () => {
  using tree = withEntry({ fifo: true });
  expect(tree.resolve(["--quiet", "x.ts"], { cwd: "repo/a", ...SOON })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("files: a link inside the root works: AGENTS.md -> CLAUDE.md", () => {
  using tree = bench({
    "repo/.git/": dir,
    "repo/CLAUDE.md": file("the one text\n"),
    "repo/AGENTS.md": { link: "CLAUDE.md" },
    "repo/a/AGENTS.md": { link: "../docs/a.md" },
    "repo/docs/a.md": file("a's text\n", T0 + 1),
  });
  const { stdout, stderr } = tree.codelia(["init-context", "--only", "agents", "--no-state"], { cwd: "repo/a" });
  expect(stderr).toBe("");
  expect(stdout).toContain(`Instructions from: ${tree.path("repo/AGENTS.md")}\nthe one text\n`);
  expect(stdout).toContain(`Instructions from: ${tree.path("repo/a/AGENTS.md")}\na's text\n`);
  // The version is the text's, not the link's.
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(
    says(
      resolveReminder([
        [tree.path("repo/AGENTS.md"), T0],
        [tree.path("repo/a/AGENTS.md"), T0 + 1],
      ]),
    ),
  );
  tree.touch("repo/CLAUDE.md", T0 + 9);
  expect(tree.resolve(["a/x.ts"])).toEqual(["repo/AGENTS.md"]);
});

test("files: a target behind a link that leads out of the root has no instructions", () => {
  using tree = bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/out": { link: "../outside" },
    "outside/AGENTS.md": file("outside\n"),
  });
  const { stdout, stderr } = tree.codelia(["resolve", "--json", "out/x.ts"]);
  expect(JSON.parse(stdout).files.map(({ path }: { path: string }) => path)).toEqual([tree.path("repo/AGENTS.md")]);
  expect(stderr).toContain("outside the root");
});

test("files: one with two names is told once: a symbolic link, a hard link, in one call or in two", () => {
  using tree = bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("the same\n"),
    "repo/soft/AGENTS.md": { link: "../AGENTS.md" },
    "repo/hard/": dir,
  });
  linkSync(tree.path("repo/AGENTS.md"), tree.path("repo/hard/AGENTS.md"));
  expect(tree.bundle(["--no-state"], { cwd: "repo/soft" })).toEqual(["repo/AGENTS.md"]);
  expect(tree.resolve(["--no-state", "soft/x", "hard/x"])).toEqual(["repo/AGENTS.md"]);
  tree.codelia(["init-context"]);
  for (const path of ["soft/x", "hard/x", "soft/x"]) expect(tree.codelia(["resolve", path])).toEqual(NOTHING);
  tree.touch("repo/AGENTS.md", T0 + 1);
  expect(tree.resolve(["soft/x", "hard/x"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.resolve(["hard/x", "soft/x"])).toEqual([]);
});

test("files: the same text in two files of their own is two files", () => {
  using tree = bench({ "repo/.git/": dir, "repo/AGENTS.md": file("same\n"), "repo/a/AGENTS.md": file("same\n") });
  expect(tree.resolve(["a/x"])).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});
