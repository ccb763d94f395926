import { z } from "zod";
import { AgentsConfigSchema } from "./agents.ts";

/** A file name in one directory: no separators, not a way up. */
const BareNameSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!\.{1,2}$)[^/\\\0]+$/, "must be a bare file name, without a directory");

const { root, initial, resolver } = AgentsConfigSchema.shape;

/** Spec 1's `AgentsConfigSchema` with what is ours added. */
export const ExtendedAgentsConfigSchema = AgentsConfigSchema.extend({
  root: root
    .unwrap()
    .extend({ markers: z.array(BareNameSchema).min(1).max(32).optional() })
    .strict()
    .optional()
    .describe("where the hierarchy begins; heeded in the user's own config only"),
  usage: z.boolean().optional().describe("print the usage rules before the initial bundle (default true)"),
  fallbackFilenames: z
    .array(BareNameSchema)
    .max(16)
    .optional()
    .describe("file names tried where a directory has no AGENTS.md (default none)"),
  additionalFilenames: z
    .array(BareNameSchema)
    .max(16)
    .optional()
    .describe("file names added after a directory's AGENTS.md (default none)"),
  ignore: z
    .array(BareNameSchema)
    .max(64)
    .optional()
    .describe("directories whose instruction files are not for this project (default node_modules)"),
  initial: initial
    .unwrap()
    .extend({ keep: z.enum(["root-first", "nearest-first"]).optional() })
    .strict()
    .optional()
    .describe("limits of the initial bundle (default 64 files, 32768 bytes, root-first)"),
  resolver: resolver.unwrap().strict().optional().describe("limits of one reminder (default 8 files)"),
}).strict();

export const SkillsConfigSchema = z
  .object({
    enabled: z.boolean().optional(),
    initial: z
      .object({
        maxEntries: z.number().int().positive().optional(),
        maxBytes: z.number().int().positive().optional(),
      })
      .strict()
      .optional()
      .describe("limits of the catalogue (default 200 entries, 32768 bytes)"),
    search: z
      .object({
        defaultLimit: z.number().int().positive().optional(),
        maxLimit: z.number().int().positive().optional(),
      })
      .strict()
      .optional()
      .describe("limits of a search (default 8, at most 50)"),
  })
  .strict();

/** One config file, of the user or of the project. Data only. */
export const ConfigSchema = z
  .object({
    $schema: z.string().optional(),
    agents: ExtendedAgentsConfigSchema.optional(),
    skills: SkillsConfigSchema.optional(),
  })
  .strict();

export type Config = z.infer<typeof ConfigSchema>;
