import { z } from "zod";

const IterationSummarySchema = z
  .object({
    /** From 1. */
    iteration: z.number().int().positive(),
    step: z.string(),
    /** The engine that answered; absent where none did, and in a guided run. */
    engine: z.string().optional(),
    passed: z.boolean(),
    /** Why it passed, or did not. */
    reason: z.string(),
    /** An optional step that was skipped. */
    skipped: z.boolean().optional(),
    /** Failed queries and those of a check included. */
    queries: z.number().int().nonnegative(),
    durationMs: z.number().nonnegative(),
    costUsd: z.number().optional(),
    turns: z.number().optional(),
  })
  .strict();

/** How a run ended. */
export const AgentResultSchema = z
  .object({
    success: z.boolean(),
    completionReason: z.string(),
    error: z.string().optional(),
    iterations: z.number().int().nonnegative(),
    summaries: z.array(IterationSummarySchema),
  })
  .strict();

/** `.codelia/agents/<instance>.json`: one run, driven or guided. */
export const AgentRunSchema = z
  .object({
    version: z.literal(1),
    /** The identity of the directory it is in, as in the ledger: a clone can't bring a run. */
    tree: z.string(),
    /** Goes up with each change: of two changes to one state only the first is kept. */
    n: z.number().int().nonnegative(),
    instance: z.string(),
    name: z.string(),
    /** The definition's directory. */
    definition: z.string(),
    cwd: z.string(),
    mode: z.enum(["driven", "guided"]),
    status: z.enum(["started", "stopped"]),
    startedAt: z.number().int(),
    updatedAt: z.number().int(),
    /** The client's, of a guided run. */
    session: z.string().optional(),
    /** Of a driven run: its process, and the lock that the process holds. */
    pid: z.number().int().positive().optional(),
    lock: z.string().optional(),
    /** Of a driven run: a mark in the environment of all that it starts. */
    mark: z.string().min(1).optional(),
    branch: z.string().optional(),
    issue: z.number().int().positive().optional(),
    /** Given with `--var`. */
    variables: z.record(z.string(), z.string()),
    step: z.string(),
    /** Failed checks of this step since the run came to it. */
    failures: z.number().int().nonnegative(),
    /** What the next message of a guided run answers. */
    awaiting: z.enum(["answer", "review"]),
    /** Why the last answer did not pass. */
    complaint: z.string().optional(),
    /** Of a guided run: how often in a row its client was told to go on, and whether the current prompt is still to be given. */
    continuations: z.number().int().nonnegative(),
    isUntold: z.boolean(),
    outputs: z.record(z.string(), z.record(z.string(), z.unknown())),
    previousResponse: z.string().optional(),
    summaries: z.array(IterationSummarySchema),
    result: AgentResultSchema.optional(),
  })
  .strict();

export type IterationSummary = z.infer<typeof IterationSummarySchema>;

export type AgentResult = z.infer<typeof AgentResultSchema>;

export type AgentRun = z.infer<typeof AgentRunSchema>;

/** The fields of an issue and its project that name the branch to begin from. */
export const IssueFieldsSchema = z.strictObject({
  issue: z.object({ base_branch: z.string().optional() }).optional(),
  project: z.object({ "Target Branch": z.string().optional() }).optional(),
});
