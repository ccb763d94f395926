import { z } from "zod";
import { matchesPath } from "../lib/brace-glob.ts";
import { RULE_NAMES, type RuleName } from "./rule-names.ts";

/** The public schemas of the AGENTS hierarchy, version 1. Their shape is a contract: extend it, never change it. */
export const AgentsConfigSchema = z.strictObject({
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
});

export type AgentsConfig = z.infer<typeof AgentsConfigSchema>;

/** Where a plugin can take part. */
export const ExtensionPointSchema = z.enum([
  "root:resolved",
  "agents:chain",
  "agents:pending",
  "skills:catalog",
  "skills:ranked",
  "reminder:before",
  "hook:event",
]);

export type ExtensionPoint = z.infer<typeof ExtensionPointSchema>;

/** One entry of `plugins` in a config file: a module or a program, and its extension points. */
const PluginSchema = z
  .strictObject({
    name: z
      .string()
      .max(64)
      .regex(/^[\w.-]+$/, "must be letters, digits, dots, hyphens and underscores")
      .optional()
      .describe("its name in reports (default: the name of its file)"),
    path: z
      .string()
      .max(4096)
      .regex(/^[^\0]+\.[cm]?[jt]s$/, "must be the path of a JavaScript or TypeScript file")
      .optional()
      .describe("a module, relative to the config file's directory"),
    command: z
      .array(
        z
          .string()
          .min(1)
          .max(4096)
          .regex(/^[^\0]+$/, "must not hold a NUL character"),
      )
      .min(1)
      .max(64)
      .optional()
      .describe("a program and its arguments, run in the config file's directory"),
    hooks: z
      .array(ExtensionPointSchema)
      .min(1)
      .describe("the extension points it takes part in; it is not started for others"),
  })
  .refine(({ path, command }) => (path === undefined) !== (command === undefined), {
    message: "must have either 'path' or 'command'",
  });

export type Plugin = z.infer<typeof PluginSchema>;

/** The public schemas of skills, version 1. Their shape is a contract: extend it, never change it. */
export const SkillScopeSchema = z.enum(["repo", "user"]);

export type SkillScope = z.infer<typeof SkillScopeSchema>;

/** A file name without separators, and not `..`. */
const BareNameSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!\.{1,2}$)[^/\\\0]+$/, "must be a bare file name, without a directory");

/** A relative path that stays below where it starts. */
const InnerPathSchema = z.string().min(1).max(255).refine(isInnerPath, "must be a relative path without '..'");

function isInnerPath(path: string): boolean {
  const parts = path.replace(/\/$/, "").split("/");
  return !/[\\\0]/.test(path) && !path.startsWith("~") && parts.every((part) => !["", ".", ".."].includes(part));
}

const { enabled, root, initial, resolver } = AgentsConfigSchema.shape;

const rootKeys = root.unwrap().shape;

const initialKeys = initial.unwrap().shape;

const resolverKeys = resolver.unwrap().shape;

/** `AgentsConfigSchema` with our own keys. */
const ExtendedAgentsConfigSchema = AgentsConfigSchema.extend({
  enabled: enabled.describe("whether codelia names and prints instruction files (default true)"),
  root: root
    .unwrap()
    .extend({
      projectRootOverride: rootKeys.projectRootOverride.describe("the root, whatever the markers say (default none)"),
      markers: rootKeys.markers.describe(
        "names that mark a directory as a root; an empty list makes the working directory the root (default .codelia, .git, .jj)",
      ),
      stopAtFsRoot: rootKeys.stopAtFsRoot.describe(
        "search for markers up to the root of the file system; false stops at the home directory or a mount point (default true)",
      ),
    })
    .strict()
    .optional()
    .describe("where the hierarchy begins; only in the user's own config"),
  usage: z.boolean().optional().describe("whether to print the usage rules before the initial bundle (default true)"),
  fallbackFilenames: z
    .array(BareNameSchema)
    .max(16)
    .optional()
    .describe("file names to try where a directory has no AGENTS.md (default none)"),
  additionalFilenames: z
    .array(BareNameSchema)
    .max(16)
    .optional()
    .describe("file names to add after a directory's AGENTS.md (default none)"),
  ignore: z
    .array(BareNameSchema)
    .max(64)
    .optional()
    .describe("names of directories whose instruction files don't belong to the project (default node_modules)"),
  initial: initial
    .unwrap()
    .extend({
      maxFiles: initialKeys.maxFiles.describe("the most files in the initial bundle (default 64)"),
      maxBytes: initialKeys.maxBytes.describe("the most bytes in the initial bundle (default 262144)"),
      keep: z
        .enum(["root-first", "nearest-first"])
        .optional()
        .describe("which files to keep when not all fit (default root-first)"),
    })
    .strict()
    .optional()
    .describe("limits of the initial bundle (default 64 files, 262144 bytes, root-first)"),
  resolver: resolver
    .unwrap()
    .extend({
      enabled: resolverKeys.enabled.describe("whether resolve and hooks name files (default true)"),
      maxFilesPerResolve: resolverKeys.maxFilesPerResolve.describe(
        "the most files in one reminder; the rest stays pending (default 8)",
      ),
      delivery: z
        .enum(["paths", "escalate", "body"])
        .optional()
        .describe(
          "what a hook's reminder has: paths, the names of files; body, their text; escalate, their names, and the text when the model writes in their scope without having read them (default paths)",
        ),
      gate: z
        .enum(["off", "edit", "tell"])
        .optional()
        .describe(
          "which call a hook denies once: edit, the first edit in a scope whose files the model doesn't have yet; tell, one that brings files to a model that hears of them in no other way (default off)",
        ),
    })
    .strict()
    .optional()
    .describe("limits of one reminder (default 8 files), and how hooks deliver"),
}).strict();

