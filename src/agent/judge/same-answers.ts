import { shortHash } from "../../lib/hash.ts";
import type { AgentRun } from "../run-schema.ts";

type SameAnswers = NonNullable<AgentRun["sameAnswers"]>;

/** Counts how many times in a row a step has given the same answer, whatever other steps ran in between. */
export function countAnswer(counted: SameAnswers | undefined, step: string, text: string): SameAnswers {
  const answer = shortHash(text.trim());
  const before = counted !== undefined && Object.hasOwn(counted, step) ? counted[step] : undefined;
  const times = before?.answer === answer ? before.times + 1 : 1;
  return { ...counted, [step]: { answer, times } };
}

/**
 * Why a run that would go on is a loop; undefined if it is none.
 *
 * @param max 0 for no limit
 */
export function loopAt(counted: SameAnswers | undefined, step: string, max: number): string | undefined {
  const times = counted?.[step]?.times ?? 0;
  if (max === 0 || times < max) return undefined;
  return `step '${step}' got the same answer ${times} times in a row: it makes no progress ('limits.maxSameAnswers')`;
}
