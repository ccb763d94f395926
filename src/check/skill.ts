import { findInvisible } from "../lib/invisible.ts";
import { groupBy } from "../lib/sorting.ts";
import { frontMatterOf, keyOffset, type FrontMatter } from "../lib/markdown/front-matter.ts";
import type { PathMention } from "../lib/markdown/paths.ts";
import { textPositions, type Position } from "../lib/text-positions.ts";
import { keptFindings, type Finding } from "./findings.ts";
import { tagsBesideCode } from "./instruction-text.ts";
import { finding } from "./rules.ts";
import { firstSegment, SKILL_DIRECTORIES, MAX_REFERENCES } from "./skill-references.ts";

/** A path in the text of a skill, looked up. */
export interface SkillReference extends PathMention {
  readonly leadsTo: "something" | "nothing" | "outside";
  /** Its first directory exists. */
  readonly isRooted: boolean;
}

/** A symbolic link in a skill's directory whose target is not in it. */
export interface StrayLink {
  readonly path: string;
  readonly leadsTo: "nothing" | "outside";
}

/** What the rules need to know about a skill. */
export interface SkillFacts {
  readonly path: string;
  /** As loading prints it: cut if the file is too large. */
  readonly text: string;
  readonly textBytes: number;
  readonly sizeBytes: number;
  /** From its header; undefined if that can't be used. */
  readonly description: string | undefined;
  readonly references: readonly SkillReference[];
  readonly moreReferences: boolean;
  /** It has no other files. */
  readonly isAlone?: boolean;
  readonly moreFiles: boolean;
  readonly strayLinks: readonly StrayLink[];
  /** Not every link was examined. */
  readonly moreLinks: boolean;
}

/** The rules about a skill, except those about its header, which discovery checks. */
export function checkSkill(facts: SkillFacts): Finding[] {
  const parts = frontMatterOf(facts.text);
  const positionOf = textPositions(facts.text);
  // What a skill about skills names are examples.
  const isMeant = ({ kind }: SkillReference) =>
    kind === "link" || !isAboutSkills(facts.description ?? facts.text.slice(0, parts.headerEnd));
  const shown = exampleLinks(facts);
  return keptFindings([
    ...checkSize(facts),
    ...checkBody(facts, parts, positionOf),
    ...eachTarget(facts.references.filter((each) => isMeant(each) && !shown.has(each))).flatMap((reference) =>
      checkReference(facts.path, reference, isOfProject(facts, reference)),
    ),
    ...facts.strayLinks.map(strayLinkFinding),
    ...checkInvisible(facts, parts, positionOf),
    ...tagsBesideCode(facts.text).map(({ at, tag }) =>
      finding("skill-forged-tag", {
        path: facts.path,
        ...positionOf(at),
        message: `the tag '${tag}' is one of those that skills are printed in; loading shows its bracket as '&lt;'`,
        remedy: "write it without brackets",
      }),
    ),
    ...checkLimits(facts),
  ]);
}

function checkSize({ path, textBytes, sizeBytes, moreFiles }: SkillFacts): Finding[] {
  const found: Finding[] = [];
  if (sizeBytes > textBytes) {
    const message = `it is ${sizeBytes} bytes long; only the first ${textBytes} are loaded`;
    const remedy = "move parts of it to files of their own";
    found.push(finding("skill-too-large", { path, message, remedy, about: "size" }));
  }
  if (moreFiles) {
    const message = "its directory has more files than loading lists";
    const remedy = "name those that matter in its text";
    found.push(finding("skill-too-many-files", { path, message, remedy }));
  }
  return found;
}

function checkBody({ path, text }: SkillFacts, parts: FrontMatter, positionOf: (at: number) => Position): Finding[] {
  if (parts.bodyStart === 0 || text.slice(parts.bodyStart).trim() !== "") return [];
  const { line } = positionOf(parts.headerEnd);
  const message = "it has no text after its header";
  return [finding("skill-empty-body", { path, line, message, remedy: "write the instructions" })];
}

/** The first reference to each target. */
function eachTarget(references: readonly SkillReference[]): SkillReference[] {
  return [...groupBy(references, ({ path, kind }) => `${kind} ${path}`).values()].flatMap(([first]) => first ?? []);
}

/** Whether a path is part of a command and certainly no path of the skill: a shell starts in the project. */
function isOfProject({ isAlone, text }: SkillFacts, { at, path }: SkillReference): boolean {
  return text[at - 1] !== "`" && (isAlone === true || path.startsWith("./"));
}

/** So many links into directories that are not there are hardly all mistakes. */
const MANY_DEAD = 3;

