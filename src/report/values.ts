import type { Cell, Display } from "../cli/display.ts";
import { effectiveSettings, type Layer } from "../config/settings.ts";
import { visible } from "../lib/escape.ts";
import { valueAt } from "../lib/table.ts";
import { configuredPlugins } from "../plugins/configured.ts";
import { permissionRules } from "../skills/permissions.ts";
import type { Workspace } from "../workspace.ts";

export interface EffectiveValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

/** Each setting with the layer it comes from, then each permission rule, each setting of `check` and each plugin. */
export function effectiveValues(layers: readonly Layer[]): EffectiveValue[] {
  const settings = leaves(effectiveSettings(layers), []).map(({ path, value }) => {
    const key = path.join(".");
    return { key, value: value ?? null, source: sourceOf(layers, key, path) };
  });
  return [
    ...settings,
    ...permissionRules(layers).map(({ key, rule, source }) => ({ key, value: rule, source })),
    ...layers.flatMap(({ config, source }) =>
      leaves(config.check ?? {}, ["check"]).map(({ path, value }) => ({ key: path.join("."), value, source })),
    ),
    ...configuredPlugins(layers).map(({ key, entry, source }) => ({ key, value: entry, source })),
  ];
}

/** The config files that are entirely ignored. */
export function unusedConfigs({ layers, configProblems }: Workspace): string[] {
  return Object.keys(configProblems).filter((path) => !layers.some(({ source }) => source === path));
}

function sourceOf(layers: readonly Layer[], key: string, path: readonly string[]): string {
  const owners = layers.filter((layer) => valueAt(layer.config, ...path) !== undefined);
  // Each layer adds to the skills that others disable.
  if (key === "skills.disabled" && owners.length > 1) return owners.map(({ source }) => source).join(", ");
  return owners.at(-1)?.source ?? "default";
}

function leaves(value: unknown, path: readonly string[]): { path: readonly string[]; value: unknown }[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

export function renderValues(values: readonly EffectiveValue[]): string {
  const line = ({ key, value, source }: EffectiveValue) =>
    `${key} = ${visible(JSON.stringify(value) ?? "(none)")}  (${visible(source)})\n`;
  return values.map(line).join("");
}

/** For people: what was set, in bold and with its file, among the defaults. */
export function valueRow(display: Display, { key, value, source }: EffectiveValue): Cell[] {
  const isDefault = source === "default";
  return [
    { text: visible(key), mark: isDefault ? display.dim : display.bold },
    { text: visible(JSON.stringify(value) ?? "(none)"), ...(isDefault && { mark: display.dim }) },
    { text: isDefault ? "" : visible(source), mark: display.good },
  ];
}
