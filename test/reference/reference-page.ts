import { EXIT, EXIT_OF_CODE, type ExitName } from "../../src/errors.ts";
import { RULES } from "../../src/core/rules.ts";
import { printJsonSchema, schemaNames } from "../../src/io/json-schema.ts";
import { EXIT_MEANINGS } from "./exit-meanings.ts";
import { COMMON_FLAGS, type DescribedCommand, type DescribedFlag } from "./commands.ts";

/** docs/reference.md, from the definitions themselves. */
export function referencePage(commands: readonly DescribedCommand[]): string {
  const sections = [
    "# Reference\n\nMade from the program's own definitions by `npm run reference`; a test fails when they differ.",
    "## Commands",
    ...commands.map(commandSection),
    "## Common flags\n\nOf every command that works in a directory.",
    table(["flag", "for"], COMMON_FLAGS.map(flagRow)),
    '## Exit codes\n\nNever 2: hosts read 2 as "block the tool".',
    table(
      ["code", "means"],
      (Object.keys(EXIT) as ExitName[]).map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]]),
    ),
    'Under `--json` an error is `{"error":{"code","message",…}}` on standard output, with one of these codes.',
    table(
      ["error", "exit code"],
      Object.entries(EXIT_OF_CODE).map(([code, name]) => [`\`${code}\``, String(EXIT[name])]),
    ),
    "## Configuration\n\nWhat the keys are for, and how files are found and joined, is in [configuration.md](configuration.md).",
    table(["key", "value", "for"], configRows(JSON.parse(printJsonSchema("config") ?? "{}"), "")),
    "## Rules of the checks",
    table(
      ["rule", "severity", "finds"],
      RULES.map(({ id, severity, summary }) => [`[${id}](rules/${id}.md)`, severity, summary]),
    ),
    "## JSON Schemas",
    `Printed by \`codelia schema <name>\`: ${schemaNames()
      .map((name) => `[${name}](schema/${name}.json)`)
      .join(", ")}.`,
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
  if (names.length === 0) return [];
  if (common.length === COMMON_FLAGS.length) return ["And the [common flags](#common-flags)."];
  return [`And of the [common flags](#common-flags): ${names.join(", ")}.`];
}

function flagRow({ name, value, summary }: DescribedFlag): string[] {
  return [`\`${name}${value === undefined ? "" : ` ${value}`}\``, summary];
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
    const inside = configRows(node, `${key}.`);
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("<", "&lt;")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? "").length)));
  const lines = cells.map(
    (row) => `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
