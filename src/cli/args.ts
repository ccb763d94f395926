import type { ArgsDef } from "citty";
import type { Invocation, Problem } from "../command.ts";

// The flags that several verbs share, in groups. A verb takes those that change what it does, and no others.

/** Every verb. */
export const HELP_ARGS = {
  version: { type: "boolean", description: "show the version" },
  help: { type: "boolean", alias: "h", description: "show this help" },
} as const satisfies ArgsDef;

/** Verbs that print a result. */
export const OUTPUT_ARGS = {
  json: { type: "boolean", description: "print JSON" },
  quiet: { type: "boolean", description: "print no warnings" },
  ...HELP_ARGS,
} as const satisfies ArgsDef;

/** Verbs that work in a directory. */
export const PLACE_ARGS = {
  cwd: { type: "string", valueHint: "DIR", description: "work as if started in DIR" },
  root: { type: "string", valueHint: "DIR", description: "use DIR as the root instead of searching for markers" },
} as const satisfies ArgsDef;

/** Verbs whose answer depends on the context that asks. */
export const CONTEXT_ARGS = {
  session: { type: "string", valueHint: "ID", description: "act for this session" },
  agent: {
    type: "string",
    valueHint: "ID",
    description: "act for this sub-agent of the session; default its main context",
  },
} as const satisfies ArgsDef;

/** Verbs that read what a context was told, or record it. */
export const STATE_ARGS = {
  "no-state": { type: "boolean", description: "neither read nor record what was told" },
} as const satisfies ArgsDef;

/** All of them, for verbs that tell a context something once. */
export const COMMON_ARGS = { ...PLACE_ARGS, ...CONTEXT_ARGS, ...STATE_ARGS, ...OUTPUT_ARGS } as const satisfies ArgsDef;

export function textFlag(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Every value of a flag that may be repeated. */
export function textFlags({ flags, repeated }: Invocation, name: string): readonly string[] {
  const single = textFlag(flags[name]);
  return repeated?.[name] ?? (single === undefined ? [] : [single]);
}

export function usage(message: string): Problem {
  return { code: "usage", message };
}
