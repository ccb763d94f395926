import type { TreeFacts } from "../clients/client.ts";

/** Where a client finds itself: a process has no links in its working directory, one that was named keeps them. */
export function startDirectory(cwd: string, named: string | undefined, facts: TreeFacts): string {
  return named === undefined ? (facts.realPath(cwd) ?? cwd) : cwd;
}
