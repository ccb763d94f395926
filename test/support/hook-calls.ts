import { dirname } from "node:path";
import { expect } from "bun:test";
import { CODELIA, runCodelia } from "./run-codelia.ts";
import { dir, type Entry, type TempTree } from "./temp-tree.ts";

// Calls of the hook command on the built binary, in `repo` of a tree that has its user's home in `home`.

/** A project of which codelia tells every AGENTS.md: because of the CLAUDE.md, Claude Code loads none of them itself. */
export const HOOK_PROJECT: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/AGENTS.md": "Root rules.\n",
  "repo/lib/AGENTS.md": "Lib rules.\n",
  "repo/lib/deep/AGENTS.md": "Deep rules.\n",
  "repo/lib/deep/x.ts": "",
};

export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly stdout: string;
  readonly context: string;
  /** Why the tool must not run, if it must not. */
  readonly refusal: { readonly decision: string; readonly reason: string } | undefined;
}

export function eventText(tree: TempTree, fields: Fields): string {
  return JSON.stringify({ session_id: "s", cwd: tree.path("repo"), transcript_path: null, ...fields });
}

/** As for a user whose shell finds the program by its name. */
export const WITH_CODELIA = `${process.env["PATH"]}:${dirname(CODELIA)}`;

export function optionsOf(tree: TempTree, input: string | Uint8Array) {
  return { cwd: tree.path("repo"), home: tree.path("home"), env: { PATH: WITH_CODELIA }, stdin: input };
}

/** Asserts that the hook ends with 0 and prints nothing on standard error, which holds for any input. */
export function hook(tree: TempTree, fields: Fields | string, args: readonly string[] = ["claude"]): Answer {
  const input = typeof fields === "string" ? fields : eventText(tree, fields);
  const { stdout, stderr, exitCode } = runCodelia(["hook", ...args], optionsOf(tree, input));
  expect([exitCode, stderr]).toEqual([0, ""]);
  return answerOf(stdout);
}

export function answerOf(stdout: string): Answer {
  if (stdout === "") return { stdout, context: "", refusal: undefined };
  const parsed = JSON.parse(stdout);
  expect(Object.keys(parsed)).toEqual(["hookSpecificOutput"]);
  const output = parsed.hookSpecificOutput;
  if ("permissionDecision" in output) {
    expect(Object.keys(output)).toEqual(["hookEventName", "permissionDecision", "permissionDecisionReason"]);
    const refusal = { decision: output.permissionDecision, reason: output.permissionDecisionReason };
    return { stdout, context: "", refusal };
  }
  expect(Object.keys(output)).toEqual(["hookEventName", "additionalContext"]);
  expect(output.additionalContext).not.toBe("");
  return { stdout, context: output.additionalContext, refusal: undefined };
}

export const start = (source = "startup") => ({ hook_event_name: "SessionStart", source });

/** A tool about to run, and one that has run. */
export const before = (tool: string, input: Fields, more: Fields = {}) => ({
  hook_event_name: "PreToolUse",
  tool_name: tool,
  tool_input: input,
  ...more,
});
export const after = (tool: string, input: Fields, more: Fields = {}) => ({
  ...before(tool, input, more),
  hook_event_name: "PostToolUse",
  tool_response: {},
});

export const read = (path: string, more: Fields = {}) => before("Read", { file_path: path }, more);
export const bash = (command: string) => before("Bash", { command });

export const edit = (path: string) => before("Edit", { file_path: path, old_string: "a", new_string: "b" });

/** The files that a reminder names, relative to `repo`. */
export function named(tree: TempTree, text: string): string[] {
  const prefix = `${tree.path("repo")}/`;
  return [...text.matchAll(/^- (.+?) \(/gm)].map(([, path = ""]) => path.replace(prefix, ""));
}

export const SUB = { agent_id: "agent-1", agent_type: "general-purpose" };
