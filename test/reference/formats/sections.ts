import { schemaText } from "../../../src/commands/schema.ts";
import type { DescribedCommand } from "../commands.ts";
import { table } from "../markdown-table.ts";
import { FINDINGS_EXAMPLE, HOOK_EXAMPLE, JSON_EXAMPLE, LOG_EXAMPLE, PAGE_EXAMPLE, XML_EXAMPLE } from "./examples.ts";
import { FILES } from "./files.ts";
import { FINDING_FORMATS } from "./finding-formats.ts";
import { FRAMES, REMINDER_TYPES } from "./frames.ts";
import { hookAnswers, type ClientAnswers } from "./hook-answers.ts";
import { JSON_OUTPUTS, OTHER_FORMS, type JsonOutput } from "./json-outputs.ts";
import { RUN_EVENTS } from "./run-events.ts";

const clients = await hookAnswers();

/** The part of the reference on what comes out of the program. */
export function formatSections(commands: readonly DescribedCommand[]): string[] {
  return [
    "## Formats",
    "Data goes to standard output, everything else to standard error; with nothing to say, standard output is empty. You can rely on the names of elements, fields, types, rules and error codes, on exit codes, and on the fingerprint of a finding; tests hold them. Sentences, and what is printed for people, may be improved at any time.",
    ...findingsSections(commands),
    ...jsonSections(),
    ...xmlSections(),
    ...hookSections(),
    "### Files",
    table(
      ["file", "format", "written by"],
      FILES.map(({ file, format, by }) => [file, format, by]),
    ),
    PAGE_EXAMPLE,
    "### The log of a run\n\nA line of JSON for each event, with `time` (ISO 8601) and `event` before the fields of the event.",
    table(
      ["event", "fields", "means"],
      RUN_EVENTS.map(({ name, fields, means }) => [
        `\`${name}\``,
        fields.map((field) => `\`${field}\``).join(", "),
        means,
      ]),
    ),
    LOG_EXAMPLE,
  ];
}

function findingsSections(commands: readonly DescribedCommand[]): string[] {
  const having = commands.filter(({ flags }) => flags.some(({ value }) => value?.includes("sarif") === true));
  return [
    `### Findings\n\nOf ${having.map(({ words }) => `\`${words}\``).join(" and ")}, by \`--format\`; the default is \`text\`. The rules are [below](#rules-of-the-checks).`,
    table(
      ["`--format`", "for"],
      FINDING_FORMATS.map(({ name, means }) => [`\`${name}\``, means]),
    ),
    "A `fingerprint` identifies what was found, not its line, so it stays the same when lines move. Paths are absolute in `json`; in `text` they are relative to the working directory; in `github`, `sarif` and the page of `--summary` to the checkout (`GITHUB_WORKSPACE`) or the root; in a baseline to the root.",
    FINDINGS_EXAMPLE,
  ];
}

function jsonSections(): string[] {
  return [
    `### JSON\n\nWith \`--json\` a command prints one object on one line, even with nothing to say. Invisible characters are escaped (\`\\u202e\`). Names are in camelCase, except where the specification of skills says otherwise (\`skill_id\`, \`mtime_ms\`). \`host\` and \`hosts\` are older names for \`client\` and \`clients\`, and stay. A field with \`?\` is optional. A schema describes the whole object, and \`codelia schema NAME\` prints it.`,
    table(
      ["command", "prints", "schema"],
      Object.entries(JSON_OUTPUTS).map(([words, output]) => [
        `\`${words}\``,
        `\`{ ${fieldsOf(output).join(", ")} }\``,
        schemaCell(output),
      ]),
    ),
    `With a name, \`schema\` prints that schema; \`plugins run\` prints the module's answer; \`resume-diff\` and \`skills load\` print \`{}\` where the config switches their part off. Errors look the same everywhere and have one of [these codes](#exit-codes). Three commands have no \`--json\`: ${Object.entries(
      OTHER_FORMS,
    )
      .map(([words, form]) => `\`${words}\`, which ${form}`)
      .join("; ")}.`,
    JSON_EXAMPLE,
  ];
}

/** The names of an object's fields, those of a schema too. */
export function fieldsOf({ schema, fields = [] }: JsonOutput): readonly string[] {
  if (schema === undefined) return fields;
  const { properties, required = [] } = JSON.parse(schemaText(schema) ?? "{}");
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
}

function schemaCell({ schema, items = {} }: JsonOutput): string {
  const whole = schema === undefined ? [] : [linkTo(schema)];
  return [...whole, ...Object.entries(items).map(([field, name]) => `each of \`${field}\`: ${linkTo(name)}`)].join(
    ", ",
  );
}

function linkTo(schema: string): string {
  return `[${schema}](schema/${schema}.json)`;
}

function xmlSections(): string[] {
  return [
    "### XML\n\nThis is what a model reads. The envelope is well-formed: names, paths and descriptions are escaped. The text of an instruction file or a skill is verbatim, with two exceptions: in a tag that would open or close one of these elements `<` becomes `&lt;` (but not in a part such as `name` or `path`, which means nothing outside one), and a line that begins with `Instructions from:`, or in a skill with `Base directory:`, is indented by a space. Letter case and invisible characters in between make no difference. `init-context --as` prints none of these elements, but exactly what the client itself would give its model.",
    table(
      ["element", "printed by", "says", "elements in it"],
      Object.entries(FRAMES).map(([name, { by, says, inside }]) => [
        `\`${name}\``,
        by.map((words) => `\`${words}\``).join(", "),
        says,
        inside.map((element) => `\`${element}\``).join(", "),
      ]),
    ),
    "A reminder's `type`:",
    table(
      ["type", "says"],
      Object.entries(REMINDER_TYPES).map(([type, says]) => [`\`${type}\``, says]),
    ),
    XML_EXAMPLE,
  ];
}

function hookSections(): string[] {
  const kinds: [string, (answers: ClientAnswers) => string | undefined][] = [
    ["gives the model a text", ({ tells }) => tells],
    ["keeps a tool from running", ({ refuses }) => refuses],
    ["asks the user", ({ asks }) => asks],
    ["makes the model continue", ({ continues }) => continues],
  ];
  return [
    "### Answers of hooks\n\n`hook` prints one line of JSON in the client's own form, or nothing. It always exits with 0; if it is called wrongly, standard error says so. `EVENT` is the name of the event; `TEXT` is elements of the table above, or the reason.",
    table(
      ["answer", "clients", "JSON"],
      kinds.flatMap(([what, pick]) =>
        [...groupByAnswer(pick)].map(([json, names]) => [what, names.join(", "), `\`${json}\``]),
      ),
    ),
    HOOK_EXAMPLE,
  ];
}

/** The names of the clients that answer in the same way, by the answer. */
function groupByAnswer(pick: (answers: ClientAnswers) => string | undefined): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const answers of clients) {
    const json = pick(answers);
    if (json !== undefined) groups.set(json, [...(groups.get(json) ?? []), answers.client]);
  }
  return groups;
}
