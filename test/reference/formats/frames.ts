import type { SystemReminderType } from "../../../src/instructions/schema.ts";

export interface Frame {
  readonly says: string;
  /** The commands that print it. */
  readonly by: readonly string[];
  /** The elements that may stand in it, at any depth. */
  readonly inside: readonly string[];
}

const SKILL = ["skill", "name", "description", "path", "scope"];

/** The elements that stand for themselves on standard output, or in the text of a hook's answer. */
export const FRAMES: Readonly<Record<string, Frame>> = {
  agents_usage: {
    says: "how to use what follows",
    by: ["init-context", "hook"],
    inside: [],
  },
  agents_context: {
    says: "the texts of instruction files, each under a line `Instructions from: PATH`",
    by: ["init-context", "hook"],
    inside: [],
  },
  agents_left_out: {
    says: "instruction files over the limit, by path and size",
    by: ["init-context", "hook"],
    inside: [],
  },
  skills_context: {
    says: "the catalogue: names and descriptions without texts; and what was loaded before a compaction",
    by: ["init-context", "hook"],
    inside: ["skills_usage", "rule", "skills_catalog", ...SKILL, "skill_list", "skill_names", "skills_loaded"],
  },
  "system-reminder": {
    says: "news, see the types below; in hooks of Claude Code, which escapes this name, it is `codelia-reminder`",
    by: ["resolve", "resume-diff", "trim", "skills load", "hook"],
    inside: ["agents_context"],
  },
  "codelia-reminder": { says: "the same", by: ["hook"], inside: ["agents_context"] },
  skill_context: {
    says: "a skill's text, its base directory, its files",
    by: ["skills load"],
    inside: ["skill_files", "file"],
  },
  skill_context_reminder: { says: "that this context already has the text", by: ["skills load"], inside: [] },
  skill_candidates: { says: "the skills that have the name that was asked for", by: ["skills load"], inside: SKILL },
  skills_list: {
    says: "every skill, and the problems of each",
    by: ["skills list"],
    inside: [...SKILL, "errors", "error", "warnings", "warning"],
  },
  skills_search: { says: "the skills that match, with score and reason", by: ["skills search"], inside: SKILL },
  skills_named: { says: "the paths of skills that a prompt names", by: ["hook"], inside: [] },
  skills_suggested: { says: "skills that may match a prompt", by: ["hook"], inside: SKILL },
  skills_nearby: {
    says: "skills of a directory that a tool or prompt touches for the first time",
    by: ["hook"],
    inside: [...SKILL, "skill_list", "skill_names"],
  },
};

/** The `type` of a reminder, and what it is for. */
export const REMINDER_TYPES: Readonly<Record<SystemReminderType, string>> = {
  "agents.resolve.paths":
    "instruction files that apply to a path and have not been told yet, by path or, in hooks with `agents.resolver.delivery: body`, with their text; and those no longer in force",
  "session.resume.diff": "what changed since this context was last told",
  "tool.output.trimmed": "that output was cut, and where the whole is",
  "permission.decision": "that a permission rule blocks a skill, and which rule",
};
