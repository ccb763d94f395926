import { findInvisible } from "../lib/invisible.ts";
import { textPositions, type Position } from "../lib/text-positions.ts";
import { BOM } from "../lib/text.ts";
import { keptFindings, type Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import { firstSegment, SKILL_DIRECTORIES, MAX_REFERENCES, type Reference } from "./skill-references.ts";

/** What a reference leads to, and whether its first directory is there at all. */
export interface JudgedReference extends Reference {
  readonly leadsTo: "something" | "nothing" | "outside";
  readonly isRooted: boolean;
}

/** A symbolic link in a skill's directory that leads to nothing of it. */
export interface StrayLink {
  readonly path: string;
  readonly leadsTo: "nothing" | "outside";
}

/** All that is known of a skill, wherever it was read. */
export interface SkillFacts {
  readonly path: string;
  /** As loading prints it: cut where the file is too large. */
  readonly text: string;
  readonly textBytes: number;
  readonly sizeBytes: number;
  /** As its header was read; undefined where that can't be used. */
  readonly description: string | undefined;
  readonly references: readonly JudgedReference[];
  readonly moreReferences: boolean;
  readonly moreFiles: boolean;
  /** Further files of the name that makes a directory a skill. */
  readonly nested: readonly string[];
  readonly strayLinks: readonly StrayLink[];
  /** Not every link was looked at. */
  readonly moreLinks: boolean;
  /** Tags of the elements that bodies are printed in. */
  readonly frameTags: readonly { readonly at: number; readonly tag: string }[];
}

/** What can be said of a skill beside its header, which discovery judges. */
export function checkSkill(facts: SkillFacts): Finding[] {
  const parts = skillParts(facts.text);
  const positionOf = textPositions(facts.text);
  return keptFindings([
    ...checkSize(facts),
    ...checkBody(facts, parts, positionOf),
    ...facts.references.flatMap((reference) => checkReference(facts.path, reference)),
    ...facts.strayLinks.map(strayLinkFinding),
    ...facts.nested.map(nestedFinding),
    ...checkInvisible(facts, parts, positionOf),
    ...facts.frameTags.map(({ at, tag }) =>
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
    found.push(
      finding("skill-too-large", {
        path,

        message,
        remedy: "move parts of it to files of their own",
        about: "size",
      }),
    );
  }
  if (moreFiles) {
    const message = "its directory holds more files than loading it lists";
    found.push(finding("skill-too-many-files", { path, message, remedy: "name those that matter in its text" }));
  }
  return found;
}

function checkBody({ path, text }: SkillFacts, parts: SkillParts, positionOf: (at: number) => Position): Finding[] {
  if (parts.bodyStart === 0 || text.slice(parts.bodyStart).trim() !== "") return [];
  const { line } = positionOf(parts.headerEnd);
  const message = "it says nothing after its header";
  return [finding("skill-empty-body", { path, line, message, remedy: "write what is to be done" })];
}

function checkReference(path: string, { target, kind, line, column, leadsTo, isRooted }: JudgedReference): Finding[] {
  const place = { path, line, column };
  if (leadsTo === "outside") {
    const message = `'${target}' leads outside the skill's directory`;
    return [finding("skill-link-outside", { ...place, message, remedy: "copy into the skill what it needs" })];
  }
  if (leadsTo === "something") return [];
  const message = `'${target}' is not there`;
  if (kind !== "code") {
    return [finding("skill-missing-file", { ...place, message, remedy: "add the file or correct the link" })];
  }
  // Many a path in a text is of another place than the skill.
  if (!isRooted && !SKILL_DIRECTORIES.has(firstSegment(target))) return [];
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

function nestedFinding(path: string): Finding {
  const message = "it belongs to the skill above it, and is no skill of its own";
  const remedy = "move its directory out of that skill, or link to it from beside the skill, if it should be one";
  return finding("skill-nested", { path, message, remedy });
}

function checkInvisible(facts: SkillFacts, parts: SkillParts, positionOf: (at: number) => Position): Finding[] {
  const { path, text, description = "" } = facts;
  const lines = findInvisible(text);
  // A header can name such a character by its number: the file looks clean, and what it says is not.
  const isInHeader = lines.some(({ at }) => at < parts.headerEnd);
  const [described] = isInHeader ? [] : findInvisible(description);
  const found = lines.map(({ at, codes }) => unseen(path, positionOf(at), "", codes));
  if (described === undefined) return found;
  const place = positionOf(keyOffset(text, parts, "description"));
  return [unseen(path, place, " in 'description'", described.codes), ...found];
}

function unseen(path: string, { line, column }: Position, where: string, codes: readonly string[]): Finding {
  const message = `characters that can't be seen${where}: ${codes.join(", ")}`;
  return finding("skill-invisible-characters", { path, line, column, message, remedy: "remove or spell them" });
}

function checkLimits({ path, moreReferences, moreLinks }: SkillFacts): Finding[] {
  const found: Finding[] = [];
  if (moreReferences) found.push(limit(path, `only its first ${MAX_REFERENCES} references are checked`));
  if (moreLinks) found.push(limit(path, "its directory holds more files than are looked through for links"));
  return found;
}

function limit(path: string, message: string): Finding {
  return finding("skill-limit", { path, message });
}

/** Where the parts of a SKILL.md are. */
export interface SkillParts {
  /** Offsets of the lines between the two `---`; both 0 where there is no complete header. */
  readonly headerStart: number;
  readonly headerEnd: number;
  /** Offset of what follows the header. */
  readonly bodyStart: number;
}

const NO_HEADER: SkillParts = { headerStart: 0, headerEnd: 0, bodyStart: 0 };

export function skillParts(text: string): SkillParts {
  const headerStart = lineEnd(text, 0);
  if (!isMark(text, text.startsWith(BOM) ? 1 : 0, headerStart)) return NO_HEADER;
  for (let start = headerStart; start < text.length;) {
    const end = lineEnd(text, start);
    if (isMark(text, start, end)) return { headerStart, headerEnd: start, bodyStart: end };
    start = end;
  }
  return NO_HEADER;
}

/** The offset of the line with a top-level key of the header; 0 where there is none. */
export function keyOffset(text: string, { headerStart, headerEnd }: SkillParts, key: string): number {
  for (let start = headerStart; start < headerEnd; start = lineEnd(text, start)) {
    const line = text.slice(start, Math.min(start + key.length + 8, headerEnd));
    const bare = line.replace(/^["']/, "");
    if (bare.startsWith(key) && /^["']?[ \t]*:/.test(bare.slice(key.length))) return start;
  }
  return 0;
}

/** The offset after the line's end. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end + 1;
}

function isMark(text: string, start: number, end: number): boolean {
  if (!text.startsWith("---", start)) return false;
  for (let at = start + 3; at < end; at++) if (!" \t\r\n".includes(text[at] as string)) return false;
  return true;
}