/** A skill's name, as specified. */
const SkillNameSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be a skill's name: lower-case letters, digits and single hyphens");

const SkillsConfigSchema = z.strictObject({
  enabled: z.boolean().optional().describe("whether to list, find and load skills (default true)"),
  validation: z
    .enum(["strict", "lenient"])
    .optional()
    .describe("whether a skill must follow the specification or only be readable (default strict)"),
  disabled: z
    .array(z.string().min(1).max(64))
    .max(1000)
    .optional()
    .describe("names of skills to hide and not to load; a skill is disabled if any config file disables it"),
  directories: z
    .array(InnerPathSchema)
    .min(1)
    .max(16)
    .optional()
    .describe("where skills are, in each directory from the root down and in your home (default .agents/skills)"),
  initial: z
    .strictObject({
      maxEntries: z.number().int().positive().optional().describe("the most skills in the catalogue (default 200)"),
      maxBytes: z.number().int().positive().optional().describe("the most bytes in the catalogue (default 32768)"),
    })
    .optional()
    .describe("limits of the catalogue (default 200 entries, 32768 bytes)"),
  search: z
    .strictObject({
      defaultLimit: z.number().int().positive().optional().describe("how many results a search gives (default 8)"),
      maxLimit: z
        .number()
        .int()
        .positive()
        .optional()
        .describe("the most results that --limit may ask for (default 50)"),
    })
    .optional()
    .describe("limits of a search (default 8, at most 50)"),
  suggest: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("how many matching skills a hook suggests with a prompt (default 0)"),
});

/** A rule without a name or scope applies to every skill. */
const PermissionRuleSchema = z.strictObject({
  tool: z.literal("skill_load"),
  skill_name: SkillNameSchema.optional(),
  scope: SkillScopeSchema.optional(),
});

export type PermissionRule = z.infer<typeof PermissionRuleSchema>;

const PermissionRulesSchema = z.array(PermissionRuleSchema).max(1000).optional();

/** Deny rules win over allow rules, which win over confirm rules. Without a rule, loading is allowed. */
const PermissionsConfigSchema = z.strictObject({
  allow: PermissionRulesSchema.describe(
    "rules that override confirm; in a project's config only if the user trusts the project",
  ),
  deny: PermissionRulesSchema.describe("rules that forbid loading skills"),
  confirm: PermissionRulesSchema.describe("rules that ask the user before a skill is loaded"),
});

const RuleLevelSchema = z.enum(["off", "note", "warning", "error"]).optional();

const RuleLevelsSchema = z.strictObject(
  Object.fromEntries(RULE_NAMES.map((name) => [name, RuleLevelSchema])) as Record<RuleName, typeof RuleLevelSchema>,
);

/** A pattern for paths below the root. */
const FilePatternSchema = z
  .string()
  .min(1)
  .max(1024)
  .refine((pattern) => !pattern.startsWith("!") && matchesPath(pattern, "x") !== undefined, {
    message: "must be a pattern with '*', '?', '[…]', '{a,b}' and '**', without '!' and '(…)'",
  });

const CheckConfigSchema = z.strictObject({
  rules: RuleLevelsSchema.optional().describe(
    "by rule: off, note, warning or error (default: the severity on its page)",
  ),
  overrides: z
    .array(
      z.strictObject({
        files: FilePatternSchema.describe("a pattern for paths from the root; without a slash, a name anywhere"),
        rules: RuleLevelsSchema.describe("as check.rules, for these files"),
      }),
    )
    .max(100)
    .optional()
    .describe("severities for some files; where several match, the last one counts (default none)"),
  ignore: z
    .array(FilePatternSchema)
    .max(100)
    .optional()
    .describe("patterns for files and directories that are not checked (default none)"),
});

/** One config file, of the user or of the project. Data only. */
export const ConfigSchema = z.strictObject({
  $schema: z.string().optional().describe("where an editor finds the schema of this file; otherwise ignored"),
  agents: ExtendedAgentsConfigSchema.optional(),
  skills: SkillsConfigSchema.optional(),
  permissions: PermissionsConfigSchema.optional(),
  check: CheckConfigSchema.optional(),
  plugins: z
    .array(PluginSchema)
    .max(32)
    .optional()
    .describe("plugins to run at extension points; in a project's config only if the user trusts the project"),
});

export type Config = z.infer<typeof ConfigSchema>;
