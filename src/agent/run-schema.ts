import { z } from "zod";

const IterationSummarySchema = z
  .object({
    /** From 1. */
    iteration: z.number().int().positive(),
    step: z.string(),
    /** The one that answered; absent where none did, and in a guided run. */
    engine: z.string().optional(),
    passed: z.boolean(),
    /** Why it passed, or did not. */
    reason: z.string(),
    /** An optional step that was left out. */
    skipped: z.boolean().optional(),
    /** Queries, those that failed and those of a check included. */
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
    /** The directory it stands in, as the ledger has it: a clone can't bring a run along. */
    tree: z.string(),
    /** Goes up with each change: two that began from the same state can't both be kept. */
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
    /** Of a driven run: its process, and the lock that this holds for as long as it drives the run. */
    pid: z.number().int().positive().optional(),
    lock: z.string().optional(),
    /** Of a driven run: what all that it starts carries in its environment. */
    mark: z.string().min(1).optional(),
    branch: z.string().optional(),
    issue: z.number().int().positive().optional(),
    /** Given with `--var`. */
    variables: z.record(z.string(), z.string()),
    step: z.string(),
    /** Failed checks of this step since it was come to. */
    failures: z.number().int().nonnegative(),
    /** What the next message of a guided run is. */
    awaiting: z.enum(["answer", "review"]),
    /** Why the answer before did not pass. */
    complaint: z.string().optional(),
    /** A guided run: how often in a row its client was told to go on, and whether it has not been told the present step. */
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

/** The fields of an issue and of its project that say from which branch the work on it begins. */
export const IssueFieldsSchema = z.strictObject({
  issue: z.object({ base_branch: z.string().optional() }).optional(),
  project: z.object({ "Target Branch": z.string().optional() }).optional(),
});

export type IssueFields = z.infer<typeof IssueFieldsSchema>;
