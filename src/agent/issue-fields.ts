import { z } from "zod";

/** The fields of an issue and of its project that say from which branch the work on it begins. */
export const IssueFieldsSchema = z.strictObject({
  issue: z.object({ base_branch: z.string().optional() }).optional(),
  project: z.object({ "Target Branch": z.string().optional() }).optional(),
});
export type IssueFields = z.infer<typeof IssueFieldsSchema>;
