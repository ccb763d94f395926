import { posix } from "node:path";

/**
 * The rooms of `src`, from the ground up: each may import from those before it, and from itself. A name with an ending is a
 * file directly in `src`. Types may be imported from anywhere; this is about what is loaded at run time.
 */
export const ROOMS = [
  "errors.ts",
  "world.ts",
  "command.ts",
  "lib",
  "cli",
  "config",
  "touched",
  "ledger",
  "instructions",
  "skills",
  "clients",
  "trust",
  "plugins",
  "agent",
  "hooks",
  "check",
  "report",
  "mcp",
  "workspace.ts",
  "commands",
  "cli.ts",
  "main.ts",
  "public.ts",
] as const;
export type Room = (typeof ROOMS)[number];

export const MAX_LINES = 400;
export const BANNED_NAMES = /^(utils?|helpers?|index)\.ts$/;

/** Builtins without effects, for every file. */
export const PURE_BUILTINS: ReadonlySet<string> = new Set(["node:path", "node:path/posix", "node:url", "node:crypto"]);
/** The files that may have effects, and why. */
export const EFFECTS: Readonly<Record<string, string>> = {
  "src/lib/": "that is what it is for",
  "src/main.ts": "it is the process",
  "src/cli/terminal.ts": "it opens the terminal that questions are asked at",
};

/** The one package that several files may import: those with such a name. */
export const SHARED_PACKAGE = "zod";
export const SCHEMA_FILES = /(?:^|[/-])schema\.ts$/;
/** The files that may use these globals. */
export const GLOBAL_USERS: Readonly<Record<string, readonly string[]>> = { "src/main.ts": ["process"] };
/** What is loaded only when a verb is called. */
export const LAZY: Readonly<Record<string, Room>> = { "src/cli.ts": "commands" };
/** Imports what a user's config names. */
export const COMPUTED: ReadonlySet<string> = new Set(["src/plugins/module.ts"]);
/** Files outside `src` that may be imported: data, not code. */
export const OUTSIDE: ReadonlySet<string> = new Set(["package.json"]);

/**
 * Decisions: neither they nor what they load at run time may have effects. They get what they need as facts.
 */
export const PURE_FILES: readonly string[] = [
  "src/report/knowledge.ts",
  "src/report/usage.ts",
  "src/report/overview.ts",
  "src/cli/keys.ts",
  "src/config/settings.ts",
  "src/config/rule-names.ts",
  "src/config/salvage.ts",
  "src/config/project-layer.ts",
  "src/touched/with-grammar.ts",
  "src/touched/command.ts",
  "src/touched/patch.ts",
  "src/touched/usual-calls.ts",
  "src/touched/prompt.ts",
  "src/ledger/changes.ts",
  "src/ledger/contexts.ts",
  "src/ledger/format.ts",
  "src/instructions/chain.ts",
  "src/instructions/pending.ts",
  "src/instructions/delivery.ts",
  "src/instructions/lines.ts",
  "src/instructions/placing.ts",
  "src/hooks/gate.ts",
  "src/skills/columns.ts",
  "src/skills/header-rules.ts",
  "src/skills/header.ts",
  "src/skills/listing.ts",
  "src/skills/permissions.ts",
  "src/skills/picker.ts",
  "src/skills/rank.ts",
  "src/skills/relevance.ts",
  "src/skills/search-texts.ts",
  "src/skills/select.ts",
  "src/skills/shown-catalogue.ts",
  "src/clients/loading-rules.ts",
  "src/clients/raw-profile.ts",
  "src/clients/settings/expected.ts",
  "src/clients/settings/install.ts",
  "src/clients/settings/script.ts",
  "src/clients/settings/survey.ts",
  "src/clients/settings/text.ts",
  "src/clients/settings/own-command.ts",
  "src/trust/named/places.ts",
  "src/agent/judge/step.ts",
  "src/agent/judge/variables.ts",
  "src/agent/judge/answer.ts",
  "src/agent/judge/output.ts",
  "src/agent/judge/completion.ts",
  "src/agent/run/guided-notice.ts",
  "src/agent/engines/recovery.ts",
  "src/lib/markdown/paths.ts",
  "src/lib/markdown/front-matter.ts",
  "src/check/rules.ts",
  "src/check/levels.ts",
  "src/check/findings.ts",
  "src/check/hook-programs.ts",
  "src/check/instruction-text.ts",
  "src/check/mention-context.ts",
  "src/check/path-mentions.ts",
  "src/check/command-mentions.ts",
  "src/check/repeated.ts",
  "src/check/skill.ts",
  "src/check/skill-references.ts",
  "src/check/duplicate-names.ts",
  "src/report/explanation.ts",
];

/** A client's own folder only decides: what is on the disk is passed to it as facts. */
export const PURE_FOLDERS = /^src\/clients\/(?!settings\/)[^/]+\//;

export function roomOf(path: string): Room | undefined {
  const name = /^src\/([^/]+)/.exec(path)?.[1] ?? "";
  const isFile = posix.dirname(path) === "src";
  return ROOMS.find((room) => room === name && name.endsWith(".ts") === isFile);
}

export function isBefore(room: Room, other: Room): boolean {
  return ROOMS.indexOf(room) < ROOMS.indexOf(other);
}
