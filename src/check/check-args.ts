import type { ArgsDef } from "citty";
import { COMMON_ARGS } from "../cli/args.ts";
import { FINDINGS_ARGS } from "./print-findings.ts";

export const CHECK_ARGS = {
  path: { type: "positional", required: false, valueHint: "PATH", description: "only what is at or below it" },
  as: {
    type: "string",
    valueHint: "CLIENT,…",
    description: "judge for these clients what they cut, leave out, pass over: raw, claude, codex; default raw",
  },
  ...FINDINGS_ARGS,
  fix: { type: "boolean", description: "repair what is sure to be right afterwards, and say what" },
  baseline: { type: "string", valueHint: "FILE", description: "let pass what this file says was there before" },
  "write-baseline": { type: "boolean", description: "write what is found into that file, and find nothing" },
  changed: {
    type: "string",
    valueHint: "[REV]",
    description: "only what may come of changes since the branch left REV; default the CI's target, origin/HEAD, HEAD",
  },
  summary: {
    type: "string",
    valueHint: "[FILE]",
    description: "append a page of Markdown to FILE; default the one that GITHUB_STEP_SUMMARY names",
  },
  ...COMMON_ARGS,
} as const satisfies ArgsDef;
