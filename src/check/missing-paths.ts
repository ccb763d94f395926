import { basename, dirname } from "node:path";
import { groupBy } from "../lib/sorting.ts";
import type { PathMention } from "../lib/markdown/paths.ts";
import { isInside } from "../lib/paths.ts";
import { counted } from "../lib/words.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { isMeantToExist, isQuotedExample } from "./mention-evidence.ts";
import { MAX_LOOKS, type MentionLookup } from "./mention-lookup.ts";
import type { TextPaths } from "./text-paths.ts";
import { MAX_MENTIONS } from "./path-mentions.ts";
import { withoutComments } from "./own-text.ts";
import { finding } from "./rules.ts";
import { firstSegment } from "./skill-references.ts";

/*
 * The rule `instructions-missing-path`: paths that instruction files mention and that do not exist. `path-mentions.ts`
 * decides what counts as a path, and as missing; `mention-lookup.ts` looks them up.
 */

/** @param paths that the text mentions, looked up */
export function missingPaths(
  { path, directory, text }: InstructionText,
  paths: TextPaths,
  lookup: MentionLookup,
): Finding[] {
  // A copy of another project's text is mended there.
  if (VENDORED.test(path)) return [];
  const { mentions, missing: all, isCut } = paths;
  const own = withoutComments(text);
  const meant = all.filter((mention) => {
    if (own[mention.at] === " ") return false;
    if (mention.kind === "link") return !isQuotedExample(text, mention);
    if (isListOfNames(mention.path, lookup)) return false;
    const place = placeOf(mention, { path, directory }, lookup);
    const { hasStart } = lookup.find(mention, directory);
    const hasNamesake = place !== undefined && (hasStart || isDistinct(basename(place)));
    return isMeantToExist(text, mention, { neighbours: mentions, hasStart, hasNamesake });
  });
  // A link often has its path as its text, too.
  const isLink = ({ kind }: PathMention) => kind === "link";
  const links = new Set(meant.filter(isLink).flatMap((link) => lookup.placesOf(link, directory)));
  const gone = meant.filter(
    (each) => isLink(each) || !lookup.placesOf(each, directory).some((place) => links.has(place)),
  );
  const missing = [...groupBy(gone, (mention) => mention.path).values()].flatMap(([mention, ...again]) => {
    if (mention === undefined) return [];
    const message = `'${mention.path}' does not exist`;
    const lines = [...new Set(again.map(({ line }) => line))].filter((line) => line !== mention.line);
    const place = placeOf(mention, { path, directory }, lookup);
    const where = missingDirectory(mention, directory, lookup) ?? `${dirname(mention.path)}/`;
    return finding("instructions-missing-path", {
      path,
      line: mention.line,
      column: mention.column,
      message: lines.length === 0 ? message : `${message} (also in ${counted(lines.length, "more line")})`,
      remedy: place === undefined ? "add it or correct the path" : `correct the path: there is '${place}'`,
      // A further mention does not make it another finding.
      about: message,
      cause: { key: `${path}\0${where}`, noun: "more path", where: ` in '${where}'` },
      concerns: [...lookup.placesOf(mention, directory), basename(mention.path)],
    });
  });
  const findings = keptFindings(missing);
  if (!isCut) return findings;
  const message = `only its first ${MAX_MENTIONS} paths are checked`;
  return [...findings, finding("check-limit", { path, message, about: "paths" })];
}

/** Whether it stands for several files: "`plan/build/verify-agent.md`", where there is a `plan-agent.md`. */
function isListOfNames(path: string, lookup: MentionLookup): boolean {
  const names = path.split("/");
  const last = names.pop() ?? "";
  const rest = last.slice(last.indexOf("-"));
  return names.length > 1 && rest !== last && names.every((name) => lookup.namesakeOf(name + rest) !== undefined);
}

/** What a path certainly means: what is nearly the same, or a file that has moved. */
function placeOf(mention: PathMention, text: Pick<InstructionText, "path" | "directory">, lookup: MentionLookup) {
  return lookup.nearTo(mention, text.directory) ?? movedTo(mention, text, lookup);
}

/** The only file of that name, if it is likely to be the one that is meant. */
function movedTo(
  mention: PathMention,
  { path: self, directory }: Pick<InstructionText, "path" | "directory">,
  lookup: MentionLookup,
): string | undefined {
  const { path } = mention;
  const namesake = lookup.namesakeOf(path);
  // From the top of a larger repository, of which this one is a part, it is there.
  if (namesake === undefined || path.endsWith(`/${namesake}`)) return undefined;
  const place = lookup.placesOf({ ...mention, path: namesake, kind: "code" }, directory).at(-1) ?? "";
  if (place === self || isInSibling(place, directory, place.slice(0, -namesake.length - 1))) return undefined;
  const names = new Set(dirname(path).split("/"));
  const isNear =
    firstSegment(namesake) === firstSegment(path) ||
    // In the package of the text, but not only in the whole repository.
    (isInside(directory, place) && directory.length + 1 + namesake.length !== place.length) ||
    dirname(namesake)
      .split("/")
      .some((name) => names.has(name) && !EVERYWHERE.has(name));
  return isNear || isDistinct(basename(path)) ? namesake : undefined;
}

/** Whether a place is in another package beside that of the text, which has its own files of such names. */
function isInSibling(place: string, directory: string, root: string): boolean {
  const packages = dirname(directory);
  return packages.length > root.length && isInside(packages, place) && !isInside(directory, place);
}

/** Names of directories that most packages have. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "src",
  "lib",
  "app",
  "apps",
  "crates",
  "packages",
  "internal",
  "pkg",
  "test",
  "tests",
]);

/** `utils.ts` and `auth.js` are everywhere. */
function isDistinct(name: string): boolean {
  return /[a-z0-9][A-Z]|[A-Za-z0-9][-_][A-Za-z0-9]/.test(name) || name.indexOf(".") > 8;
}

/** The first directory of a path that does not exist: what is missing in it has one cause. */
function missingDirectory(mention: PathMention, directory: string, lookup: MentionLookup): string | undefined {
  const names = mention.path.split("/");
  for (let count = 1; count < names.length; count++) {
    const path = `${names.slice(0, count).join("/")}/`;
    if (/[^./]/.test(path) && !lookup.find({ ...mention, path }, directory).isThere) return path;
  }
  return undefined;
}

/** The finding for what the limit left out. */
export function exhaustedLookup(root: string, lookup: MentionLookup): Finding[] {
  const message = `only the first ${MAX_LOOKS} possible locations of paths are checked`;
  return lookup.isExhausted() ? [finding("check-limit", { path: root, message })] : [];
}

const VENDORED = /[\\/](?:vendor|vendored|third_party)[\\/](?:[^\\/]+[\\/])+/;
