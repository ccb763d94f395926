import type { ArgsDef } from "citty";
import { OUTPUT_ARGS, PLACE_ARGS, textFlag } from "../cli/args.ts";
import { CHOICES } from "../clients/choose.ts";
import { OWN_PROFILE } from "../clients/raw-profile.ts";
import type { Invocation } from "../command.ts";
import type { World } from "../world.ts";

/** The flags of every command that checks. */
export const FINDINGS_ARGS = {
  format: {
    type: "enum",
    options: ["text", "json", "github", "sarif"],
    description: "how to print findings; default text, under GitHub Actions github",
  },
  "fail-on": {
    type: "enum",
    options: ["error", "warning", "note", "never"],
    description: "exit 1 on findings of this severity or higher; default error",
  },
} as const satisfies ArgsDef;

export const CHECK_ARGS = {
  path: {
    type: "positional",
    required: false,
    valueHint: "PATH…",
    description: "check only what is at or below these paths or patterns",
  },
  as: {
    type: "string",
    valueHint: CHOICES.join(","),
    description: `report what these clients cut, leave out or pass over; default ${OWN_PROFILE} and those whose files are here`,
  },
  ...FINDINGS_ARGS,
  fix: { type: "boolean", description: "apply safe fixes and list them" },
  unsafe: {
    type: "boolean",
    description: "with --fix, also apply fixes that change what a client reads: imports, links to skills",
  },
  diff: { type: "boolean", description: "with --fix, print the changes as a diff for 'git apply', and change nothing" },
  baseline: { type: "string", valueHint: "FILE", description: "leave out the findings that this file records" },
  "write-baseline": { type: "boolean", description: "record all findings in that file and print none" },
  changed: {
    type: "string",
    valueHint: "[REV]",
    description: "only what changes since the branch left REV may cause; default the CI's target, origin/HEAD, HEAD",
  },
  staged: { type: "boolean", description: "only what the staged changes may cause, for a hook before a commit" },
  summary: {
    type: "string",
    valueHint: "[FILE]",
    description: "append a summary in Markdown to FILE; default the file that GITHUB_STEP_SUMMARY names",
  },
  ...PLACE_ARGS,
  ...OUTPUT_ARGS,
} as const satisfies ArgsDef;

export type Format = (typeof FINDINGS_ARGS.format.options)[number];

/** How to print findings; undefined if the flags contradict each other. */
export function chooseFormat(world: World, { flags }: Invocation): Format | undefined {
  const named = textFlag(flags["format"]) as Format | undefined;
  if (flags["json"] === true) return named === undefined || named === "json" ? "json" : undefined;
  return named ?? (world.env["GITHUB_ACTIONS"] === "true" ? "github" : "text");
}
