import { z } from "zod";

/** What a model knew of an instruction file when it wrote. */
export const ExtentSchema = z.enum(["whole", "cut", "stale", "named", "none"]);

const AuditedFileSchema = z
  .object({
    path: z.string(),
    extent: ExtentSchema,
    /** Who gave or named it. */
    by: z.enum(["client", "hook", "tool", "codelia"]).optional(),
  })
  .strict();

/** One call that wrote a file. */
export const AuditedWriteSchema = z
  .object({
    at: z.string().nullable().describe("when, as the record has it"),
    tool: z.string(),
    path: z.string(),
    files: z.array(AuditedFileSchema).describe("the instruction files that apply to it, root first"),
  })
  .strict();

/** The main context of a session, or a sub-agent. */
export const AuditedContextSchema = z
  .object({
    record: z.string(),
    toolCalls: z.number().int().nonnegative(),
    forgotten: z.number().int().nonnegative().describe("how often the context was compacted"),
    broken: z.number().int().nonnegative().describe("lines that could not be read"),
    writes: z.array(AuditedWriteSchema),
  })
  .strict();

const AuditedSkillSchema = z
  .object({
    name: z.string(),
    path: z.string(),
    listed: z.number().int().nonnegative().describe("contexts that were told of it"),
    loaded: z.number().int().nonnegative().describe("contexts that loaded it"),
  })
  .strict();

/** `codelia audit --json`. */
export const AuditSchema = z
  .object({
    sessions: z.array(
      z
        .object({
          record: z.string(),
          client: z.string(),
          root: z.string(),
          contexts: z.array(AuditedContextSchema),
          skills: z.array(AuditedSkillSchema),
        })
        .strict(),
    ),
  })
  .strict();

export type Audit = z.infer<typeof AuditSchema>;
export type AuditedContext = z.infer<typeof AuditedContextSchema>;
export type AuditedWrite = z.infer<typeof AuditedWriteSchema>;
