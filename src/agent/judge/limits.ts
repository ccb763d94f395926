import type { AgentDefinition } from "../schema.ts";

/** What holds where a definition says nothing. */
const DEFAULT_LIMITS = { maxIterations: 50, maxRetries: 3, timeoutMs: 600_000 } as const;

export interface Limits {
  readonly maxIterations: number;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

export function limitsOf({ limits }: Pick<AgentDefinition, "limits">): Limits {
  return {
    maxIterations: limits?.maxIterations ?? DEFAULT_LIMITS.maxIterations,
    maxRetries: limits?.maxRetries ?? DEFAULT_LIMITS.maxRetries,
    timeoutMs: limits?.timeoutMs ?? DEFAULT_LIMITS.timeoutMs,
  };
}
