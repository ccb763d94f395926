import { z } from "zod";

const VersionSchema = z
  .object({
    mtimeMs: z.number().int(),
    sizeBytes: z.number().int().nonnegative(),
    n: z.number().int().nonnegative(),
    /** The file's ctime and a digest of its text: a text can be replaced without changing its time and size. */
    ctimeMs: z.number().int().optional(),
    digest: z.number().int().nonnegative().optional(),
    /** So far only its path was told: `agents.resolver.gate` asks for more. */
    named: z.literal(true).optional(),
    /** Calls that were blocked because of it, by digest, and the time of the last one. */
    held: z
      .object({ at: z.number().int().nonnegative(), calls: z.array(z.number().int().nonnegative()) })
      .strict()
      .optional(),
    /** Only its client looks for it, by a name or a rule of the client's own. */
    own: z.literal(true).optional(),
    /** The directory that it applies to, if not its own: for an imported file, that of the file that imports it. */
    directory: z.string().optional(),
  })
  .strict();

const LoadedSkillSchema = z
  .object({
    mtimeMs: z.number().int(),
    n: z.number().int().nonnegative(),
    /** Of its text, which can be replaced without changing its time. */
    digest: z.number().int().nonnegative().optional(),
  })
  .strict();

/** Ranges of bytes of a text; `to` is exclusive. */
const RangesSchema = z.array(z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]));

/** What a context is given in pieces from its beginning on. */
const DeliverySchema = z
  .object({
    /** The event that began it, and when: a client calls all hooks of an event at once. */
    by: z.string(),
    at: z.number().int().nonnegative(),
    /** How long the machine had been running: the wall clock may be set. */
    up: z.number().int().nonnegative().optional(),
    /** Where it began: a sub-agent may work in another directory than its session. */
    cwd: z.string().optional(),
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
    /** Contexts that were reset: their records from epochs before this don't count. */
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

/** How a context came to know a file: named, given by codelia, given by its client, read, or written by itself. */
export const KnowingSchema = z.enum(["named", "given", "native", "read", "written"]);

/** How a context came to hear of a skill: a search or a suggestion found it, or its text was loaded. */
export const SkillNewsSchema = z.enum(["found", "loaded"]);

/** A line of `.codelia/sessions/<hash of the session>.jsonl`: what a context came to know at one moment. */
export const EvidenceSchema = z
  .object({
    at: z.number().int(),
    session: z.string(),
    /** Of the ledger beside it. */
    tree: z.string(),
    context: z.string(),
    epoch: z.number().int().nonnegative(),
    /** It came with a call that writes in their scope. */
    edit: z.literal(true).optional(),
    /** How, path, mtime in milliseconds, size in bytes. */
    files: z.array(z.tuple([KnowingSchema, z.string(), z.number().int(), z.number().int().nonnegative()])).optional(),
    /** How, and path; a client's own tool names a skill by its name only. */
    skills: z.array(z.tuple([SkillNewsSchema, z.string()])).optional(),
  })
  .strict();

export type LoadedVersion = z.infer<typeof VersionSchema>;
export type LoadedSkill = z.infer<typeof LoadedSkillSchema>;
export type Ranges = z.infer<typeof RangesSchema>;
export type Delivery = z.infer<typeof DeliverySchema>;
export type Context = z.infer<typeof ContextSchema>;
export type Session = z.infer<typeof SessionSchema>;
export type Knowing = z.infer<typeof KnowingSchema>;
export type SkillNews = z.infer<typeof SkillNewsSchema>;
export type Evidence = z.infer<typeof EvidenceSchema>;
export type Ledger = z.infer<typeof LedgerSchema>;
