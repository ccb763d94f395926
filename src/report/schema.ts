import { z } from "zod";

/** How much of a file a client gives its model when a session begins. */
export const ReachStatusSchema = z.enum([
  "loaded",
  /** Only its beginning: the client's budget ends inside it. */
  "cut",
  /** The client's budget is used up before it. */
  "left-out",
  /** Another file is used instead. */
  "shadowed",
  "skipped",
]);

/** Why. The sentences are in `explanation.ts`. */
export const ReachReasonSchema = z.enum([
  "reads-it",
  "budget",
  "file-limit",
  "earlier-name",
  "duplicate",
  "silenced",
  "blank",
  "not-a-regular-file",
  "dangling-link",
  "link-outside-root",
  "no-permission",
  "unreadable",
  "other-failed",
  "untrusted",
  "switched-off",
  "excluded",
  "maybe-excluded",
  "ignored-directory",
  "outside-root",
  "conditional",
  "import-depth",
  "other-worktree",
]);

/** One file, as one client treats it. */
export const ReachedFileSchema = z
  .object({
    path: z.string(),
    /** Whose file it is: an administrator's, the user's own, the project's, or one that another imports. */
    origin: z.enum(["managed", "home", "project", "import"]),
    status: ReachStatusSchema,
    reason: ReachReasonSchema,
    /** The file that is used instead, that caused this, or that imports this one. */
    by: z.string().optional(),
    /** Of the file's own bytes, after removing what the client removes. */
    bytesShown: z.number().int().nonnegative(),
    bytesTotal: z.number().int().nonnegative(),
  })
  .strict();

/** How one client treats the instruction files for a session that begins in a directory. */
export const ReachSchema = z
  .object({
    client: z.string(),
    cwd: z.string(),
    /** Where its search begins; null if the client has no such place. */
    root: z.string().nullable(),
    /** Null if the client has no limit. */
    budget: z
      .object({ limitBytes: z.number().int().nonnegative(), usedBytes: z.number().int().nonnegative() })
      .strict()
      .nullable(),
    /** Every file with a name that the client knows, in the order in which the model reads them. */
    files: z.array(ReachedFileSchema),
  })
  .strict();

export type ReachStatus = z.infer<typeof ReachStatusSchema>;

export type ReachReason = z.infer<typeof ReachReasonSchema>;

export type ReachedFile = z.infer<typeof ReachedFileSchema>;

export type Reach = z.infer<typeof ReachSchema>;

/** What codelia told a context about a file. */
export const ToldStateSchema = z
  .object({
    path: z.string(),
    /** `changed`: another version than the present one. */
    state: z.enum(["told", "changed", "pending"]),
    /** Of the version that was told; the ledger counts its records with `n`. */
    mtimeMs: z.number().int().optional(),
    n: z.number().int().nonnegative().optional(),
  })
  .strict();

/** `codelia explain --json`: what becomes of the instruction files for sessions that begin in a directory. */
export const ExplanationSchema = z
  .object({
    path: z.string().describe("what was asked about"),
    directory: z.string().describe("where the sessions begin"),
    clients: z.array(ReachSchema.extend({ title: z.string() }).strict()),
    context: z
      .object({
        session: z.string(),
        context: z.string(),
        epoch: z.number().int().nonnegative(),
        updatedAt: z.number().int().nullable().describe("when the session was last told anything; null: never"),
      })
      .strict()
      .nullable()
      .describe("the context it is about; null if the ledger was not read"),
    told: z.array(ToldStateSchema),
    skills: z.array(
      z
        .object({
          name: z.string(),
          path: z.string(),
          scope: z.enum(["repo", "user"]),
          visibleTo: z.array(z.string()).describe("the clients that list it to their models"),
        })
        .strict(),
    ),
  })
  .strict();

export type ToldState = z.infer<typeof ToldStateSchema>;

export type Explanation = z.infer<typeof ExplanationSchema>;
