import { EXIT, type ExitName } from "../../src/errors.ts";
import { EXIT_MEANINGS } from "./exit-meanings.ts";
import { FINDING_FORMATS } from "./formats/finding-formats.ts";
import { FRAMES, REMINDER_TYPES } from "./formats/frames.ts";
import { JSON_OUTPUTS, type JsonOutput } from "./formats/json-outputs.ts";
import { fieldsOf } from "./formats/sections.ts";
import { COMMON_FLAGS, type DescribedCommand, type DescribedFlag } from "./commands.ts";

/** The manual's pages by file name, from the definitions themselves: one of the program, one for each command. */
export function manPages(description: string, commands: readonly DescribedCommand[]): [name: string, text: string][] {
  return [
    ["codelia.1", programPage(description, commands)],
    ...commands.map((command): [string, string] => [`${pageName(command)}.1`, commandPage(command)]),
  ];
}

function pageName({ words }: DescribedCommand): string {
  return `codelia-${words.replaceAll(" ", "-")}`;
}

function commandPage(command: DescribedCommand): string {
  const { words, description, operands, flags, common, example } = command;
  const usage = operands.map(({ name, isOptional }) => (isOptional ? `[\\fI${name}\\fR]` : `\\fI${name}\\fR`));
  const lines = [
    `.TH ${pageName(command).toUpperCase()} 1 "" "codelia" "User Commands"`,
    ".SH NAME",
    `${escape(pageName(command))} \\- ${escape(withoutStop(description))}`,
    ".SH SYNOPSIS",
    [`\\fBcodelia ${escape(words)}\\fR`, "[\\fIflags\\fR]", ...usage].join(" "),
    ...(operands.length === 0 ? [] : [".SH ARGUMENTS"]),
    ...operands.flatMap(({ name, summary }) => [".TP", `\\fI${escape(name)}\\fR`, escape(summary)]),
    ".SH FLAGS",
    ...[...flags, ...common.filter(({ name }) => !flags.some((own) => own.name === name))].flatMap(flagLines),
    ".SH EXAMPLE",
    escape(example),
    ".SH EXIT STATUS",
    ...exitLines(),
    ".SH SEE ALSO",
    ".BR codelia (1)",
  ];
  return `${lines.join("\n")}\n`;
}

function exitLines(): string[] {
  return (Object.keys(EXIT) as ExitName[]).flatMap((name) => [".TP", `.B ${EXIT[name]}`, escape(EXIT_MEANINGS[name])]);
}

/** The description begins with a capital and ends in a full stop, which the name of a page does not. */
function withoutStop(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, "");
}

function programPage(description: string, commands: readonly DescribedCommand[]): string {
  const lines = [
    '.TH CODELIA 1 "" "codelia" "User Commands"',
    ".SH NAME",
    `codelia \\- ${escape(description)}`,
    ".SH SYNOPSIS",
    ".B codelia",
    ".I command",
    "[\\fIarguments\\fR]",
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH COMMON FLAGS",
    ...COMMON_FLAGS.flatMap(flagLines),
    ".SH EXIT STATUS",
    ...exitLines(),
    ".SH FORMATS",
    "Findings, by \\fB\\-\\-format\\fR:",
    ...FINDING_FORMATS.flatMap(({ name, means }) => entry(name, plain(means))),
    ".PP",
    "What \\fB\\-\\-json\\fR prints, an object; \\fBcodelia schema\\fR prints the schemas:",
    ...Object.entries(JSON_OUTPUTS).flatMap(([words, output]) => entry(words, jsonText(output))),
    ".PP",
    "The elements of the XML that a model reads:",
    ...Object.entries(FRAMES).flatMap(([name, { says }]) => entry(name, plain(says))),
    ".PP",
    "The types of a reminder:",
    ...Object.entries(REMINDER_TYPES).flatMap(([type, says]) => entry(type, plain(says))),
    ".SH FILES",
    ...entry("~/.codelia/config.*", "the user's configuration"),
    ...entry("<root>/.codelia/config.*", "a project's configuration"),
    ...entry("<root>/.codelia/session.json", "what each context of each session was told"),
    ".SH ENVIRONMENT",
    ...entry("CODELIA_HOME", "used instead of ~/.codelia"),
    ...entry("CODELIA_SESSION_ID", "the session to act for"),
    ...entry("CODELIA_AGENTS_ROOT", "the root, instead of searching for markers"),
    ...entry("CODELIA_AGENTS_MARKERS", "names that mark a root, separated by commas"),
    ...entry("CODELIA_DISABLE", "1 silences every hook"),
    ...entry("CODELIA_TRACE", "1 traces to standard error, an absolute path to that file"),
    ".SH SEE ALSO",
    ...commands.map(
      (command, index) => `.BR ${escape(pageName(command))} (1)${index < commands.length - 1 ? "," : ""}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function commandLines({ words, description, operands, flags }: DescribedCommand): string[] {
  const shown = operands.map(({ name, isOptional }) => (isOptional ? `[\\fI${name}\\fR]` : `\\fI${name}\\fR`));
  const own = flags.filter(({ name }) => name !== "--help" && name !== "--version");
  return [
    ".TP",
    [`\\fBcodelia ${escape(words)}\\fR`, ...shown].join(" "),
    escape(description),
    ...(own.length === 0 ? [] : [".RS", ...own.flatMap(flagLines), ".RE"]),
  ];
}

function flagLines({ name, short, value, summary }: DescribedFlag): string[] {
  const names = short === undefined ? escape(name) : `${escape(short)}\\fR, \\fB${escape(name)}`;
  return [".TP", `\\fB${names}\\fR${value === undefined ? "" : ` \\fI${escape(value)}\\fR`}`, escape(summary)];
}

function jsonText(output: JsonOutput): string {
  const named = [
    output.schema ?? [],
    Object.entries(output.items ?? {}).map(([field, name]) => `each of ${field}: ${name}`),
  ];
  const schemas = named.flat().join(", ");
  return `{ ${fieldsOf(output).join(", ")} }${schemas === "" ? "" : ` (${schemas})`}`;
}

/** Without what marks code in Markdown. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

function entry(name: string, summary: string): string[] {
  return [".TP", `.B ${escape(name)}`, escape(summary)];
}

/** A line that begins with a dot or a quote would be an instruction; a plain terminal has no dots in one. */
function escape(text: string): string {
  return text
    .replaceAll("…", "...")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&");
}
