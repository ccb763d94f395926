import { z } from "zod";

const OutputsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

const OutputErrorSchema = z.strictObject({ field: z.string().optional(), message: z.string() });

const IterationSummarySchema = z.strictObject({
  /** From 1. */
  iteration: z.number().int().positive(),
  step: z.string(),
  /** The engine that answered; absent if none did, and in a guided run. */
  engine: z.string().optional(),
  passed: z.boolean(),
  /** Why it passed, or did not. */
  reason: z.string(),
  /** For a step that has not passed: what is wrong with its output. */
  errors: z.array(OutputErrorSchema).optional(),
  /** The completion ended the run before the step's check was run. */
  unchecked: z.boolean().optional(),
  /** An optional step that was skipped. */
  skipped: z.boolean().optional(),
  /** Includes failed queries and those of a check. */
  queries: z.number().int().nonnegative(),
  durationMs: z.number().nonnegative(),
  costUsd: z.number().optional(),
  turns: z.number().optional(),
});

/** The kind of error that a run failed with. */
const FailureSchema = z.strictObject({
  class: z.enum([
    "ConfigurationError",
    "ExecutionError",
    "JudgmentError",
    "ConnectionError",
    "RateLimitError",
    "SessionExpired",
  ]),
  /** `MissingRequiredInput`, `NotPassed`, … */
  code: z.string(),
  /** Whether another try may help. */
  recoverable: z.boolean(),
});

/** How a run ended. */
export const AgentResultSchema = z.strictObject({
  success: z.boolean(),
  completionReason: z.string(),
  error: z.string().optional(),
  /** Beside `error`. */
  failure: FailureSchema.optional(),
  iterations: z.number().int().nonnegative(),
  summaries: z.array(IterationSummarySchema),
  /** The last output of each step; printed, and in the record besides the result. */
  outputs: OutputsSchema.optional(),
});

/** `.codelia/agents/<instance>.json`: one run, driven or guided. */
export const AgentRunSchema = z.strictObject({
  version: z.literal(1),
  /** The identity of its directory, as in the ledger, so that a clone can't contain a valid run. */
  tree: z.string(),
  /** Incremented with each change: of two changes to the same state only the first is kept. */
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
  /** The client's session, in a guided run. */
  session: z.string().optional(),
  /** In a driven run: its process, and the lock that the process holds. */
  pid: z.number().int().positive().optional(),
  lock: z.string().optional(),
  /** In a driven run: a mark in the environment of everything that it starts. */
  mark: z.string().min(1).optional(),
  branch: z.string().optional(),
  issue: z.number().int().positive().optional(),
  /** Given with `--var`. */
  variables: z.record(z.string(), z.string()),
  step: z.string(),
  /** Failed checks of this step since the run reached it. */
  failures: z.number().int().nonnegative(),
  /** What the next message of a guided run answers. */
  awaiting: z.enum(["answer", "review"]),
  /** Why the last answer did not pass. */
  complaint: z.string().optional(),
  /**
   * In a guided run: how many times in a row its client was told to go on, and whether the current prompt has yet to
   * be given.
   */
  continuations: z.number().int().nonnegative(),
  isUntold: z.boolean(),
  outputs: OutputsSchema,
  previousResponse: z.string().optional(),
  /** For each step, a hash of its last answer, and how many times in a row it was the same. */
  sameAnswers: z.record(z.string(), z.strictObject({ answer: z.string(), times: z.number().int() })).optional(),
  summaries: z.array(IterationSummarySchema),
  result: AgentResultSchema.optional(),
});

export type IterationSummary = z.infer<typeof IterationSummarySchema>;

export type OutputError = z.infer<typeof OutputErrorSchema>;

export type Failure = z.infer<typeof FailureSchema>;

export type AgentResult = z.infer<typeof AgentResultSchema>;

export type AgentRun = z.infer<typeof AgentRunSchema>;

/** The fields of an issue and its project that name the branch to begin from. */
export const IssueFieldsSchema = z.strictObject({
  issue: z.object({ base_branch: z.string().optional() }).optional(),
  project: z.object({ "Target Branch": z.string().optional() }).optional(),
});
