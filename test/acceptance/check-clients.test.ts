import { describe, expect, test } from "bun:test";
import { largeMonorepo } from "../support/large-monorepo.ts";
import type { Reach } from "../../src/report/schema.ts";
import { giveAway, UNPRIVILEGED, WHY_NOT_UNPRIVILEGED } from "../reliability/lib/unprivileged.ts";
import { CODELIA, runCodelia, startProgram } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `codelia check --as`: what a client cuts, leaves out and passes over.

const LIMIT = 32_768;

interface Found {
  readonly rule: string;
  readonly path: string;
  readonly message: string;
  readonly places?: readonly string[];
}

function withinRepo(tree: TempTree, path: string): string {
  return path.slice(tree.path("repo").length + 1);
}

function findings(tree: TempTree, as: string, paths: readonly string[] = []): Found[] {
  const { stdout } = runCodelia(["check", "--json", "--as", as, ...paths], {
    cwd: tree.path("repo"),
    home: tree.path("home"),
  });
  return (JSON.parse(stdout) as { findings: Found[] }).findings;
}

function project(files: Readonly<Record<string, Entry>>, home: Readonly<Record<string, Entry>> = {}): TempTree {
  const below = (place: string, table: typeof files) =>
    Object.fromEntries(Object.entries(table).map(([path, entry]) => [`${place}/${path}`, entry]));
  return tempTree({ "home/": dir, "repo/.git/": dir, ...below("repo", files), ...below("home", home) });
}

describe("a tree shaped like a large monorepo", () => {
  const { files, shares } = largeMonorepo(LIMIT);
  const chainOf = (path: string) => shares.filter((other) => path.startsWith(other.path.slice(0, -"AGENTS.md".length)));

  test("it is one", () => {
    expect(shares).toHaveLength(110);
    const chains = shares.map(({ path }) => chainOf(path));
    const longest = chains.filter((chain) => chain.length === 6);
    expect(longest.length).toBeGreaterThan(10);
    expect(Math.min(...longest.map((chain) => chain.reduce((sum, { bytes }) => sum + bytes, 0)))).toBeGreaterThan(
      LIMIT,
    );
    for (const kind of [0, 1])
      expect(
        shares.filter(({ bytes, shown }) => (kind === 0 ? shown === 0 : shown > 0 && shown < bytes)).length,
      ).toBeGreaterThan(5);
  });

  for (const client of ["codex", "raw"]) {
    test(`--as ${client} names exactly the files that get no bytes and those that are cut`, () => {
      const limited = JSON.stringify({ agents: { initial: { maxBytes: LIMIT } } });
      using tree = project(files, { ".codelia/config.json": limited });
      const all = findings(tree, client);
      const named = all.flatMap(({ path, places = [path] }) => places.map((place) => withinRepo(tree, place)));
      const lost = shares.filter(({ bytes, shown }) => shown < bytes);
      expect(named.toSorted()).toEqual(lost.map(({ path }) => path).toSorted());
      // Files with the same cause are one finding; a file that is checked alone has its own.
      expect(all.length).toBeLessThan(lost.length);
      for (const { path, bytes, shown } of lost.slice(0, 12)) {
        const [one] = findings(tree, client, [path]);
        // The finding may be that the file leaves no room for others.
        if (one?.places?.includes(tree.path("repo", path)) === true) continue;
        const rule = shown === 0 ? "instructions-left-out" : "instructions-cut";
        expect([one?.rule, one && withinRepo(tree, one.path)]).toEqual([rule, path]);
        expect(one?.message).toContain(`reads ${shown === 0 ? "none" : shown} of its ${bytes} bytes`);
      }
    });
  }

  test("a limit of the user's own counts", () => {
    using tree = project(files, { ".codex/config.toml": "project_doc_max_bytes = 1000000\n" });
    expect(findings(tree, "codex")).toEqual([]);
  });

  test("a part is judged with what stands above it", () => {
    using tree = project(files);
    const part = shares.find(({ shown, bytes }) => shown > 0 && shown < bytes)!.path;
    const args = ["check", "--as", "codex", part];
    const { stdout, stderr, exitCode } = runCodelia(args, { cwd: tree.path("repo"), home: tree.path("home") });
    expect(stdout).toStartWith(`${part}:1 error instructions-cut Codex reads `);
    expect([stdout.split("\n").length, stderr, exitCode]).toEqual([2, "codelia: 1 error (1 file checked)\n", 1]);
  });
});

