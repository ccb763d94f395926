import { z } from "zod";

/** Where a plugin can have a say. */
export const HookPointSchema = z.enum([
  "root:resolved",
  "agents:chain",
  "agents:pending",
  "skills:catalog",
  "skills:ranked",
  "reminder:before",
  "hook:event",
]);

export type HookPoint = z.infer<typeof HookPointSchema>;

/** One entry of `plugins` in a config file: a module or a program, and the hook points that concern it. */
export const PluginSchema = z
  .object({
    name: z
      .string()
      .max(64)
      .regex(/^[\w.-]+$/, "must be letters, digits, dots, hyphens and underscores")
      .optional()
      .describe("what it is called in reports (default: its file's name)"),
    path: z
      .string()
      .max(4096)
      .regex(/^[^\0]+\.[cm]?[jt]s$/, "must be the path of a JavaScript or TypeScript file")
      .optional()
      .describe("a module, from the config file's directory"),
    command: z
      .array(
        z
          .string()
          .min(1)
          .max(4096)
          .regex(/^[^\0]+$/),
      )
      .min(1)
      .max(64)
      .optional()
      .describe("a program and its arguments, run in the config file's directory"),
    hooks: z.array(HookPointSchema).min(1).describe("where it has a say; it is not started for anything else"),
  })
  .strict()
  .refine(({ path, command }) => (path === undefined) !== (command === undefined), {
    message: "must have either 'path' or 'command'",
  });

export type Plugin = z.infer<typeof PluginSchema>;
