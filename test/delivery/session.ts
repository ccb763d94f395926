import { dirname, posix } from "node:path";
import { runClaude } from "../e2e/lib/claude.ts";
import { bash, edit, read, spawn, write } from "../e2e/lib/claude-tools.ts";
import { installHooks } from "../e2e/lib/codelia-scene.ts";
import { runCodex } from "../e2e/lib/codex.ts";
import { addFile, DIRECT_TOOLS } from "../e2e/lib/codex-tools.ts";
import type { ModelRequest, Turn } from "../e2e/lib/script.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { accountsOf, type Account, type Repository } from "./account.ts";
import { makeText, type Shape } from "./play.ts";

// Whole sessions of the real clients in repositories of real shapes, and what of them stands in two places.

export const SESSION_CLIENTS = ["claude", "codex"] as const;
export type SessionClient = (typeof SESSION_CLIENTS)[number];

/** Under which names a repository has its instructions. */
export const NAMINGS = ["AGENTS.md", "AGENTS.md, and a CLAUDE.md", "AGENTS.md, and copies", "CLAUDE.md"] as const;
export type Naming = (typeof NAMINGS)[number];

const SKILLS = ["audit", "bundle", "changelog", "deploy", "evaluate", "format", "generate", "harden"];
/** Those that are linked from Claude Code's own place. */
const LINKED = SKILLS.slice(0, 5);
/** How many directories below the working directory the session works in. */
const MOST_TOUCHED = 4;
const TIMEOUT_MS = 120_000;

/** Where a session begins: at the root, or beside the file that is farthest from it. */
export const STARTS = ["root", "deepest"] as const;
export type Start = (typeof STARTS)[number];

/** A session of a client from its start to its end, with a compaction and a resume. */
export async function playSession(
  shape: Shape,
  client: SessionClient,
  naming: Naming,
  start: Start,
): Promise<Account[]> {
  using tree = tempTree(filesOf(shape, naming));
  using home = tempTree({ "tmp/": dir });
  installHooks(client, tree, home);
  const repository = repositoryOf(tree, shape, naming);
  const cwd = tree.path(start === "root" ? "." : deepestDirectory(shape));
  // Paths in what the model does are absolute, wherever it is.
  const places = touchedDirectories(shape).map((directory) => tree.path(directory));
  const play = client === "claude" ? playClaude : playCodex;
  const requests = await play(tree, home, cwd, places);
  return accountsOf(requests, repository);
}

function filesOf(shape: Shape, naming: Naming): Record<string, Entry> {
  const texts = Object.entries(shape).flatMap(([path, bytes]): [string, Entry][] => [
    [nameIn(path, naming), makeText(path, bytes)],
    [posix.join(posix.dirname(path), "x.ts"), "export {};\n"],
  ]);
  const skills = SKILLS.map((name): [string, Entry] => [
    `.agents/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${markOf(name)} in this repository\n---\nText of ${name}.\n`,
  ]);
  const links = LINKED.map((name): [string, Entry] => [
    `.claude/skills/${name}`,
    { link: `../../.agents/skills/${name}` },
  ]);
  return {
    ".git/HEAD": "ref: refs/heads/main\n",
    ...Object.fromEntries([...texts, ...skills, ...links]),
    ...(naming === "AGENTS.md, and a CLAUDE.md" && { "CLAUDE.md": "Be brief.\n" }),
    ...(naming === "AGENTS.md, and copies" && Object.fromEntries(texts.flatMap(copyOf))),
    ...(naming === "CLAUDE.md" && { ".codelia/config.yaml": "agents: { fallbackFilenames: [CLAUDE.md] }\n" }),
  };
}

/** The same text as a CLAUDE.md, not as a link. */
function copyOf([path, text]: [string, Entry]): [string, Entry][] {
  return posix.basename(path) === "AGENTS.md" ? [[posix.join(posix.dirname(path), "CLAUDE.md"), text]] : [];
}

function nameIn(path: string, naming: Naming): string {
  return naming === "CLAUDE.md" ? path.replace(/AGENTS(?:\.override)?\.md$/, "CLAUDE.md") : path;
}

function markOf(skill: string): string {
  return `What ${skill} does`;
}

