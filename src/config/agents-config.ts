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
