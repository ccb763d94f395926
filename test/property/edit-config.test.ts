import { expect } from "bun:test";
import { stringify as stringifyToml } from "smol-toml";
import { array, asyncProperty, boolean, constantFrom, option, record, uniqueArray, type Arbitrary } from "fast-check";
import { stringify } from "yaml";
import type { ListEdit } from "../../src/lib/edit/plan.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { editConfigList } from "../../src/config/edit.ts";
import type { Config, PermissionRule } from "../../src/config/schema.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree } from "../support/temp-tree.ts";
import { testProperty } from "./fuzz.ts";

const maybe = <Value>(value: Arbitrary<Value>) => option(value, { nil: undefined, freq: 3 });
const NAMES = ["a", "b-c", "no", "x y", "# x", "[x]", "'", '"', "日本", ", x"];
const names = () => maybe(uniqueArray(constantFrom(...NAMES), { maxLength: 3 }));
const rules = () =>
  maybe(
    array(
      record({ tool: constantFrom("skill_load" as const), skill_name: maybe(constantFrom("a", "no")) }).map(
        (rule) => JSON.parse(JSON.stringify(rule)) as PermissionRule,
      ),
      { maxLength: 3 },
    ),
  );

function anyConfig(): Arbitrary<Config> {
  return record({
    agents: maybe(record({ ignore: names(), usage: maybe(boolean()) })),
    skills: maybe(record({ enabled: maybe(boolean()), disabled: names() })),
    permissions: maybe(record({ allow: rules(), deny: rules() })),
  }).map((config) => JSON.parse(JSON.stringify(config)));
}

function anyEdit(): Arbitrary<ListEdit> {
  return constantFrom<ListEdit>(
    ...NAMES.flatMap((name): ListEdit[] => [
      { path: ["skills", "disabled"], add: name },
      { path: ["skills", "disabled"], remove: name },
    ]),
    { path: ["permissions", "allow"], add: { tool: "skill_load", skill_name: "a" } },
    { path: ["permissions", "allow"], add: { tool: "skill_load" } },
    { path: ["permissions", "allow"], remove: { tool: "skill_load" } },
  );
}

type Writer = readonly [file: string, write: (config: Config) => string, comment: string];

const WRITERS: readonly Writer[] = [
  ["config.json", (config) => JSON.stringify(config), ""],
  ["config.jsonc", (config) => JSON.stringify(config, null, 3), "//"],
  ["config.jsonc", (config) => JSON.stringify(config, null, "\t").replaceAll(/([\]}"])(?=\n\s*[\]}])/g, "$1,"), "//"],
  ["config.yaml", (config) => stringify(config), "#"],
  ["config.yaml", (config) => stringify(config, { indent: 4, indentSeq: false }), "#"],
  ["config.yml", (config) => stringify(config, { collectionStyle: "flow", lineWidth: 30 }), "#"],
  ["config.toml", (config) => stringifyToml(config), "#"],
];

testProperty(
  "editConfigList() changes what it should and nothing else, however a file is written; every comment stays",
  asyncProperty(
    anyConfig(),
    anyEdit(),
    constantFrom(...WRITERS),
    constantFrom("\n", "\r\n"),
    constantFrom(" ", "\n", "\n      "),
    async (config, edit, [file, write, comment], lineBreak, gap) => {
      // Between brackets YAML has no comment at the beginning of a line.
      const before = file === "config.yml" && gap === "\n" ? "\n " : gap;
      const lines = write(config).split("\n");
      const commented = lines.map((line, index) =>
        comment === "" ? line : `${line}${before}${comment} ${index} is it`,
      );
      const text = commented.join("\n").replaceAll("\n", lineBreak);
      expect(await parseConfig(file, text)).toEqual({ kind: "config", config });

      using tree = tempTree({ [file]: text });
      const edited = await editConfigList(fakeWorld(), [tree.root], edit);
      const after = tree.read(file);
      if (edited.kind === "failed") {
        // Tables of TOML are for their author to take out.
        expect([file, edit.remove === undefined, after]).toEqual(["config.toml", false, text]);
        return;
      }
      expect(await parseConfig(file, after)).toEqual({ kind: "config", config: expectedOf(config, edit) });
      expect(after === text).toBe(edited.kind === "unchanged");
      const lost = commented.filter((_, index) => comment !== "" && !after.includes(`${comment} ${index} is it`));
      // An item takes with it what stands in its own lines.
      const isWithin = edit.remove !== undefined && (before === " " || typeof edit.remove !== "string");
      if (!isWithin) expect(lost).toEqual([]);
      if (lineBreak === "\r\n") expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    },
  ),
);

function expectedOf(config: Config, { path: [table = "", list = ""], add, remove }: ListEdit): Config {
  const tables = structuredClone(config) as Record<string, Record<string, unknown[]>>;
  const before = tables[table]?.[list];
  const isSame = (item: unknown, other: unknown) => JSON.stringify(item) === JSON.stringify(other);
  const kept = (before ?? []).filter((item) => remove === undefined || !isSame(item, remove));
  const after = add === undefined || kept.some((item) => isSame(item, add)) ? kept : [...kept, add];
  if (before === undefined && after.length === 0) return config;
  return { ...tables, [table]: { ...tables[table], [list]: after } };
}
