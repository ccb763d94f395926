import { decodeBody, defuse } from "../instructions/body.ts";
import { framed, SKILL_FOOTER } from "../instructions/elements.ts";
import type { ReminderElement } from "../instructions/tell.ts";
import { escapeText, escapeAttribute } from "../lib/escape.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import { withoutBom } from "../lib/text.ts";
import type { Refusal } from "./permissions.ts";
import type { SkillMetadata, SkillLoadError } from "./schema.ts";

export interface ShownCatalogue {
  readonly skills: readonly ShownSkill[];
  readonly truncated: boolean;
}

const RULES = [
  "Each skill below is a set of instructions for one kind of task. Only its name and description are given here, not its text.",
  "Load a skill before you begin a task that its description fits, or when the user names it (as $name): codelia skills load &lt;name&gt;. Where several have one name, load by path.",
  "Load a skill once; its text stays in the conversation. Load none that the task does not call for.",
  "Relative paths in a skill start from the base directory that comes with its text. Read its other files only when it tells you to.",
];

const LOADED =
  "These skills were loaded earlier in this session. When you need one whose text you no longer have, load it again by its path.\n";

const SEARCH_RULE =
  "This catalogue is truncated: there are more skills. Find them by what they are for: codelia skills search &lt;query&gt;.";

/**
 * The skills of the initial context, without their texts; "" if there is nothing to tell.
 *
 * @param loaded paths of skills whose text the context had before it was compacted
 * @param unnamed how many more there are
 */
export function renderSkillsContext(catalogue: ShownCatalogue, loaded: readonly string[] = [], unnamed = 0): string {
  const { skills, truncated } = catalogue;
  if (skills.length === 0 && loaded.length + unnamed === 0 && !truncated) return "";
  const rules = truncated ? [...RULES, SEARCH_RULE] : RULES;
  const usage = framed("skills_usage", rules.map((rule) => `  <rule>${rule}</rule>\n`).join(""));
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const catalog = framed("skills_catalog", entries, ` scope="initial" truncated="${truncated}"`);
  return framed("skills_context", usage + catalog + renderLoaded(loaded, unnamed));
}

function renderLoaded(loaded: readonly string[], unnamed: number): string {
  if (loaded.length + unnamed === 0) return "";
  const rest =
    unnamed === 0 ? "" : `${unnamed} of them are not named here: codelia skills search &lt;query&gt; finds each.\n`;
  const paths = loaded.map((path) => `  <path>${escapeText(path)}</path>\n`).join("");
  return framed("skills_loaded", LOADED + paths + rest);
}

export type ShownSkill = Pick<SkillMetadata, "name" | "description" | "path" | "scope">;

/** One skill as every listing shows it; `attributes` go into its tag. */
export function renderSkillEntry({ name, description, path, scope }: ShownSkill, attributes = ""): string {
  return `  <skill${attributes}>
    <name>${escapeText(name)}</name>
    <description>${escapeText(description)}</description>
    <path>${escapeText(path)}</path>
    <scope>${scope}</scope>
  </skill>
`;
}

/** The share of a list that each step keeps. */
const KEPT = 0.8;

/**
 * The skills of a start, then shorter and shorter versions down to the rules alone; each says what it leaves out. Each
 * step shortens the longer list: the catalogue, or the skills loaded before.
 */
export function* shorterCatalogues(catalogue: ShownCatalogue, loaded: readonly string[]): Generator<string> {
  let [shown, named] = [catalogue.skills.length, loaded.length];
  while (shown > 0 || named > 0) {
    yield renderShort(catalogue, loaded, shown, named);
    if (named > shown) named = Math.floor(named * KEPT);
    else shown = Math.floor(shown * KEPT);
  }
  yield leastCatalogue(catalogue, loaded);
}

/** The shortest version; "" if there are no skills. */
export function leastCatalogue(catalogue: ShownCatalogue, loaded: readonly string[]): string {
  return renderShort(catalogue, loaded, 0, 0);
}

function renderShort(catalogue: ShownCatalogue, loaded: readonly string[], shown: number, named: number): string {
  const skills = catalogue.skills.slice(0, shown);
  const truncated = catalogue.truncated || shown < catalogue.skills.length;
  return renderSkillsContext({ skills, truncated }, loaded.slice(0, named), loaded.length - named);
}

