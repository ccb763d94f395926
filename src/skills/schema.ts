import { z } from "zod";
import { SkillScopeSchema } from "../config/schema.ts";

export const SkillMetadataSchema = z
  .object({
    id: z.string().describe("hash of the canonical path"),
    name: z.string(),
    description: z.string(),
    path: z.string().describe("canonical absolute path of the SKILL.md"),
    dir: z.string().describe("the directory that relative paths in the skill start from"),
    scope: SkillScopeSchema,
    mtimeMs: z.number().nonnegative(),
  })
  .strict();

export type SkillMetadata = z.infer<typeof SkillMetadataSchema>;

export const SkillLoadErrorSchema = z.object({ path: z.string(), message: z.string() }).strict();

export type SkillLoadError = z.infer<typeof SkillLoadErrorSchema>;

export const SkillCatalogSchema = z
  .object({
    skills: z.array(SkillMetadataSchema),
    errors: z.array(SkillLoadErrorSchema),
    truncated: z.boolean(),
  })
  .strict();

export type SkillCatalog = z.infer<typeof SkillCatalogSchema>;

export const SkillSearchReasonSchema = z.enum(["exact_name", "exact_path", "prefix", "token_overlap"]);

export type SkillSearchReason = z.infer<typeof SkillSearchReasonSchema>;

export const SkillSearchResultSchema = z
  .object({ skill: SkillMetadataSchema, score: z.number(), reason: SkillSearchReasonSchema })
  .strict();

export type SkillSearchResult = z.infer<typeof SkillSearchResultSchema>;

/** The header of a SKILL.md. Keys that the specification does not define belong to other programs. */
export const SkillFrontmatterSchema = z.looseObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().trim().min(1).max(1024),
  version: z.string().optional(),
  license: z.string().optional(),
  compatibility: z.string().min(1).max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  "allowed-tools": z.string().optional(),
});

export type SkillFrontmatter = z.infer<typeof SkillFrontmatterSchema>;