function repositoryOf(tree: TempTree, shape: Shape, naming: Naming): Repository {
  const files = Object.keys(shape).map((path): [string, string[]] => {
    const name = nameIn(path, naming);
    // Such a line stands in no other file.
    const lines = tree.read(name).split("\n");
    return [tree.path(name), lines.filter((line) => line.startsWith("- Rule ") && line.endsWith("always."))];
  });
  return { files: new Map(files), skills: new Map(SKILLS.map((name) => [name, markOf(name)])) };
}

function touchedDirectories(shape: Shape): string[] {
  const below = Object.keys(shape).map((path) => dirname(path));
  return [...new Set(below.filter((directory) => directory !== "."))].slice(0, MOST_TOUCHED);
}

function deepestDirectory(shape: Shape): string {
  const depthOf = (directory: string) => (directory === "." ? 0 : directory.split("/").length);
  const directories = Object.keys(shape).map((path) => dirname(path));
  return directories.toSorted((left, right) => depthOf(right) - depthOf(left))[0] ?? ".";
}

type Play = (tree: TempTree, home: TempTree, cwd: string, places: readonly string[]) => Promise<ModelRequest[]>;

const playClaude: Play = async (tree, home, cwd, places) => {
  const at = (place: string, name = "x.ts") => posix.join(place, name);
  const touches = places.flatMap((place): Turn[] => [
    { toolUses: [bash(`ls ${place}`)] },
    { toolUses: [read(at(place))] },
    { toolUses: [bash(`cat ${place}/x.ts`), write(at(place, "new.ts"))] },
    { toolUses: [edit(at(place), "export {};", "export default 1;")] },
  ]);
  const again = places
    .slice(0, 2)
    .flatMap((place): Turn[] => [{ toolUses: [read(at(place))] }, { toolUses: [bash(`ls ${place}`)] }]);
  const first = await runClaude({
    tree,
    home,
    cwd,
    prompt: ["Go.", "/compact", "Go on."],
    timeoutMs: TIMEOUT_MS,
    script: {
      main: [...touches, { toolUses: [spawn("Look around.")] }, { text: "Done." }, ...again, { text: "Done." }],
      agents: { "Look around.": again },
    },
  });
  const resumed = await runClaude({
    tree,
    home,
    cwd,
    resume: true,
    prompt: "Go on.",
    timeoutMs: TIMEOUT_MS,
    script: { main: again },
  });
  return joined(first.seenByModel, resumed.seenByModel);
};

const playCodex: Play = async (tree, home, cwd, places) => {
  const { run, patch, spawn: start, wait } = DIRECT_TOOLS;
  const touches = places.flatMap((place): Turn[] => [
    { toolUses: [run(`cat ${place}/x.ts`)] },
    { toolUses: [patch(addFile(`${place}/new.ts`))] },
    { toolUses: [run("ls", place)] },
  ]);
  const helper: Turn[] = places.slice(0, 2).map((place) => ({ toolUses: [run(`cat ${place}/x.ts`)] }));
  const last: Turn = { toolUses: [run("ls")], inputTokens: 900_000 };
  const again: Turn[] = places.slice(0, 2).map((place) => ({ toolUses: [run(`cat ${place}/x.ts`)] }));
  const config = { model_auto_compact_token_limit: 800_000 };
  const first = await runCodex({
    tree,
    home,
    cwd,
    prompt: "Go.",
    config,
    timeoutMs: TIMEOUT_MS,
    script: {
      main: [
        ...touches,
        { toolUses: [start("Look around.")] },
        ({ seen }) => ({ toolUses: [wait(seen.at(-1)?.text ?? "")] }),
        last,
        ...again,
      ],
      agents: { "Look around.": helper },
    },
  });
  const resumed = await runCodex({
    tree,
    home,
    cwd,
    resume: true,
    prompt: "Go on.",
    config,
    timeoutMs: TIMEOUT_MS,
    script: { main: again },
  });
  return joined(first.seenByModel, resumed.seenByModel);
};

/** A resumed session goes on in the epoch in which it was left. */
function joined(first: readonly ModelRequest[], resumed: readonly ModelRequest[]): ModelRequest[] {
  return [...first, ...resumed.filter(({ thread }) => thread === "main")];
}
