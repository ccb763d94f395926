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
  /** Some skills are not shown. */
  readonly truncated: boolean;
  /** Where a limit ended the search. */
  readonly unsearched: readonly string[];
  /** Some descriptions are shortened. */
  readonly isShortened?: boolean;
  /** The directory of skills that are side by side is given once. */
  readonly isGrouped?: boolean;
  /** How a shell calls codelia, if not by its name. */
  readonly program?: string;
}

/** A sentence that names the program as a shell finds it. */
export function calling(program: string | undefined, sentence: string): string {
  return program === undefined ? sentence : sentence.replace("codelia skills", () => `${escapeText(program)} skills`);
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

const SHORTENED_RULE =
  "Descriptions are shortened here, or left out; codelia skills search &lt;query&gt; has them whole.";

export const GROUPS_RULE =
  "skill_list and skill_names give a directory once for several skills: each skill is in the directory of its name below it, or in the one that is named.";

const UNSEARCHED_RULE = "The search for skills reached its limit. There may be more, which it can't find, in or below";

/** Whether there may be more skills than the catalogue shows. */
export function isTruncated({ truncated, unsearched }: ShownCatalogue): boolean {
  return truncated || unsearched.length > 0;
}

/**
 * The skills of the initial context, without their texts; "" if there is nothing to tell.
 *
 * @param loaded paths of skills whose text the context had before it was compacted
 * @param unnamed how many more there are
 */
export function renderSkillsContext(catalogue: ShownCatalogue, loaded: readonly string[] = [], unnamed = 0): string {
  const { skills } = catalogue;
  const truncated = isTruncated(catalogue);
  if (skills.length === 0 && loaded.length + unnamed === 0 && !truncated) return "";
  const usage = framed("skills_usage", catalogueRules(catalogue));
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const catalog = framed("skills_catalog", entries, ` scope="initial" truncated="${truncated}"`);
  return framed("skills_context", usage + catalog + renderLoaded(loaded, unnamed, catalogue.program));
}

export function catalogueRules(catalogue: ShownCatalogue): string {
  const { truncated, unsearched, isShortened, isGrouped, program } = catalogue;
  const rules = [...RULES];
  if (isShortened === true) rules.push(SHORTENED_RULE);
  if (isGrouped === true) rules.push(GROUPS_RULE);
  if (truncated) rules.push(SEARCH_RULE);
  if (unsearched.length > 0) rules.push(`${UNSEARCHED_RULE} ${unsearched.map(escapeText).join(", ")}.`);
  return rules.map((rule) => `  <rule>${calling(program, rule)}</rule>\n`).join("");
}

export function renderLoaded(loaded: readonly string[], unnamed: number, program?: string): string {
  if (loaded.length + unnamed === 0) return "";
  const rest =
    unnamed === 0
      ? ""
      : calling(program, `${unnamed} of them are not named here: codelia skills search &lt;query&gt; finds each.\n`);
  const paths = loaded.map((path) => `  <path>${escapeText(path)}</path>\n`).join("");
  return framed("skills_loaded", LOADED + paths + rest);
}

export type ShownSkill = Pick<SkillMetadata, "name" | "description" | "path" | "scope">;

/** One skill as every listing shows it; `attributes` goes into its tag. */
export function renderSkillEntry({ name, description, path, scope }: ShownSkill, attributes = ""): string {
  return `  <skill${attributes}>
    <name>${escapeText(name)}</name>
    <description>${escapeText(inOneLine(description))}</description>
    <path>${escapeText(path)}</path>
    <scope>${scope}</scope>
  </skill>
`;
}

/** A description may be a block of several lines. */
export function inOneLine(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

/** The share of a list that each step keeps. */
const KEPT = 0.8;

/**
 * The skills to show at a start, then shorter and shorter versions down to the rules alone; each says what it leaves
 * out. Each step shortens the longer list: the catalogue, or the skills loaded before.
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
  return renderSkillsContext({ ...catalogue, skills, truncated }, loaded.slice(0, named), loaded.length - named);
}

export interface ShownList {
  readonly skills: readonly ShownSkill[];
  readonly errors: readonly SkillLoadError[];
  readonly warnings: readonly SkillLoadError[];
  readonly truncated: boolean;
}

/** Every skill, every broken one, and problems of skills that are listed anyway. */
export function renderSkillsList({ skills, errors, warnings, truncated }: ShownList): string {
  const problems = renderProblems("error", errors) + renderProblems("warning", warnings);
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  return framed("skills_list", entries + problems, ` count="${skills.length}" truncated="${truncated}"`);
}

/** Skills that share a name, when just one of them was requested. */
export function renderCandidates(name: string, candidates: readonly ShownSkill[], program?: string): string {
  const shown = candidates.slice(0, MAX_CANDIDATES);
  const more = candidates.length - shown.length;
  const how = calling(program, "Load the one that you mean by its path: codelia skills load &lt;path&gt;.");
  const lines = `Several skills have this name, and none was loaded. ${how}\n${more > 0 ? `${more} more are not shown.\n` : ""}`;
  const entries = shown.map((skill) => renderSkillEntry(skill)).join("");
  const attributes = ` name="${escapeAttribute(name)}" count="${candidates.length}"`;
  return framed("skill_candidates", lines + entries, attributes);
}

const MAX_CANDIDATES = 50;

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
  /** The SKILL.md, or the part of it that is shown. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  /** URL of its directory, with a slash at the end. */
  readonly baseUrl: string;
  readonly files: readonly string[];
  /** There are more files than `files` names. */
  readonly moreFiles: boolean;
}

/** A skill's text, with the base of its relative paths. */
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

/** Printed instead of the text if the context already has it. */
export function renderSkillReminder(
  skill: { readonly name: string; readonly path: string; readonly id: string },
  program?: string,
): string {
  const [name, path, ref] = [skill.name, skill.path, skill.id].map(escapeAttribute);
  const lines = `This skill was loaded into this context before and has not changed since: use the text you have.
If you do not have it, run: ${calling(program, "codelia skills load")} ${escapeText(quoteForShell(skill.path))} --again
`;
  return framed("skill_context_reminder", lines, ` name="${name}" path="${path}" ref="${ref}"`);
}

function renderFiles({ files, moreFiles }: LoadedSkill): string {
  const truncated = moreFiles ? ' truncated="true"' : "";
  const more = moreFiles ? `Not all files are listed, only ${files.length}; list the directory for the rest.\n` : "";
  const list = files.map((path) => `<file>${escapeText(path)}</file>\n`).join("");
  return framed("skill_files", list + more, truncated);
}

/** Printed instead of a skill's text if a rule forbids it. */
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
