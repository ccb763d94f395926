import { posix } from "node:path";

/** A file or a folder directly in src, or a folder in src/agent. */
export type Layer =
  | "main.ts"
  | "cli.ts"
  | "standard-input.ts"
  | "errors.ts"
  | "world.ts"
  | "command.ts"
  | "commands"
  | "schema"
  | "core"
  | "hosts"
  | "render"
  | "io"
  | "agent"
  | AgentLayer;
type AgentLayer = "agent/configuration" | "agent/execution" | "agent/judgement" | "agent/connection" | "agent/commands";

export interface Law {
  /** The layers it may import values from. */
  readonly layers?: readonly Layer[];
  /** Those of which only by `import()`. */
  readonly lazily?: readonly Layer[];
  readonly builtins?: true;
  readonly packages?: readonly string[] | "any but zod";
  readonly globals?: readonly string[];
  /** Files outside src whose data it may import. */
  readonly outside?: readonly string[];
  /** May import what is known only at run time. */
  readonly computed?: true;
}

/**
 * The table of DESIGN §8. Types may be imported from anywhere; this is about what is loaded at run time, so no
 * layer may import from world.ts and command.ts, which hold types only.
 */
export const LAWS: Readonly<Record<Layer, Law>> = {
  "main.ts": { layers: ["cli.ts", "errors.ts", "standard-input.ts", "render"], builtins: true, globals: ["process"] },
  "cli.ts": {
    layers: ["errors.ts", "core", "render", "commands", "agent/commands"],
    lazily: ["commands", "agent/commands"],
    packages: ["citty"],
    outside: ["package.json"],
  },
  "standard-input.ts": { builtins: true },
  "errors.ts": {},
  "world.ts": {},
  "command.ts": {},
  commands: { layers: ["core", "io", "render", "hosts", "commands", "agent/commands"], lazily: ["agent/commands"] },
  schema: { layers: ["schema"], packages: ["zod"] },
  core: { layers: ["core"], packages: ["unbash"] },
  hosts: { layers: ["core", "schema"] },
  render: { layers: ["render"] },
  io: {
    layers: ["schema", "core", "io", "errors.ts"],
    builtins: true,
    packages: "any but zod",
    outside: ["package.json"],
    computed: true,
  },
  agent: { layers: ["core", "io", "render", "schema", "agent", "errors.ts"], builtins: true },
  "agent/configuration": {
    layers: ["core", "io", "schema", "agent", "agent/judgement", "agent/configuration", "agent/connection"],
  },
  "agent/execution": {
    layers: ["core", "io", "render", "schema", "agent", "agent/execution", "agent/judgement", "agent/connection"],
    builtins: true,
  },
  "agent/judgement": { layers: ["core", "agent/judgement"] },
  "agent/commands": {
    layers: [
      "core",
      "io",
      "render",
      "schema",
      "commands",
      "agent",
      "agent/commands",
      "agent/configuration",
      "agent/execution",
      "agent/judgement",
      "agent/connection",
    ],
  },
  "agent/connection": { layers: ["core", "io", "schema", "agent", "agent/connection"], builtins: true },
};

export const MAX_LINES = 250;
export const BANNED_NAMES = /^(utils?|helpers?|index)\.ts$/;
export const PURE_BUILTINS: ReadonlySet<string> = new Set(["node:path", "node:path/posix"]);
/** The one package that many files share, all of them in src/schema. */
export const SHARED_PACKAGE = "zod";

export function layerOf(path: string): Layer | undefined {
  const inner = /^src\/(agent\/[^/]+)\/[^/]+\.ts$/.exec(path)?.[1];
  if (inner !== undefined) return Object.hasOwn(LAWS, inner) ? (inner as Layer) : undefined;
  const name = /^src\/([^/]+)/.exec(path)?.[1] ?? "";
  const isFile = posix.dirname(path) === "src";
  return Object.hasOwn(LAWS, name) && name.endsWith(".ts") === isFile ? (name as Layer) : undefined;
}
