import { z } from "zod";

export const ResolvedAgentsSchema = z
  .object({
    files: z.array(
      z
        .object({
          path: z.string(),
          mtimeMs: z.number().nonnegative(),
          sizeBytes: z.number().int().nonnegative(),
        })
        .strict(),
    ),
  })
  .strict();

export type ResolvedAgents = z.infer<typeof ResolvedAgentsSchema>;

export const SystemReminderTypeSchema = z.enum([
  "agents.resolve.paths",
  "session.resume.diff",
  "tool.output.trimmed",
  "permission.decision",
]);

export type SystemReminderType = z.infer<typeof SystemReminderTypeSchema>;
