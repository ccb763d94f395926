import type { Candidate, UnusableReason } from "../instructions/chain.ts";
import type { Finding } from "./findings.ts";
import { finding, type RuleId } from "./rules.ts";

const RULES: Readonly<
  Record<UnusableReason, { readonly id: RuleId; readonly message: string; readonly remedy: string }>
> = {
  "not-a-regular-file": {
    id: "instructions-unreadable",
    message: "it is not a regular file",
    remedy: "put a file in its place",
  },
  "no-permission": { id: "instructions-unreadable", message: "it may not be read", remedy: "let its readers read it" },
  unreadable: { id: "instructions-unreadable", message: "it can't be read", remedy: "put a file in its place" },
  "dangling-link": {
    id: "instructions-dangling-link",
    message: "it is a link that leads nowhere",
    remedy: "remove or correct it",
  },
  "link-outside-root": {
    id: "instructions-link-outside",
    message: "it is a link that leads outside the root",
    remedy: "put a copy in its place",
  },
};

/** What stands under the name of an instruction file and can't be one. */
export function judgeCandidates(candidates: readonly Candidate[]): Finding[] {
  return candidates.flatMap(({ path, found }) => (found.kind === "file" ? [] : [unusable(path, found.reason)]));
}

export function unusable(path: string, reason: UnusableReason): Finding {
  const { id, message, remedy } = RULES[reason];
  return finding(id, { path, line: 1, message, remedy });
}
