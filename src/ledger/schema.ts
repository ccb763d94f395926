import { z } from "zod";

const VersionSchema = z
  .object({
    mtimeMs: z.number().int(),
    sizeBytes: z.number().int().nonnegative(),
    n: z.number().int().nonnegative(),
    /** The file's ctime and a digest of its text: a text can be replaced under its old time and size. */
    ctimeMs: z.number().int().optional(),
    digest: z.number().int().nonnegative().optional(),
    /** Told by its path only, so far: `agents.resolver.gate` asks for more. */
    named: z.literal(true).optional(),
  })
  .strict();

const LoadedSkillSchema = z.object({ mtimeMs: z.number().int(), n: z.number().int().nonnegative() }).strict();

/** Bytes of a text: from one to another, the latter not included. */
const RangesSchema = z.array(z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]));

/** What a context is given from its beginning on, in pieces. */
const DeliverySchema = z
  .object({
    /** The event that began it, and when: the hooks of one event are called at once. */
    by: z.string(),
    at: z.number().int().nonnegative(),
    due: z.record(z.string(), RangesSchema),
    given: z.record(z.string(), RangesSchema),
  })
  .strict();

/** One model context between two compactions. */
export const ContextSchema = z
  .object({
    epoch: z.number().int().nonnegative(),
    coveredDirs: z.array(z.string()),
    loadedVersions: z.record(z.string(), VersionSchema),
    loadedSkills: z.record(z.string(), LoadedSkillSchema),
    delivery: DeliverySchema.optional(),
  })
  .strict();

export const SessionSchema = z
  .object({
    cwd: z.string(),
    root: z.string(),
    markers: z.array(z.string()),
    startedAt: z.number().int(),
    updatedAt: z.number().int(),
    contexts: z.record(z.string(), ContextSchema),
    /** Contexts that were reset: records of them from earlier epochs than this don't count. */
    forgotten: z.record(z.string(), z.number().int().nonnegative()).optional(),
  })
  .strict();

/** `.codelia/session.json`: what each context of each session was told. */
export const LedgerSchema = z
  .object({
    version: z.literal(1),
    tree: z.string(),
    n: z.number().int().nonnegative(),
    sessions: z.record(z.string(), SessionSchema),
  })
  .strict();

export type LoadedVersion = z.infer<typeof VersionSchema>;
export type LoadedSkill = z.infer<typeof LoadedSkillSchema>;
export type Ranges = z.infer<typeof RangesSchema>;
export type Delivery = z.infer<typeof DeliverySchema>;
export type Context = z.infer<typeof ContextSchema>;
export type Session = z.infer<typeof SessionSchema>;
export type Ledger = z.infer<typeof LedgerSchema>;
