import { z } from "zod";

/** The public schemas of skills, version 1. Their shape is a contract: extend, never edit. */
export const SkillScopeSchema = z.enum(["repo", "user"]);

export type SkillScope = z.infer<typeof SkillScopeSchema>;