export interface ShownList {
  readonly skills: readonly ShownSkill[];
  readonly errors: readonly SkillLoadError[];
  readonly warnings: readonly SkillLoadError[];
  readonly truncated: boolean;
}

/** Every skill, every broken one, and what is wrong with skills that are listed all the same. */
export function renderSkillsList({ skills, errors, warnings, truncated }: ShownList): string {
  const problems = renderProblems("error", errors) + renderProblems("warning", warnings);
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  return framed("skills_list", entries + problems, ` count="${skills.length}" truncated="${truncated}"`);
}

export interface ShownSearch {
  readonly query: string;
  readonly results: readonly { readonly skill: ShownSkill; readonly score: number; readonly reason: string }[];
  readonly truncated: boolean;
}

export function renderSkillsSearch({ query, results, truncated }: ShownSearch): string {
  const entries = results.map(({ skill, score, reason }) =>
    renderSkillEntry(skill, ` score="${score}" reason="${reason}"`),
  );
  const attributes = ` query="${escapeAttribute(query)}" count="${results.length}" truncated="${truncated}"`;
  return framed("skills_search", entries.join(""), attributes);
}

function renderProblems(element: "error" | "warning", problems: readonly SkillLoadError[]): string {
  if (problems.length === 0) return "";
  const entries = problems.map(
    ({ path, message }) => `    <${element} path="${escapeAttribute(path)}">${escapeText(message)}</${element}>\n`,
  );
  return `  <${element}s>\n${entries.join("")}  </${element}s>\n`;
}

export interface LoadedSkill {
  readonly name: string;
  readonly path: string;
  /** The SKILL.md, or as much of it as is shown. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  /** URL of its directory, with a slash at the end. */
  readonly baseUrl: string;
  readonly files: readonly string[];
  /** There are more files than `files` names. */
  readonly moreFiles: boolean;
}

/** A skill's text with what its relative paths mean. */
export function renderSkillContext(skill: LoadedSkill): string {
  const body = defuse(withoutBom(decodeBody(skill.bytes)), "skill");
  const lineEnd = body === "" || body.endsWith("\n") ? "" : "\n";
  const cut =
    skill.bytes.length < skill.sizeBytes
      ? `[cut: ${skill.bytes.length} of ${skill.sizeBytes} bytes shown; read the file for the rest]\n`
      : "";
  const footer = `${SKILL_FOOTER} ${escapeText(skill.baseUrl)}
Relative paths in this skill are resolved from this directory.
${renderFiles(skill)}`;
  const attributes = ` name="${escapeAttribute(skill.name)}" path="${escapeAttribute(skill.path)}"`;
  return framed("skill_context", `${body}${lineEnd}${cut}\n${footer}`, attributes);
}

/** Printed in place of the text when the context has it already. */
export function renderSkillReminder(skill: {
  readonly name: string;
  readonly path: string;
  readonly id: string;
}): string {
  const [name, path, ref] = [skill.name, skill.path, skill.id].map(escapeAttribute);
  const lines = `This skill was loaded into this context before and has not changed since: use the text you have.
If you do not have it, run: codelia skills load ${escapeText(quoteForShell(skill.path))} --again
`;
  return framed("skill_context_reminder", lines, ` name="${name}" path="${path}" ref="${ref}"`);
}

function renderFiles({ files, moreFiles }: LoadedSkill): string {
  const truncated = moreFiles ? ' truncated="true"' : "";
  const more = moreFiles ? `Not all files are listed, only ${files.length}; list the directory for the rest.\n` : "";
  const list = files.map((path) => `<file>${escapeText(path)}</file>\n`).join("");
  return framed("skill_files", list + more, truncated);
}

/** Printed in place of a skill's text when a rule keeps it back. */
export function renderPermissionReminder(element: ReminderElement, { name, path, decision, rule }: Refusal): string {
  const lines = [
    "Permission decision for skill_load:",
    `- skill: ${escapeText(name)}`,
    `- decision: ${decision} (${escapeText(rule)})`,
  ];
  if (decision === "confirm") {
    lines.push(
      "Nothing was loaded: the user is asked first. To let it through, the user runs this at a terminal and answers 'a':",
      `codelia skills load ${escapeText(quoteForShell(path))}`,
    );
  }
  return framed(element, `${lines.join("\n")}\n`, ' type="permission.decision"');
}
