import { z } from "zod";

/** How much of a file a client gives its model when a session begins. */
const ReachStatusSchema = z.enum([
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
const ReachReasonSchema = z.enum([
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
  "refused-token",
]);

/** One file, as one client treats it. */
const ReachedFileSchema = z.strictObject({
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
});

/** How one client treats the instruction files for a session that begins in a directory. */
const ReachSchema = z.strictObject({
  client: z.string(),
  cwd: z.string(),
  /** Where its search begins; null if the client has no such place. */
  root: z.string().nullable(),
  /** Null if the client has no limit. */
  budget: z
    .strictObject({ limitBytes: z.number().int().nonnegative(), usedBytes: z.number().int().nonnegative() })
    .nullable(),
  /** Every file with a name that the client knows, in the order in which the model reads them. */
  files: z.array(ReachedFileSchema),
});

export type ReachReason = z.infer<typeof ReachReasonSchema>;

export type ReachedFile = z.infer<typeof ReachedFileSchema>;

export type Reach = z.infer<typeof ReachSchema>;

/** What codelia told a context about a file. */
const ToldStateSchema = z.strictObject({
  path: z.string(),
  /** `changed`: another version than the present one. */
  state: z.enum(["told", "changed", "pending"]),
  /** Of the version that was told; the ledger counts its records with `n`. */
  mtimeMs: z.number().int().optional(),
  n: z.number().int().nonnegative().optional(),
});

/** `codelia explain --json`: what becomes of the instruction files for sessions that begin in a directory. */
export const ExplanationSchema = z.strictObject({
  path: z.string().describe("what was asked about"),
  directory: z.string().describe("where the sessions begin"),
  clients: z.array(ReachSchema.extend({ title: z.string() }).strict()),
  context: z
    .strictObject({
      session: z.string(),
      context: z.string(),
      epoch: z.number().int().nonnegative(),
      updatedAt: z.number().int().nullable().describe("when the session was last told anything; null: never"),
    })
    .nullable()
    .describe("the context it is about; null if the ledger was not read"),
  told: z.array(ToldStateSchema),
  skills: z.array(
    z.strictObject({
      name: z.string(),
      path: z.string(),
      scope: z.enum(["repo", "user"]),
      visibleTo: z.array(z.string()).describe("the clients that list it to their models"),
    }),
  ),
});

export type ToldState = z.infer<typeof ToldStateSchema>;

export type Explanation = z.infer<typeof ExplanationSchema>;

/** What a model knew of an instruction file when it wrote. */
const ExtentSchema = z.enum(["whole", "cut", "stale", "named", "none"]);

const AuditedFileSchema = z.strictObject({
  path: z.string(),
  extent: ExtentSchema,
  /** Who gave or named it. */
  by: z.enum(["client", "hook", "tool", "codelia"]).optional(),
});

/** One call that wrote a file. */
const AuditedWriteSchema = z.strictObject({
  at: z.string().nullable().describe("when, as the record has it"),
  tool: z.string(),
  path: z.string(),
  files: z.array(AuditedFileSchema).describe("the instruction files that apply to it, root first"),
});

/** The main context of a session, or a sub-agent. */
const AuditedContextSchema = z.strictObject({
  record: z.string(),
  toolCalls: z.number().int().nonnegative(),
  forgotten: z.number().int().nonnegative().describe("how often the context was compacted"),
  broken: z.number().int().nonnegative().describe("lines that could not be read"),
  writes: z.array(AuditedWriteSchema),
});

const AuditedSkillSchema = z.strictObject({
  name: z.string(),
  path: z.string(),
  listed: z.number().int().nonnegative().describe("contexts that were told of it"),
  loaded: z.number().int().nonnegative().describe("contexts that loaded it"),
});

/** `codelia audit --json`. */
export const AuditSchema = z.strictObject({
  sessions: z.array(
    z.strictObject({
      record: z.string(),
      client: z.string(),
      root: z.string(),
      contexts: z.array(AuditedContextSchema),
      skills: z.array(AuditedSkillSchema),
    }),
  ),
});

export type Audit = z.infer<typeof AuditSchema>;
export type AuditedContext = z.infer<typeof AuditedContextSchema>;
export type AuditedWrite = z.infer<typeof AuditedWriteSchema>;

const count = z.number().int().nonnegative();

const ReportedFileSchema = z.strictObject({
  path: z.string(),
  isGone: z.boolean().describe("it was told, and does not exist any more"),
  sizeBytes: count.describe("as it is now, or as it was last told"),
  contexts: z.strictObject({
    all: count.describe("in which it was known in any way, so in which it applied"),
    native: count.describe("that were given its text by the client itself"),
    given: count.describe("that were given its text by codelia"),
    named: count.describe("that were told its name"),
    readAfter: count.describe("of those that were told its name: that then read it or were given its text"),
    editFirst: count.describe("of those that were told its name: first with a call that wrote in its scope"),
    unread: count.describe("of those that were told its name: that never had its text"),
  }),
  bytesPerSession: count.describe("of its text, in the sessions in which it applied, on average"),
  tokensPerSession: count.describe("estimated: a token for four bytes"),
});

const ReportedSkillSchema = z.strictObject({
  name: z.string(),
  path: z.string(),
  found: count.describe("contexts in which a search or a suggestion found it"),
  loaded: count.describe("contexts that loaded it"),
});

const AdviceKindSchema = z.enum([
  "no-sessions",
  "named-not-read",
  "named-with-edit",
  "never-applied",
  "skill-not-loaded",
  "skill-not-found",
]);

const AdviceSchema = z.strictObject({
  kind: AdviceKindSchema,
  text: z.string(),
  subjects: z.array(z.string()).describe("the paths of files or skills"),
  command: z.string().optional(),
});

/** `codelia report --json`. */
export const ReportSchema = z.strictObject({
  root: z.string(),
  since: z.number().int().describe("what is older does not count, in milliseconds since 1970"),
  sessions: count,
  contexts: count,
  bytesPerSession: count.describe("of all instruction files, on average"),
  tokensPerSession: count,
  files: z.array(ReportedFileSchema),
  skills: z.array(ReportedSkillSchema),
  advice: z.array(AdviceSchema),
});

export type Report = z.infer<typeof ReportSchema>;
export type ReportedFile = z.infer<typeof ReportedFileSchema>;
export type ReportedSkill = z.infer<typeof ReportedSkillSchema>;
export type Advice = z.infer<typeof AdviceSchema>;