/** Where a skill has no other files: links of a page that it shows how to write. */
function exampleLinks({ isAlone, references }: SkillFacts): ReadonlySet<SkillReference> {
  const dead = references.filter(({ kind, path: target, leadsTo, isRooted }) => {
    const first = firstSegment(target);
    const isInDirectory = first !== target && !first.startsWith(".") && !SKILL_DIRECTORIES.has(first);
    return kind === "link" && leadsTo === "nothing" && !isRooted && isInDirectory;
  });
  return new Set(isAlone === true && dead.length >= MANY_DEAD ? dead : []);
}

/** Whether a description is about writing skills. */
function isAboutSkills(description: string): boolean {
  return description.split(".").some((sentence) => /\bskills?\b/i.test(sentence) && MAKES.test(sentence));
}

const MAKES = /\b(?:creat|writ|author|develop|design|generat|improv|evaluat|updat|edit)/i;

/** `./CONTRIBUTING.md` */
const OF_PROJECTS =
  /^(?:\.\/)?(?:readme|changelog|contributing|code[-_]of[-_]conduct|licen[cs]e|security)(?:\.[a-z]{1,4})?$/i;

/** What an installer of skills leaves out. */
const NOT_COPIED = /(?:^|\/)(?:_[^/]*|metadata\.json)$/;

function checkReference(
  path: string,
  { path: target, kind, line, column, leadsTo, isRooted }: SkillReference,
  isOthers: boolean,
): Finding[] {
  const place = { path, line, column };
  if (leadsTo === "outside") {
    const message = `'${target}' leads outside the skill's directory`;
    return [finding("skill-link-outside", { ...place, message, remedy: "copy into the skill what it needs" })];
  }
  if (leadsTo === "something" || NOT_COPIED.test(target)) return [];
  const message = `'${target}' does not exist`;
  // In an example of a page, a link may lead anywhere, and to what is at the top of a project.
  if (kind === "link" && /^(?:[A-Z_]+|path|(?:[a-z]{1,20}-)?(?:url|link)|href|target|file(?:name)?)$/.test(target))
    return [];
  if (kind === "link" && OF_PROJECTS.test(target)) return [];
  if (kind === "link" && !isRooted && target.includes("/") && !/\.[a-z0-9]+$|\/$/i.test(target)) return [];
  if (kind !== "code") {
    return [finding("skill-missing-file", { ...place, message, remedy: "add the file or correct the link" })];
  }
  // Many paths in a text belong to another place than the skill.
  const isDeep = !/^(?:\.\/)*(?:references\/.*|[^/]+\/[^/]+)$/.test(target);
  if (!isRooted && (isDeep || isOthers || !SKILL_DIRECTORIES.has(firstSegment(target)))) return [];
  const remedy = "add the file or correct the path";
  return [finding("skill-missing-file", { ...place, severity: "warning", message, remedy })];
}

function strayLinkFinding({ path, leadsTo }: StrayLink): Finding {
  if (leadsTo === "outside") {
    const message = "it is a link that leads outside the skill's directory";
    return finding("skill-link-outside", { path, message, remedy: "put a copy in its place" });
  }
  const message = "it is a link that leads nowhere";
  return finding("skill-missing-file", { path, severity: "warning", message, remedy: "remove or correct it" });
}

function checkInvisible(facts: SkillFacts, parts: FrontMatter, positionOf: (at: number) => Position): Finding[] {
  const { path, text, description = "" } = facts;
  const lines = findInvisible(text);
  // YAML can write such a character as an escape, so that the file looks clean.
  const isInHeader = lines.some(({ at }) => at < parts.headerEnd);
  const [described] = isInHeader ? [] : findInvisible(description);
  const found = lines.map(({ at, codes }) => unseen(path, positionOf(at), "", codes));
  if (described === undefined) return found;
  const place = positionOf(keyOffset(text, parts, "description"));
  return [unseen(path, place, " in 'description'", described.codes), ...found];
}

function unseen(path: string, { line, column }: Position, where: string, codes: readonly string[]): Finding {
  const message = `invisible characters${where}: ${codes.join(", ")}`;
  return finding("skill-invisible-characters", {
    path,
    line,
    column,
    message,
    remedy: "remove them or write their names",
  });
}

function checkLimits({ path, moreReferences, moreLinks }: SkillFacts): Finding[] {
  const found: Finding[] = [];
  if (moreReferences) found.push(limit(path, `only its first ${MAX_REFERENCES} references are checked`));
  if (moreLinks) found.push(limit(path, "its directory has more files than are searched for links"));
  return found;
}

function limit(path: string, message: string): Finding {
  return finding("skill-limit", { path, message });
}
