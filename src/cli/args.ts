import { CodeliaError } from "../errors.ts";
import { isPattern } from "../lib/paths.ts";
import type { Expanded } from "../lib/expand-patterns.ts";
import type { ArgsDef } from "citty";
import type { Invocation, Problem } from "../command.ts";

// Groups of flags that several verbs share. A verb takes only those that have an effect on it.

/** Every verb. */
export const HELP_ARGS = {
  version: { type: "boolean", description: "show the version" },
  help: { type: "boolean", alias: "h", description: "show this help" },
} as const satisfies ArgsDef;

/** Verbs that print a result. */
export const OUTPUT_ARGS = {
  json: { type: "boolean", description: "print JSON" },
  quiet: { type: "boolean", alias: "q", description: "print no warnings" },
  ...HELP_ARGS,
} as const satisfies ArgsDef;

/** Verbs that print a table for people at a terminal, and XML elsewhere. */
export const XML_ARGS = {
  format: {
    type: "enum",
    options: ["xml", "json"],
    description: "how to print the answer; default at a terminal a table, elsewhere XML",
  },
} as const satisfies ArgsDef;

/** Verbs that print a table for people at a terminal, and plain lines elsewhere. */
export const TEXT_ARGS = {
  format: {
    type: "enum",
    options: ["text", "json"],
    description: "how to print the answer; default at a terminal in columns and colours, elsewhere text",
  },
} as const satisfies ArgsDef;

/** Verbs that work in a directory. */
export const PLACE_ARGS = {
  cwd: { type: "string", alias: "C", valueHint: "DIR", description: "work as if started in DIR" },
  root: { type: "string", valueHint: "DIR", description: "use DIR as the root instead of searching for markers" },
} as const satisfies ArgsDef;

/** Verbs whose answer depends on the context. */
export const CONTEXT_ARGS = {
  session: { type: "string", valueHint: "ID", description: "act for this session" },
  agent: {
    type: "string",
    valueHint: "ID",
    description: "act for this sub-agent of the session; default its main context",
  },
} as const satisfies ArgsDef;

/** Verbs that read or record what a context was told. */
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

/** Whether the flags of a verb with `--format` ask for JSON. */
export function wantsJson(flags: FlagValues): boolean {
  const format = flags["format"];
  if (flags["json"] === true && format !== undefined && format !== "json") {
    throw new CodeliaError("usage", `'--json' contradicts '--format ${String(format)}'`);
  }
  return flags["json"] === true || format === "json";
}

export function usage(message: string): Problem {
  return { code: "usage", message };
}

export function notFound(message: string): Problem {
  return { code: "not_found", message };
}

/**
 * Parses a command's arguments strictly, by its citty definition. citty's own parser accepts unknown flags and takes
 * half of a hook call's time budget to import, so citty only renders the help. A property test compares the two parsers
 * on valid command lines.
 */
export interface FlagDefinition {
  readonly type?: "boolean" | "string" | "enum" | "positional" | undefined;
  readonly alias?: string | string[];
  readonly options?: string[];
  readonly required?: boolean;
  /** In brackets if the value may be omitted, which makes it "". */
  readonly valueHint?: string;
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

export type ParsedFlags =
  | {
      kind: "ok";
      flags: FlagValues;
      operands: readonly string[];
      /** Every value of a flag that is given more than once; `flags` has the last. */
      repeated?: Readonly<Record<string, readonly string[]>>;
    }
  | { kind: "unknown_flag"; flag: string }
  | { kind: "missing_value"; flag: string }
  | { kind: "unexpected_value"; flag: string }
  | { kind: "bad_choice"; flag: string; value: string; choices: readonly string[] };

export function parseFlags(
  argv: readonly string[],
  definitions: Readonly<Record<string, FlagDefinition>>,
): ParsedFlags {
  const flags: Record<string, string | boolean> = Object.create(null);
  const operands: string[] = [];
  let repeated: Record<string, string[]> | undefined;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "--") {
      operands.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const given = equals < 0 ? word : word.slice(0, equals);
    const name = findFlag(given, definitions);
    const definition = name === undefined ? undefined : definitions[name];
    if (name === undefined || definition === undefined) return { kind: "unknown_flag", flag: given };
    if (definition.type === "boolean") {
      if (equals >= 0) return { kind: "unexpected_value", flag: given };
      flags[name] = true;
      continue;
    }
    let value = equals >= 0 ? word.slice(equals + 1) : argv[index + 1];
    if (definition.valueHint?.startsWith("[") && equals < 0 && (value === undefined || value.startsWith("-")))
      value = "";
    else if (equals < 0) index++;
    // An empty identifier is usually a variable that was not set.
    if (value === undefined || (value === "" && definition.valueHint === "ID")) {
      return { kind: "missing_value", flag: given };
    }
    if (definition.type === "enum" && !(definition.options ?? []).includes(value)) {
      return { kind: "bad_choice", flag: given, value, choices: definition.options ?? [] };
    }
    const before = flags[name];
    if (before !== undefined) {
      repeated ??= Object.create(null) as Record<string, string[]>;
      (repeated[name] ??= [String(before)]).push(value);
    }
    flags[name] = value;
  }
  return repeated === undefined ? { kind: "ok", flags, operands } : { kind: "ok", flags, operands, repeated };
}

/** The name of the flag in a word, without a value: `--cwd`, `-C`. */
export function findFlag(given: string, definitions: Readonly<Record<string, FlagDefinition>>): string | undefined {
  if (given.startsWith("--")) {
    const name = given.slice(2);
    return Object.hasOwn(definitions, name) && definitions[name]?.type !== "positional" ? name : undefined;
  }
  const letter = given.slice(1);
  return Object.keys(definitions).find((name) => [definitions[name]?.alias ?? []].flat().includes(letter));
}

/** The names a user may type, for suggestions. */
export function flagNames(definitions: Readonly<Record<string, FlagDefinition>>): string[] {
  return Object.keys(definitions)
    .filter((name) => definitions[name]?.type !== "positional")
    .map((name) => `--${name}`);
}

/** The paths that a user typed, with patterns replaced by what they match. */
export async function expandOperands(cwd: string, words: readonly string[]): Promise<Expanded> {
  for (const word of words) {
    if (!isPattern(word)) continue;
    const { expandPatterns } = await import("../lib/expand-patterns.ts");
    return expandPatterns(cwd, words);
  }
  return { kind: "paths", paths: words };
}
