import { z } from "zod";

/** A file as the user saw and trusted it. */
const TrustedFileSchema = z.strictObject({
  path: z.string().describe("from the subject's directory, with slashes"),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int().nonnegative(),
  isProgram: z.boolean().describe("it may be executed"),
});

export type TrustedFile = z.infer<typeof TrustedFileSchema>;

/**
 * `trust/<hash>/record.json` in the user's state directory: what the user trusts of one project, agent definition or
 * repository.
 */
export const TrustRecordSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(["project", "agent", "repository"]),
  subject: z.string().describe("the directory, links resolved"),
  trustedAt: z.number().int(),
  copy: z
    .string()
    .regex(/^[a-z0-9]+$/)
    .describe("the directory beside the record that holds the verified copies"),
  files: z.array(TrustedFileSchema),
  named: z
    .array(TrustedFileSchema.extend({ path: z.string().describe("from the top of its working tree, with slashes") }))
    .optional()
    .describe("files of the clone outside the subject that the commands of an agent definition name"),
});

export type TrustRecord = z.infer<typeof TrustRecordSchema>;
export type SubjectKind = TrustRecord["kind"];
