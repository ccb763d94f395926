import { lstatSync } from "node:fs";
import { shortHash } from "../../../src/lib/hash.ts";
import type { TempTree } from "../../support/temp-tree.ts";
import type { HostileCase } from "../lib/hostile-case.ts";
import { plantSparse } from "../lib/plant.ts";

// A '.codelia' that came with the clone: nothing in it silences anything, and nothing is written where it leads.

const STATE = "repo/.codelia";
const TOLD_ALL = {
  resolve: { shows: ["- {tree}/repo/AGENTS.md (", "- {tree}/repo/a/AGENTS.md ("] },
  "hook claude, tool": { shows: ["- {tree}/repo/a/AGENTS.md ("] },
} as const;

/** A ledger by which every session was told everything. */
function silencing(tree: TempTree, directory: string, more: object = {}): string {
  const mtimeOf = (path: string) => Math.floor(lstatSync(tree.path(path)).mtimeMs);
  const told = Object.fromEntries(
    ["repo/AGENTS.md", "repo/a/AGENTS.md"].map((path) => {
      const { size } = lstatSync(tree.path(path));
      return [tree.path(path), { mtimeMs: mtimeOf(path), sizeBytes: size, n: 1 }];
    }),
  );
  const context = {
    epoch: 1,
    coveredDirs: [tree.path("repo"), tree.path("repo/a")],
    loadedVersions: told,
    loadedSkills: {},
  };
  const session = {
    cwd: tree.path("repo"),
    root: tree.path("repo"),
    markers: [".git"],
    startedAt: Date.now(),
    updatedAt: Date.now(),
    contexts: { main: context },
  };
  const sessions = { default: session, other: session, "claude-tool": session, "codex-tool": session };
  return JSON.stringify({ version: 1, tree: directory, n: 2, sessions, ...more });
}

function planted(what: string, text: (tree: TempTree) => string): HostileCase {
  return { what, plant: (tree) => tree.write(`${STATE}/session.json`, text(tree)), expected: TOLD_ALL };
}

export const LEDGER_CASES: readonly HostileCase[] = [
  planted("that was made for another directory", (tree) => silencing(tree, "1:1")),
  planted("with a name and a number of its own", (tree) => silencing(tree, "999.abcdefghij12@1")),
  planted("with the highest number", (tree) => silencing(tree, `${2 ** 53 - 1}.abcdefghij12@1`)),
  planted("that leads out by its name", (tree) => silencing(tree, "1.../../../home/.ssh/id_ed25519@1")),
  planted("without a directory", (tree) => silencing(tree, "")),
  planted("of a newer version", (tree) => silencing(tree, "1:1", { version: 2 })),
  planted("with a session that is an inner name of objects", (tree) =>
    silencing(tree, "1:1").replace('"default":', '"__proto__":'),
  ),
  planted("that is a million lists deep", () => "[".repeat(1_000_000)),
  planted("that is two in one", (tree) => silencing(tree, "1:1") + silencing(tree, "1:1")),
  planted("that is a number", () => "7"),
  planted("that is nothing", () => "null"),
  planted("of nine megabytes", () => JSON.stringify({ version: 1, x: "y".repeat(9_000_000) })),
  {
    what: "of ten gigabytes",
    plant: (tree) => plantSparse(tree.path(STATE, "session.json"), silencing(tree, "1:1")),
    expected: TOLD_ALL,
  },
  {
    what: "in the archive of idle sessions",
    plant(tree) {
      const { sessions } = JSON.parse(silencing(tree, "1:1"));
      for (const id of Object.keys(sessions)) {
        const archived = { version: 1, tree: "1:1", id, session: sessions[id] };
        tree.write(`${STATE}/sessions/${shortHash(id)}.json`, JSON.stringify(archived));
      }
    },
    expected: TOLD_ALL,
  },
  {
    what: "with records beside it that were made for another directory",
    plant: (tree) => tree.write(`${STATE}/session.json.late`, `\n${silencing(tree, "1:1")}\n`),
    expected: TOLD_ALL,
  },
  {
    what: "with ten gigabytes of records beside it",
    plant: (tree) => plantSparse(tree.path(STATE, "session.json.late"), silencing(tree, "1:1")),
    expected: TOLD_ALL,
  },
  {
    what: "with drafts and locks beside it",
    entries: {
      [`${STATE}/session.json.lock`]: "{}",
      [`${STATE}/session.json.lock.abcdefgh12.gone`]: "{}",
      [`${STATE}/session.json.abcdefgh12.new`]: "{}",
    },
    expected: TOLD_ALL,
  },
  {
    what: "with a lock whose holder's name leads out",
    entries: {
      [`${STATE}/session.json.lock`]: JSON.stringify({
        pid: 1,
        startTime: "1",
        bootId: "x",
        pidNamespace: "y",
        nonce: "../../../home/.ssh/id_ed25519",
      }),
    },
    expected: TOLD_ALL,
  },
  {
    what: "with a '.gitignore' that shows it to git",
    entries: { [`${STATE}/.gitignore`]: "!*\n" },
    expected: TOLD_ALL,
  },
  {
    what: "with outputs that are a link out",
    entries: { [`${STATE}/outputs`]: { link: "../../outside" } },
    expected: TOLD_ALL,
  },
  {
    what: "in a '.codelia' that is a link out",
    entries: { "repo/.codelia": { link: "../outside" } },
    expected: TOLD_ALL,
  },
  {
    what: "in a '.codelia' that is a link to the user's own",
    entries: { "repo/.codelia": { link: "../home" } },
    expected: TOLD_ALL,
  },
  {
    what: "in a '.codelia' that is a link to the repository",
    entries: { "repo/.codelia": { link: "." } },
    expected: TOLD_ALL,
  },
  { what: "in a '.codelia' that is a file", entries: { "repo/.codelia": "x" }, expected: TOLD_ALL },
  {
    what: "in a '.codelia' that says it marks no root, beside a config",
    entries: { [`${STATE}/state-only`]: "", [`${STATE}/config.json`]: "{}" },
    expected: TOLD_ALL,
  },
];
