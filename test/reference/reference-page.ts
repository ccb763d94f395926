import { EXIT, EXIT_OF_CODE, type ExitName } from "../../src/errors.ts";
import { RULES } from "../../src/check/rules.ts";
import { schemaText, SCHEMA_NAMES } from "../../src/commands/schema.ts";
import { EXIT_MEANINGS } from "./exit-meanings.ts";
import { COMMON_FLAGS, type DescribedCommand, type DescribedFlag } from "./commands.ts";
import { formatSections } from "./formats/sections.ts";
import { SCHEMA_SUBJECTS } from "./formats/schema-subjects.ts";
import { table } from "./markdown-table.ts";

/** docs/reference.md, from the definitions themselves. */
export function referencePage(commands: readonly DescribedCommand[]): string {
  const sections = [
    "# Reference\n\nGenerated from the program's own definitions by `npm run reference`; a test fails when they differ.",
    "## Commands",
    ...commands.map(commandSection),
    "## Common flags\n\nThey mean the same wherever they are taken; each command above names those it takes.",
    table(["flag", "for"], COMMON_FLAGS.map(flagRow)),
    '## Exit codes\n\nNever 2: clients read 2 as "block the tool".',
    table(
      ["code", "means"],
      (Object.keys(EXIT) as ExitName[]).map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]]),
    ),
    'Under `--json` an error is `{"error":{"code","message",…}}` on standard output, with one of these codes.',
    table(
      ["error", "exit code"],
      Object.entries(EXIT_OF_CODE).map(([code, name]) => [`\`${code}\``, String(EXIT[name])]),
    ),
    "## Configuration\n\nHow files are found and merged is in [configuration.md](configuration.md).",
    table(["key", "value", "for"], configRows(JSON.parse(schemaText("config") ?? "{}"), "")),
    "## Rules of the checks",
    table(
      ["rule", "severity", "finds"],
      RULES.map(({ id, severity, summary }) => [`[${id}](rules/${id}.md)`, severity, summary]),
    ),
    ...formatSections(commands),
    "## JSON Schemas\n\nPrinted by `codelia schema <name>`; in a release each has its own `$id`. They only grow: fields are added, none removed.",
    table(
      ["name", "describes"],
      SCHEMA_NAMES.map((name) => [`[${name}](schema/${name}.json)`, SCHEMA_SUBJECTS[name]]),
    ),
  ];
  return `${sections.join("\n\n")}\n`;
}

function commandSection({ words, description, operands, flags, common }: DescribedCommand): string {
  const shown = operands.map(({ name, isOptional }) => (isOptional ? ` [${name.toUpperCase()}]` : ` <${name}>`));
  const rows = [
    ...operands.map(({ name, summary }) => [`\`${name}\``, summary]),
    ...flags.filter(({ name }) => name !== "--help" && name !== "--version").map(flagRow),
  ];
  const parts = [
    `### codelia ${words}${shown.join("")}`,
    description,
    ...(rows.length > 0 ? [table(["argument", "for"], rows)] : []),
    ...commonLine(common),
  ];
  return parts.join("\n\n");
}

function commonLine(common: DescribedCommand["common"]): string[] {
  const names = common.filter(({ name }) => name !== "--help" && name !== "--version").map(({ name }) => `\`${name}\``);
  return names.length === 0 ? [] : [`[Common flags](#common-flags): ${names.join(", ")}.`];
}

function flagRow({ name, short, value, summary }: DescribedFlag): string[] {
  const names = [
    `\`${name}${value === undefined ? "" : ` ${value}`}\``,
    ...(short === undefined ? [] : [`\`${short}\``]),
  ];
  return [names.join(", "), summary];
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

function configRows({ properties = {} }: SchemaNode, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const key = `${prefix}${name}`;
    const isGroup = node.description === undefined && node.properties !== undefined;
    // The keys of a table without descriptions of their own are what its description says.
    const inside = configRows(node, `${key}.`).filter((row) => row.at(-1) !== "");
    return isGroup ? inside : [rowOf(key, node)].concat(inside);
  });
}

function rowOf(key: string, { type, enum: choices, items, description = "" }: SchemaNode): string[] {
  const value = choices?.map((choice) => `\`${JSON.stringify(choice)}\``).join(" or ");
  return [
    `\`${key}\``,
    value ?? (items === undefined ? (type ?? "") : `list of ${items.type ?? "values"}`),
    description,
  ];
}
