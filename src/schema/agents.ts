import { z } from "zod";

/** The public schemas of the AGENTS hierarchy, version 1. Their shape is a contract: extend, never edit. */
export const AgentsConfigSchema = z
  .object({
    enabled: z.boolean().optional(),
    root: z
      .object({
        projectRootOverride: z.string().optional(),
        markers: z.array(z.string()).optional(),
        stopAtFsRoot: z.boolean().optional(),
      })
      .optional(),
    initial: z
      .object({
        maxFiles: z.number().int().positive().optional(),
        maxBytes: z.number().int().positive().optional(),
      })
      .optional(),
    resolver: z
      .object({
        enabled: z.boolean().optional(),
        maxFilesPerResolve: z.number().int().positive().optional(),
      })
      .optional(),
  })
  .strict();

export type AgentsConfig = z.infer<typeof AgentsConfigSchema>;

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
