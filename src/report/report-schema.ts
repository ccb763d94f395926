import { z } from "zod";

const count = z.number().int().nonnegative();

const ReportedFileSchema = z
  .object({
    path: z.string(),
    isGone: z.boolean().describe("it was told, and does not exist any more"),
    sizeBytes: count.describe("as it is now, or as it was last told"),
    contexts: z
      .object({
        all: count.describe("in which it was known in any way, so in which it applied"),
        native: count.describe("that were given its text by the client itself"),
        given: count.describe("that were given its text by codelia"),
        named: count.describe("that were told its name"),
        readAfter: count.describe("of those that were told its name: that then read it or were given its text"),
        editFirst: count.describe("of those that were told its name: first with a call that wrote in its scope"),
        unread: count.describe("of those that were told its name: that never had its text"),
      })
      .strict(),
    bytesPerSession: count.describe("of its text, in the sessions in which it applied, on average"),
    tokensPerSession: count.describe("estimated: a token for four bytes"),
  })
  .strict();

const ReportedSkillSchema = z
  .object({
    name: z.string(),
    path: z.string(),
    found: count.describe("contexts in which a search or a suggestion found it"),
    loaded: count.describe("contexts that loaded it"),
  })
  .strict();

export const AdviceKindSchema = z.enum([
  "no-sessions",
  "named-not-read",
  "named-with-edit",
  "never-applied",
  "skill-not-loaded",
  "skill-not-found",
]);

const AdviceSchema = z
  .object({
    kind: AdviceKindSchema,
    text: z.string(),
    subjects: z.array(z.string()).describe("the paths of files or skills"),
    command: z.string().optional(),
  })
  .strict();

/** `codelia report --json`. */
export const ReportSchema = z
  .object({
    root: z.string(),
    since: z.number().int().describe("what is older does not count, in milliseconds since 1970"),
    sessions: count,
    contexts: count,
    bytesPerSession: count.describe("of all instruction files, on average"),
    tokensPerSession: count,
    files: z.array(ReportedFileSchema),
    skills: z.array(ReportedSkillSchema),
    advice: z.array(AdviceSchema),
  })
  .strict();

export type Report = z.infer<typeof ReportSchema>;
export type ReportedFile = z.infer<typeof ReportedFileSchema>;
export type ReportedSkill = z.infer<typeof ReportedSkillSchema>;
export type Advice = z.infer<typeof AdviceSchema>;
