import type { Config } from "./config.ts";

/** What a project's config asks for, one by one, by the keys under which its author finds them. */
export function askedValues(asked: Config | undefined): { readonly key: string; readonly value: unknown }[] {
  const rules = asked?.permissions?.allow ?? [];
  const plugins = asked?.plugins ?? [];
  return [
    ...rules.map((value, index) => ({ key: `permissions.allow[${index}]`, value })),
    ...plugins.map((value, index) => ({ key: `plugins[${index}]`, value })),
  ];
}