describe("Claude Code", () => {
  const CASES: [what: string, files: Readonly<Record<string, Entry>>, passedOver: string[]][] = [
    ["a CLAUDE.md beside it", { "AGENTS.md": "One.\n", "CLAUDE.md": "Two.\n" }, ["AGENTS.md"]],
    ["a CLAUDE.md above it", { "CLAUDE.md": "Two.\n", "web/AGENTS.md": "One.\n" }, ["web/AGENTS.md"]],
    ["one that imports it", { "AGENTS.md": "One.\n", "CLAUDE.md": "@AGENTS.md\n" }, []],
    ["one that is a link to it", { "AGENTS.md": "One.\n", "CLAUDE.md": { link: "AGENTS.md" } }, []],
    ["one of which it is a link", { "AGENTS.md": { link: "CLAUDE.md" }, "CLAUDE.md": "Two.\n" }, []],
    ["one in its own directory", { "AGENTS.md": "One.\n", ".claude/CLAUDE.md": "Two.\n" }, ["AGENTS.md"]],
    ["none", { "AGENTS.md": "One.\n", "web/AGENTS.md": "Three.\n" }, []],
  ];
  for (const [what, files, passedOver] of CASES) {
    test(`AGENTS.md and ${what}`, () => {
      using tree = project(files);
      const found = findings(tree, "claude").filter(({ rule }) => rule === "instructions-shadowed");
      expect(found.map(({ path }) => path)).toEqual(passedOver.map((path) => tree.path("repo", path)));
    });
  }
});

test("a client that nobody knows is a mistake", () => {
  using tree = project({ "AGENTS.md": "One.\n" });
  const result = runCodelia(["check", "--as", "raw,codez"], { cwd: tree.path("repo"), home: tree.path("home") });
  expect(result).toEqual({
    stdout: "",
    stderr: "codelia: unknown client 'codez', did you mean 'codex'?\n",
    exitCode: 1,
  });
});

test.skipIf(WHY_NOT_UNPRIVILEGED !== undefined)("what may not be read is not called blank, nor too much", async () => {
  using tree = project({ "AGENTS.md": "Root.\n", "a/AGENTS.md": { text: "Below.\n", mode: 0o000 } });
  giveAway(tree.root);
  const at = { cwd: tree.path("repo/a"), env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin" } };
  const [program = CODELIA, ...rest] = UNPRIVILEGED.length === 0 ? [] : [...UNPRIVILEGED, CODELIA];
  const as = ["--as", "raw,claude,codex"];
  const { stdout, exitCode } = await startProgram(program, [...rest, "check", ...as, "--fail-on", "error"], at);
  expect({ stdout, exitCode }).toEqual({
    stdout: "AGENTS.md:1 error instructions-unreadable permission denied; run 'chmod +r AGENTS.md'\n",
    exitCode: 1,
  });
  const explained = await startProgram(program, [...rest, "explain", ...as, "--json"], at);
  const { clients } = JSON.parse(explained.stdout) as { clients: Reach[] };
  expect(clients.map(({ files }) => files.map(({ status, reason }) => `${status} ${reason}`))).toEqual([
    ["loaded reads-it", "skipped no-permission"],
    ["loaded reads-it", "skipped no-permission"],
    ["skipped other-failed", "skipped unreadable"],
  ]);
});
