import { posix } from "node:path";
import { valueAt } from "../lib/table.ts";
import type { Config, Plugin } from "./schema.ts";

/** The highest values in a project's own config: a clone must not cause unlimited work. */
const CEILINGS: readonly [readonly string[], number][] = [
  [["agents", "initial", "maxFiles"], 1_000],
  [["agents", "initial", "maxBytes"], 1024 * 1024],
  [["agents", "resolver", "maxFilesPerResolve"], 100],
  [["skills", "initial", "maxEntries"], 2_000],
  [["skills", "initial", "maxBytes"], 1024 * 1024],
  [["skills", "search", "defaultLimit"], 200],
  [["skills", "search", "maxLimit"], 200],
  [["skills", "suggest"], 10],
];

const NAME_LISTS = ["fallbackFilenames", "additionalFilenames"] as const;

interface RestrictedLayer {
  readonly config: Config;
  /** A sentence for each thing that is ignored. */
  readonly refused: readonly string[];
  /** What counts only if the user trusts the project; undefined if there is nothing of that kind. */
  readonly asked: Config | undefined;
}

/** A project's config without what only the user may decide. */
export function restrictProjectLayer(config: Config): RestrictedLayer {
  const refused: string[] = [];
  const kept = structuredClone(config);
  let asked: Config | undefined;
  if (kept.agents?.root !== undefined) {
    delete kept.agents.root;
    refused.push("'agents.root' is ignored in a project's own config: the root decides which project that is");
  }
  if (kept.permissions?.allow !== undefined) {
    if (kept.permissions.allow.length > 0) asked = { permissions: { allow: kept.permissions.allow } };
    delete kept.permissions.allow;
  }
  if (kept.plugins !== undefined) {
    const plugins = acceptPlugins(kept.plugins, refused);
    if (plugins.length > 0) asked = { ...asked, plugins };
    delete kept.plugins;
  }
  for (const list of NAME_LISTS) {
    const names = kept.agents?.[list];
    if (kept.agents === undefined || names === undefined) continue;
    const foreign = names.filter((name) => !name.endsWith(".md"));
    if (foreign.length === 0) continue;
    kept.agents[list] = names.filter((name) => name.endsWith(".md"));
    const quoted = foreign.map((name) => `'${name}'`).join(", ");
    refused.push(`'agents.${list}' may name only *.md files in a project's own config; ignored: ${quoted}`);
  }
  for (const [path, ceiling] of CEILINGS) {
    const table = valueAt(kept, ...path.slice(0, -1)) as Record<string, number> | undefined;
    const key = path.at(-1) as string;
    const value = table?.[key];
    if (table === undefined || value === undefined || value <= ceiling) continue;
    table[key] = ceiling;
    refused.push(`'${path.join(".")}' is ${value}, and at most ${ceiling} in a project's own config`);
  }
  return { config: kept, refused, asked };
}

/** A project's config together with what it asks for, once the user has agreed. */
export function grantAsked(config: Config, asked: Config): Config {
  const { permissions, plugins } = asked;
  return {
    ...config,
    ...(permissions === undefined ? {} : { permissions: { ...config.permissions, ...permissions } }),
    ...(plugins === undefined ? {} : { plugins }),
  };
}

/** The keys of what a project asks for, in the order of the file. */
export function askedKeys(asked: Config): string {
  const keys: string[] = [];
  if (asked.permissions !== undefined) keys.push("'permissions.allow'");
  if (asked.plugins !== undefined) keys.push("'plugins'");
  return keys.join(" and ");
}

/** A project's plugins must be inside it and can't decide its root. If one of them is outside, none counts. */
function acceptPlugins(plugins: readonly Plugin[], refused: string[]): Plugin[] {
  const outside = plugins.findIndex((plugin) => projectFile(plugin) === undefined);
  if (outside >= 0) {
    const what = plugins[outside]?.path === undefined ? "command' must begin with" : "path' must be";
    refused.push(
      `'plugins[${outside}].${what} the path of a file inside the project; until this is fixed, no plugin of the project counts`,
    );
    return [];
  }
  if (plugins.some(({ hooks }) => hooks.includes("root:resolved"))) {
    refused.push("'root:resolved' is ignored in a project's own config: the root decides which project that is");
  }
  return plugins.map((plugin) => ({ ...plugin, hooks: plugin.hooks.filter((hook) => hook !== "root:resolved") }));
}

/** The file of a plugin in a project's config, from the root and with slashes; undefined if it is outside. */
export function projectFile({ path, command }: Plugin): string | undefined {
  const named = path ?? command?.[0] ?? "";
  // A bare name would be looked up on the user's PATH.
  if (command !== undefined && !named.includes("/")) return undefined;
  if (posix.isAbsolute(named) || /^[A-Za-z]:|\\/.test(named)) return undefined;
  const file = posix.normalize(`.codelia/${named}`);
  return file === "." || file === ".." || file.startsWith("../") || file.endsWith("/") ? undefined : file;
}

/** Each thing that a project's config asks for, by its key in the file. */
export function askedValues(asked: Config | undefined): { readonly key: string; readonly value: unknown }[] {
  const rules = asked?.permissions?.allow ?? [];
  const plugins = asked?.plugins ?? [];
  return [
    ...rules.map((value, index) => ({ key: `permissions.allow[${index}]`, value })),
    ...plugins.map((value, index) => ({ key: `plugins[${index}]`, value })),
  ];
}
