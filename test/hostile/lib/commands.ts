import { join } from "node:path";
import type { TempTree } from "../../support/temp-tree.ts";
import type { CommandName, HostileCase } from "./hostile-case.ts";

export interface HostileCommand {
  readonly name: CommandName;
  /** How it may end in a hostile tree. */
  readonly exits: readonly number[];
  readonly args: (hostile: HostileCase) => readonly string[];
  readonly stdin?: (tree: TempTree, hostile: HostileCase) => string;
}

const touchedBy = ({ touched = "a/x.ts" }: HostileCase) => touched;

function hookCommand(host: "claude" | "codex", kind: "start" | "tool"): HostileCommand {
  return {
    name: `hook ${host}, ${kind}`,
    exits: [0],
    args: () => ["hook", host],
    stdin(tree, hostile) {
      const cwd = tree.path(hostile.cwd ?? "repo");
      const touched = touchedBy(hostile);
      const tool =
        host === "claude"
          ? { tool_name: "Edit", tool_input: { file_path: join(cwd, touched) } }
          : { tool_name: "Bash", tool_input: { command: `cat '${touched.replaceAll("'", String.raw`'\''`)}'` } };
      const fields =
        kind === "start"
          ? { hook_event_name: "SessionStart", source: "startup" }
          : { hook_event_name: "PreToolUse", ...tool };
      return JSON.stringify({ session_id: `${host}-${kind}`, cwd, transcript_path: null, ...fields });
    },
  };
}

/** In this order, so that what one writes is what the next reads. */
export const COMMANDS: readonly HostileCommand[] = [
  { name: "init-context", exits: [0], args: () => ["init-context"] },
  {
    name: "resolve",
    exits: [0],
    args: (hostile) => ["resolve", "--session", "other", touchedBy(hostile)],
  },
  hookCommand("claude", "start"),
  hookCommand("claude", "tool"),
  hookCommand("codex", "start"),
  hookCommand("codex", "tool"),
  { name: "skills list", exits: [0], args: () => ["skills", "list"] },
  { name: "skills search", exits: [0], args: () => ["skills", "search", "good thing"] },
  // While a config of the project can't be used, it may forbid the skill.
  { name: "skills load", exits: [0, 1, 3], args: ({ skill = "good" }) => ["skills", "load", skill] },
  { name: "skills check", exits: [0, 1], args: () => ["skills", "check"] },
  { name: "inspect", exits: [0], args: () => ["inspect", "--include-skills"] },
  { name: "config", exits: [0, 3], args: () => ["config"] },
  { name: "session list", exits: [0], args: () => ["session", "list"] },
  { name: "doctor", exits: [0, 1], args: () => ["doctor", "claude"] },
  { name: "resume-diff", exits: [0], args: () => ["resume-diff"] },
  { name: "check", exits: [0, 1], args: () => ["check"] },
  { name: "preview", exits: [0], args: ({ touched = "." }) => ["preview", touched] },
  { name: "explain", exits: [0], args: ({ touched = "." }) => ["explain", touched] },
  { name: "install", exits: [0], args: () => ["install", "claude", "--scope", "project", "--dry-run"] },
  { name: "uninstall", exits: [0], args: () => ["uninstall", "claude", "--scope", "project", "--dry-run"] },
];

/** In the short form a case is played with one of these, besides those that it says something of. */
export const CORE_COMMANDS: readonly CommandName[] = ["init-context", "hook claude, tool", "resolve", "skills list"];
