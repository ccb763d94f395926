import { linkSync, symlinkSync } from "node:fs";
import { WHY_NOT_UNPRIVILEGED } from "../../reliability/lib/unprivileged.ts";
import { skillFile } from "../../support/skills-project.ts";
import { dir, type Entry } from "../../support/temp-tree.ts";
import type { HostileCase } from "../lib/hostile-case.ts";
import { plantDeep, WHY_FOLDED, WHY_NOT_LINUX } from "../lib/plant.ts";

// How deep, how many, how alike: trees that are meant to keep a reader busy.

const SKILLS = "repo/.agents/skills";
const ROOT_TOLD = { shows: ["- {tree}/repo/AGENTS.md ("] } as const;
const GOOD_LISTED = { shows: ["<name>good</name>"] } as const;

/** One path of directories that a path can still name. */
const deepPath = (count: number) => `repo/${"d/".repeat(count)}`;

function many(count: number, entry: (index: number) => [string, Entry]): Record<string, Entry> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));
}

export const DEPTH_CASES: readonly HostileCase[] = [
  {
    what: "200 directories deep, the touched file in the last",
    entries: { [`${deepPath(200)}AGENTS.md`]: "Deep rules.\n" },
    touched: `${"d/".repeat(200)}x.ts`,
    expected: { resolve: { shows: [`/d/AGENTS.md (`, "- {tree}/repo/AGENTS.md ("] } },
  },
  {
    what: "2,000 directories deep, the touched file in the last",
    skip: WHY_NOT_LINUX,
    isHeavy: true,
    withinMs: 60_000,
    commands: ["init-context", "resolve", "hook claude, tool"],
    plant: (tree) => plantDeep(tree, "repo", 1980, "AGENTS.md", "Deep rules.\n"),
    touched: `${"d/".repeat(1980)}x.ts`,
    expected: { resolve: { shows: [`/d/AGENTS.md (`, "- {tree}/repo/AGENTS.md ("] } },
  },
  {
    what: "2,000 directories deep, the commands called in the last",
    skip: WHY_NOT_LINUX,
    isHeavy: true,
    withinMs: 60_000,
    commands: ["init-context", "resolve", "hook claude, tool"],
    plant: (tree) => plantDeep(tree, "repo", 1980, "AGENTS.md", "Deep rules.\n"),
    cwd: deepPath(1980),
    expected: { "init-context": { shows: ["Deep rules."] } },
  },
  {
    what: "directories deeper than any path can name",
    skip: WHY_NOT_LINUX,
    isHeavy: true,
    withinMs: 60_000,
    commands: ["init-context", "resolve", "hook claude, tool"],
    entries: { "repo/b/": dir },
    plant: (tree) => plantDeep(tree, "repo/b", 4000, "AGENTS.md", "Deep rules.\n"),
    touched: `b/${"d/".repeat(4000)}x.ts`,
    expected: { resolve: ROOT_TOLD },
  },
  {
    what: "directories among the skills deeper than any path can name",
    skip: WHY_NOT_LINUX,
    isHeavy: true,
    plant: (tree) => plantDeep(tree, SKILLS, 4000, "SKILL.md", skillFile("deep", "Deep")),
    expected: { "skills list": { shows: ["<name>good</name>", "<error"] } },
  },
  {
    what: "directories of one skill deeper than any path can name",
    skip: WHY_NOT_LINUX,
    isHeavy: true,
    plant: (tree) => plantDeep(tree, `${SKILLS}/good`, 4000, "file", "x"),
    expected: { "skills load": { exit: 0, shows: ["The good text."] } },
  },
  {
    what: "a path of a megabyte",
    touched: "x".repeat(100_000),
    expected: { resolve: ROOT_TOLD },
  },
  { what: "a path of 4,096 bytes", touched: "a/".repeat(2048), expected: { resolve: ROOT_TOLD } },
  { what: "a path with a name of 256 bytes", touched: `a/${"x".repeat(256)}/y`, expected: { resolve: ROOT_TOLD } },
  {
    what: "a path up and down a thousand times",
    touched: `${"a/../".repeat(1000)}a/x.ts`,
    expected: { resolve: ROOT_TOLD },
  },
  {
    what: "1,500 directories among the skills",
    isHeavy: true,
    entries: many(1500, (index) => [`${SKILLS}/x${index}/`, dir]),
    expected: { "skills list": GOOD_LISTED },
  },
  {
    what: "1,500 files in a skill",
    isHeavy: true,
    entries: many(1500, (index) => [`${SKILLS}/good/x${index}`, ""]),
    expected: { "skills load": { exit: 0, shows: ["The good text."] } },
  },
  {
    what: "400 instruction files on one way",
    skip: WHY_NOT_LINUX,
    entries: many(400, (index) => [`${deepPath(index + 1)}AGENTS.md`, `Rules ${index}.\n`]),
    cwd: deepPath(400),
    touched: "x.ts",
    expected: { resolve: { shows: ["more"] }, "init-context": { shows: ["<agents_left_out>"] } },
  },
  {
    what: "a chain of forty links",
    entries: {
      ...many(40, (index) => [`repo/b/l${index}`, { link: `l${index + 1}` }]),
      "repo/b/l40": "End.\n",
      "repo/b/AGENTS.md": { link: "l0" },
    },
    touched: "b/x.ts",
    expected: { resolve: ROOT_TOLD },
  },
  {
    what: "a directory that is a link to one above it",
    entries: { "repo/b": { link: "." } },
    touched: "b/b/b/b/a/x.ts",
    expected: { resolve: ROOT_TOLD },
  },
  {
    what: "a directory that is a link out",
    entries: { "repo/b": { link: "../outside" } },
    touched: "b/x.ts",
    expected: { resolve: { hides: ["outside/AGENTS.md", "repo/b/AGENTS.md"] } },
  },
  {
    what: "a directory that is a link to the file system's root",
    entries: { "repo/b": { link: "/" } },
    touched: "b/etc/passwd",
    expected: { resolve: { hides: ["/etc"] } },
  },
  {
    what: "skills that are links to each other's directories",
    entries: { [`${SKILLS}/x/y`]: { link: "../z" }, [`${SKILLS}/z/w`]: { link: "../x" } },
    expected: { "skills list": GOOD_LISTED },
  },
  {
    what: "the directory of skills as a link out",
    entries: { "repo/.agents/skills": { link: "../../outside" } },
    skill: "outside",
    expected: { "skills list": { hides: ["<name>outside</name>"] }, "skills load": { exit: 1 } },
  },
  {
    what: "'.agents' as a link to itself",
    entries: { "repo/.agents": { link: ".agents" } },
    expected: { "skills load": { exit: 1 } },
  },
  {
    what: "an instruction file that is a hard link to one outside",
    // The clone's own file, whatever else it is called: git makes none, an archive may.
    plant: (tree) => {
      tree.write("elsewhere/AGENTS.md", "Rules of elsewhere.\n");
      tree.write("repo/b/x.ts", "");
      linkSync(tree.path("elsewhere/AGENTS.md"), tree.path("repo/b/AGENTS.md"));
    },
    touched: "b/x.ts",
    expected: { resolve: { shows: ["- {tree}/repo/b/AGENTS.md ("] } },
  },
  {
    what: "a link in the way of the touched file that leads out",
    plant: (tree) => symlinkSync("/proc/self/root", tree.path("repo/r")),
    touched: "r/etc/passwd",
    expected: { resolve: { hides: ["/etc"] } },
  },
  {
    what: "a directory that may not be entered",
    entries: { "repo/b/AGENTS.md": "x\n", "repo/b": { dir: true, mode: 0 } },
    isUnprivileged: true,
    skip: WHY_NOT_UNPRIVILEGED,
    touched: "b/x.ts",
    expected: { resolve: ROOT_TOLD },
  },
  {
    what: "a directory of skills that may not be listed",
    entries: { [`${SKILLS}/b/SKILL.md`]: skillFile("b", "B"), [`${SKILLS}/b`]: { dir: true, mode: 0 } },
    isUnprivileged: true,
    skip: WHY_NOT_UNPRIVILEGED,
    expected: { "skills list": GOOD_LISTED },
  },
  {
    what: "a '.codelia' that may not be entered",
    entries: { "repo/.codelia": { dir: true, mode: 0 } },
    isUnprivileged: true,
    skip: WHY_NOT_UNPRIVILEGED,
    expected: { resolve: ROOT_TOLD },
  },
  {
    what: "instruction files whose names differ in letter case only",
    skip: WHY_FOLDED,
    entries: { "repo/b/agents.md": "lower\n", "repo/b/Agents.md": "mixed\n", "repo/b/AGENTS.MD": "upper\n" },
    touched: "b/x.ts",
    expected: { resolve: { ...ROOT_TOLD, hides: ["/repo/b/"] } },
  },
  {
    what: "directories whose names differ in letter case only",
    skip: WHY_FOLDED,
    entries: { "repo/b/AGENTS.md": "lower\n", "repo/B/AGENTS.md": "upper\n" },
    touched: "B/x.ts",
    expected: { resolve: { shows: ["- {tree}/repo/B/AGENTS.md ("], hides: ["/repo/b/"] } },
  },
  {
    what: "directories whose names are one in another normal form",
    skip: WHY_FOLDED,
    entries: { "repo/\u00E9/AGENTS.md": "composed\n", "repo/e\u0301/AGENTS.md": "decomposed\n" },
    touched: "e\u0301/x.ts",
    expected: { resolve: { shows: ["- {tree}/repo/e\u0301/AGENTS.md ("], hides: ["/repo/\u00E9/"] } },
  },
  {
    what: "skills whose names are one in another normal form",
    entries: {
      [`${SKILLS}/g/SKILL.md`]: skillFile("ＧＯＯＤ", "A full-width one"),
      [`${SKILLS}/h/SKILL.md`]: skillFile("GOOD", "A loud one"),
    },
    expected: { "skills list": GOOD_LISTED, "skills load": { shows: ["The good text."] } },
  },
  {
    what: "a touched file that is a device",
    touched: "/dev/zero",
    expected: { resolve: { hides: ["/dev"] } },
  },
  {
    what: "a touched file in the process's own directory",
    touched: "/proc/self/fd/0/x",
    expected: { resolve: { hides: ["/proc"] } },
  },
];
