import { z } from "zod";
import { SystemReminderTypeSchema } from "../instructions/schema.ts";
import { SkillMetadataSchema, SkillSearchResultSchema } from "../skills/schema.ts";
import { ExtensionPointSchema, type ExtensionPoint } from "../config/schema.ts";

const FileSchema = z.strictObject({
  path: z.string().max(4096),
  mtimeMs: z.number().optional().describe("absent in a file that a plugin adds"),
  sizeBytes: z.number().optional().describe("absent in a file that a plugin adds"),
});

const RootResolvedSchema = z.strictObject({
  directory: z.string().max(4096).describe("absolute; another one that exists may be given back"),
  reason: z.enum(["flag", "environment", "config", "marker", "no-marker", "plugin"]),
});

const AgentsChainSchema = z.strictObject({
  targets: z.array(z.string()).describe("the directories that are asked about"),
  files: z
    .array(FileSchema)
    .max(10_000)
    .describe(
      "the instruction files that apply, root first; some may be left out, others added by their absolute path",
    ),
});

const AgentsPendingSchema = z.strictObject({
  tell: z.array(FileSchema).describe("what the context was not told yet; what is left out stays untold for now"),
  gone: z.array(z.string()).describe("what it was told and is no longer in force"),
});

const SkillsCatalogSchema = z.strictObject({
  skills: z
    .array(SkillMetadataSchema)
    .describe("every skill, the most significant first; some may be left out or moved"),
});

const SkillsRankedSchema = z.strictObject({
  query: z.string(),
  limit: z.number().int().positive().describe("how many are shown"),
  results: z
    .array(SkillSearchResultSchema)
    .describe("more than are shown, the best first; some may be left out, moved, or have another score"),
});

const ReminderBeforeSchema = z.strictObject({
  type: SystemReminderTypeSchema,
  text: z.string().max(65_536).regex(/\S/, "must not be blank").describe("as it will be printed"),
});

const ToolUseSchema = { tool: z.string(), input: z.unknown() };

const HookEventSchema = z.strictObject({
  client: z.string().optional().describe("always given; need not come back"),
  host: z.string().optional().describe("the older name of `client`"),
  name: z.string().describe("of the event, as the client calls it"),
  what: z
    .discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("begin"),
        inherits: z.boolean(),
        once: z.boolean().optional(),
        isApart: z.boolean().optional(),
      }),
      z.strictObject({ kind: z.literal("resume") }),
      z.strictObject({ kind: z.literal("forget") }),
      z.strictObject({ kind: z.literal("prompt"), text: z.string(), begins: z.boolean().optional() }),
      z.strictObject({ kind: z.literal("before-tool"), ...ToolUseSchema }),
      z.strictObject({ kind: z.literal("after-tool"), ...ToolUseSchema, answer: z.unknown().optional() }),
      z.strictObject({ kind: z.literal("tool"), ...ToolUseSchema, answer: z.unknown().optional() }),
      z.strictObject({ kind: z.literal("end-of-context") }),
      z.strictObject({ kind: z.literal("end-of-session") }),
    ])
    .describe("what it means; another text or input of the same kind may be given back"),
});

/** What each extension point gives a plugin and accepts from it. */
export const POINT_DATA = {
  "root:resolved": RootResolvedSchema,
  "agents:chain": AgentsChainSchema,
  "agents:pending": AgentsPendingSchema,
  "skills:catalog": SkillsCatalogSchema,
  "skills:ranked": SkillsRankedSchema,
  "reminder:before": ReminderBeforeSchema,
  "hook:event": HookEventSchema,
} as const satisfies Record<ExtensionPoint, z.ZodType>;

export type PointData = { [Point in ExtensionPoint]: z.infer<(typeof POINT_DATA)[Point]> };

/** The context of a request, besides the data. */
const PluginContextSchema = z.strictObject({
  plugin: z.string().describe("its own name"),
  cwd: z.string(),
  root: z.string(),
  session: z.string(),
  agent: z.string().describe("`main`, or a sub-agent's id"),
  ledger: z.string().describe("the file that says what was told and loaded here; it need not exist"),
});

/** What a program reads from standard input, as one line of JSON. */
export const PluginRequestSchema = z.strictObject({
  version: z.literal(1),
  hook: ExtensionPointSchema,
  context: PluginContextSchema,
  data: z.unknown().describe("as the schema of the extension point says"),
});

export type PluginRequest = z.infer<typeof PluginRequestSchema>;

/** `plugins/<hash>.json` in the user's state directory: statistics of one plugin's calls, by extension point. */
export const PluginTimesSchema = z.strictObject({
  version: z.literal(1),
  name: z.string(),
  source: z.string(),
  hooks: z.partialRecord(
    ExtensionPointSchema,
    z.strictObject({
      calls: z.number().int().nonnegative(),
      totalMs: z.number().nonnegative(),
      longestMs: z.number().nonnegative(),
      failures: z.number().int().nonnegative(),
      lastFailure: z.strictObject({ at: z.number(), reason: z.string() }).optional(),
    }),
  ),
});

export type PluginTimes = z.infer<typeof PluginTimesSchema>;
