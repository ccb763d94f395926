import { basename, dirname, join } from "node:path";
import type { Host } from "../core/hooks/host.ts";
import type { NativePlace, NativeProfile, NativeQuestion } from "../core/hooks/native.ts";
import { contextAnswer, continueAnswer, readHookEvent } from "../core/hooks/read-event.ts";
import { refusalAnswer } from "../core/hooks/refusal.ts";
import { matchesGlob } from "../core/glob.ts";
import { lastValue } from "../core/hooks/settings-value.ts";
import { isInside, namedDirectory, wholeLadder } from "../core/paths.ts";
import { isTable } from "../core/table.ts";

/** Of one hook's output, in UTF-16 units. Above it the model gets a preview and the path of a file. */
const MAX_OUTPUT_UNITS = 10_000;
/** After so many in a row the client lets its model stop, whatever a hook says. */
const MAX_CONTINUATIONS = 8;
/** The sub-agent that starts with a copy of what its parent has seen. */
const INHERITING_AGENT = "fork";

/** The plugin of the client that loads AGENTS.md like its own CLAUDE.md. */
const PLUGIN = "cc-plugin-agents-md@builtin";
const LOADED_NAME = "AGENTS.md";
/** The client's own instruction files: where one says something, AGENTS.md is left to others. */
const SILENCERS = ["CLAUDE.md", join(".claude", "CLAUDE.md"), "CLAUDE.local.md"];
/** The tools with which AGENTS.md comes for the file they are used on, and those with which CLAUDE.md does. */
const BRINGING_TOOLS = new Set(["Read"]);
const MEMORY_TOOLS = new Set(["Read", "Edit", "Write"]);
/** The sub-agents that get neither. */
const BARE_AGENTS: ReadonlySet<unknown> = new Set(["Explore", "Plan"]);

/**
 * Claude Code loads AGENTS.md only while no CLAUDE.md says something in the working directory or above it: those of the
 * working directory and above when a session begins, those below when a file there is read.
 */
const native: NativeProfile = {
  settingsOf: ({ cwd, root, home, env }) => [
    join(configDirectory(home, env), "settings.json"),
    join(cwd, ".claude", "settings.json"),
    ...(root === cwd ? [] : [join(root, ".claude", "settings.local.json")]),
    join(cwd, ".claude", "settings.local.json"),
  ],
  silencers: SILENCERS,
  markersOf: () => [],
  atStart: (question) => loaded(question, (directory) => isInside(directory, question.cwd)),
  onTouch: (question, tool) =>
    MEMORY_TOOLS.has(tool) ? loaded(question, () => true, BRINGING_TOOLS.has(tool)) : new Set(),
  importsIn,
};

function loaded(question: NativeQuestion, isReached: (directory: string) => boolean, hasPlugin = true): Set<string> {
  const speaking = speakersOf(question);
  const isOff =
    !hasPlugin ||
    lastValue(question.settings, ["enabledPlugins", PLUGIN]) === false ||
    wholeLadder(question.cwd).some((directory) => speaksIn(directory, speaking));
  const brought = broughtBy(question, speaking, isReached);
  const paths = new Set<string>();
  for (const { path, directory, identity } of question.files) {
    if (!isReached(directory) || isExcluded(question, path)) continue;
    // A CLAUDE.md of a directory below wins there.
    const isIts = !isOff && basename(path) === LOADED_NAME && !speaksIn(directory, speaking);
    if (isIts || brought.has(identity)) paths.add(path);
  }
  return paths;
}

/** Where the user's own settings are. */
function configDirectory(home: string, env: NativePlace["env"]): string {
  return namedDirectory(env["CLAUDE_CONFIG_DIR"], join(home, ".claude"));
}

/** One that is excluded is as if it were not there. */
function speakersOf(question: NativeQuestion): ReadonlySet<string> {
  return new Set([...question.speaking].filter((path) => !isExcluded(question, path)));
}

/** By identity: a CLAUDE.md may be a link to AGENTS.md, or import it. What it imports from elsewhere needs the user's consent. */
function broughtBy(
  { brought, cwd }: NativeQuestion,
  speaking: ReadonlySet<string>,
  isReached: (directory: string) => boolean,
): ReadonlySet<string> {
  const identities = new Set<string>();
  for (const path of speaking) {
    const parent = dirname(path);
    const directory = basename(parent) === ".claude" ? dirname(parent) : parent;
    if (!isReached(directory)) continue;
    for (const file of brought.get(path) ?? []) {
      if (file.path === path || isInside(cwd, file.path)) identities.add(file.identity);
    }
  }
  return identities;
}

/** What can't be read counts as excluding: better told twice than never. */
function isExcluded({ settings }: NativeQuestion, path: string): boolean {
  const globs = settings.flatMap((layer) => lastValue([layer], ["claudeMdExcludes"]) ?? []);
  return globs.some((glob) => typeof glob === "string" && matchesGlob(glob, path) !== false);
}

function speaksIn(directory: string, speaking: ReadonlySet<string>): boolean {
  return SILENCERS.some((name) => speaking.has(join(directory, name)));
}

/** `@path`, after white space, outside of code. */
function importsIn(text: string): string[] {
  const prose = text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|(?![\s\S]))/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/(?:^|\s)@((?:[^\s\\]|\\ )+)/g)].map(([, path = ""]) => path.replaceAll("\\ ", " "));
}

export const host: Host = {
  name: "claude",
  // The client escapes `<system-reminder` in what hooks say.
  element: "codelia-reminder",
  readEvent(input) {
    const event = readHookEvent(input, INHERITING_AGENT);
    return event && BARE_AGENTS.has(input["agent_type"]) ? { ...event, isBare: true } : event;
  },
  tell: contextAnswer,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  ask: (event, question) => refusalAnswer(event, "ask", question),
  skillTool: {
    nameIn(tool, input) {
      if (tool !== "Skill" || !isTable(input)) return undefined;
      const name = input["skill"] ?? input["name"];
      return typeof name === "string" ? name : "";
    },
    directories: ({ cwd, home, env }) => [
      ...wholeLadder(cwd).map((directory) => join(directory, ".claude", "skills")),
      join(configDirectory(home, env), "skills"),
    ],
  },
  continuation: { answer: continueAnswer, max: MAX_CONTINUATIONS },
  native,
  fits: (answer) => answer.length <= MAX_OUTPUT_UNITS,
};
