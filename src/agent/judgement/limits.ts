/** What holds where a definition says nothing. */
export const DEFAULT_LIMITS = { maxIterations: 50, maxRetries: 3, timeoutMs: 600_000 } as const;
