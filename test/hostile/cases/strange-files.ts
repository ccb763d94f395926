import { mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { TempTree } from "../../support/temp-tree.ts";
import { WHY_NOT_UNPRIVILEGED } from "../../reliability/lib/unprivileged.ts";
import type { CommandName, Expected, HostileCase } from "../lib/hostile-case.ts";
import { plantDevice, plantSocket, plantSparse, WHY_NO_DEVICES } from "../lib/plant.ts";

// What stands where a file of ours is looked for, at each place where one is looked for.

type Nature = "strange" | "unreadable" | "long";

interface Kind {
  readonly what: string;
  readonly case: (path: string) => Omit<HostileCase, "what" | "expected">;
  /** What is a regular file all the same; default it is none. */
  readonly nature?: Nature;
}

function link(what: string, target: string): Kind {
  return { what, case: (path) => ({ plant: (tree) => plantLink(tree, path, target) }) };
}

/** `../` as often as it takes from a path in the tree. */
function up(path: string): string {
  return "../".repeat(path.split("/").length - 1);
}

const KINDS: readonly Kind[] = [
  { what: "a directory", case: (path) => ({ entries: { [path]: { dir: true } } }) },
  { what: "a FIFO", case: (path) => ({ entries: { [path]: { fifo: true } } }) },
  { what: "a socket", case: (path) => ({ plant: (tree) => plantSocket(tree, tree.path(path)) }) },
  { what: "a device", case: (path) => ({ plant: (tree) => plantDevice(tree.path(path)), skip: WHY_NO_DEVICES }) },
  link("a link to a device", "/dev/zero"),
  link("a link to standard input", "/dev/stdin"),
  link("a link into the process's own environment", "/proc/self/environ"),
  link("a dangling link", "nowhere"),
  { what: "a link to itself", case: (path) => ({ plant: (tree) => plantLink(tree, path, tree.path(path)) }) },
  { what: "one of two links to each other", case: (path) => ({ plant: (tree) => plantLoop(tree, path) }) },
  {
    what: "a link to a secret of the user's",
    case: (path) => ({ entries: { [path]: { link: `${up(path)}home/.ssh/id_ed25519` } } }),
  },
  {
    what: "an absolute link out",
    case: (path) => ({ plant: (tree) => plantLink(tree, path, tree.path("outside/AGENTS.md")) }),
  },
  { what: "a link to a directory outside", case: (path) => ({ entries: { [path]: { link: `${up(path)}outside` } } }) },
  {
    what: "a link to a FIFO",
    case: (path) => ({ entries: { [path]: { link: `${up(path)}repo/pipe` }, "repo/pipe": { fifo: true } } }),
  },
  {
    what: "a file that may not be read",
    case: (path) => ({
      entries: { [path]: { text: "x\n", mode: 0 } },
      isUnprivileged: true,
      skip: WHY_NOT_UNPRIVILEGED,
    }),
    nature: "unreadable",
  },
  {
    what: "ten gigabytes of nothing",
    case: (path) => ({ plant: (tree) => plantSparse(tree.path(path), "") }),
    nature: "long",
  },
];

interface Place {
  readonly what: string;
  readonly path: string;
  /** What the commands do about it. */
  readonly expected: (nature: Nature) => Partial<Readonly<Record<CommandName, Expected>>>;
}

const PLACES: readonly Place[] = [
  {
    what: "in place of an AGENTS.md",
    path: "repo/b/AGENTS.md",
    expected: (nature) => ({
      resolve:
        nature === "long"
          ? { shows: ["- {tree}/repo/AGENTS.md (", "- {tree}/repo/b/AGENTS.md ("] }
          : {
              shows: ["- {tree}/repo/AGENTS.md ("],
              hides: ["repo/b/AGENTS.md"],
              says: /repo\/b\/AGENTS\.md' (?:can't be read \(.*\) and )?is skipped/,
            },
    }),
  },
  {
    what: "in place of an AGENTS.override.md",
    path: "repo/a/AGENTS.override.md",
    expected: (nature) => ({
      // A regular file hides what it overrides, whatever it holds.
      resolve:
        nature !== "strange"
          ? {}
          : { shows: ["- {tree}/repo/a/AGENTS.md ("], says: /AGENTS\.override\.md' is skipped/ },
    }),
  },
  {
    what: "in place of a SKILL.md",
    path: "repo/.agents/skills/evil/SKILL.md",
    expected: () => ({
      "skills list": { shows: ["<name>good</name>", "{tree}/repo/.agents/skills/evil/SKILL.md"] },
      "skills load": { exit: 0, shows: ["The good text."] },
    }),
  },
  {
    what: "among a skill's files",
    path: "repo/.agents/skills/good/file",
    expected: () => ({ "skills load": { exit: 0, shows: ["The good text."] } }),
  },
  {
    what: "in place of a config file",
    path: "repo/.codelia/config.json",
    // It may be meant to forbid the skill.
    expected: () => ({ config: { exit: 3 }, "skills load": { exit: 3, hides: ["The good text."], says: /repair it/ } }),
  },
  { what: "in place of the ledger", path: "repo/.codelia/session.json", expected: () => ({}) },
  { what: "in place of the records beside it", path: "repo/.codelia/session.json.late", expected: () => ({}) },
  { what: "in place of '.codelia'", path: "repo/.codelia", expected: () => ({}) },
  { what: "in place of '.codelia/.gitignore'", path: "repo/.codelia/.gitignore", expected: () => ({}) },
  { what: "in place of '.codelia/sessions'", path: "repo/.codelia/sessions", expected: () => ({}) },
  {
    what: "in place of a CLAUDE.md",
    path: "repo/a/CLAUDE.md",
    expected: () => ({ "hook claude, tool": { shows: ["{tree}/repo/a/AGENTS.md"] } }),
  },
  {
    what: "in place of a client's settings",
    path: "repo/.claude/settings.local.json",
    expected: () => ({ "hook claude, tool": { shows: ["{tree}/repo/a/AGENTS.md"] } }),
  },
];

export const STRANGE_FILES: readonly HostileCase[] = PLACES.flatMap((place) =>
  KINDS.map((kind) => strangeFile(kind, place)),
);

function strangeFile({ what, case: plant, nature = "strange" }: Kind, place: Place): HostileCase {
  return {
    ...plant(place.path),
    what: `${what} ${place.what}`,
    touched: place.path === "repo/b/AGENTS.md" ? "b/x.ts" : "a/x.ts",
    expected: place.expected(nature),
  };
}

function plantLink(tree: TempTree, path: string, target: string): void {
  mkdirSync(dirname(tree.path(path)), { recursive: true });
  symlinkSync(target, tree.path(path));
}

function plantLoop(tree: TempTree, path: string): void {
  plantLink(tree, path, `${tree.path(path)}.twin`);
  plantLink(tree, `${path}.twin`, tree.path(path));
}
