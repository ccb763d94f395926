import { basename, dirname, join } from "node:path";
import type { Host } from "../core/hooks/host.ts";
import type { NativeProfile, NativeQuestion } from "../core/hooks/native.ts";
import { contextAnswer, continueAnswer, readHookEvent } from "../core/hooks/read-event.ts";
import { lastValue } from "../core/hooks/settings-value.ts";
import { isInside } from "../core/paths.ts";

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
/** What switches the plugin off for one name. */
const EXCLUDING = "**/AGENTS.md";
/** The tools that bring what applies to the file they are used on. */
const BRINGING_TOOLS = new Set(["Read"]);

/**
 * Claude Code loads AGENTS.md only while no CLAUDE.md says something in the working directory or above it: those of the
 * working directory and above when a session begins, those below when a file there is read.
 */
const native: NativeProfile = {
  settingsOf: ({ cwd, root, home }) => [
    join(home, ".claude", "settings.json"),
    join(cwd, ".claude", "settings.json"),
    ...(root === cwd ? [] : [join(root, ".claude", "settings.local.json")]),
    join(cwd, ".claude", "settings.local.json"),
  ],
  silencers: SILENCERS,
  markersOf: () => [],
  atStart: (question) => loaded(question, (directory) => isInside(directory, question.cwd)),
  onTouch: (question, tool) => (BRINGING_TOOLS.has(tool) ? loaded(question, () => true) : new Set()),
};

function loaded(question: NativeQuestion, isReached: (directory: string) => boolean): Set<string> {
  const paths = new Set<string>();
  if (isOff(question)) return paths;
  for (const { path, directory } of question.files) {
    // A CLAUDE.md of a directory below wins there.
    const isOurs = isSilenced(directory, question.speaking);
    if (basename(path) === LOADED_NAME && isReached(directory) && !isOurs) paths.add(path);
  }
  return paths;
}

function isOff({ settings, speaking, cwd }: NativeQuestion): boolean {
  if (lastValue(settings, ["enabledPlugins", PLUGIN]) === false) return true;
  const excludes = settings.flatMap((layer) => lastValue([layer], ["claudeMdExcludes"]) ?? []);
  if (excludes.includes(EXCLUDING)) return true;
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (isSilenced(directory, speaking)) return true;
    if (dirname(directory) === directory) return false;
  }
}

function isSilenced(directory: string, speaking: ReadonlySet<string>): boolean {
  return SILENCERS.some((name) => speaking.has(join(directory, name)));
}

export const host: Host = {
  name: "claude",
  // The client escapes `<system-reminder` in what hooks say.
  element: "codelia-reminder",
  readEvent: (input) => readHookEvent(input, INHERITING_AGENT),
  tell: contextAnswer,
  goOn: continueAnswer,
  maxContinuations: MAX_CONTINUATIONS,
  native,
  fits: (answer) => answer.length <= MAX_OUTPUT_UNITS,
};
