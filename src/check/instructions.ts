import type { UnusableReason } from "../instructions/chain.ts";
import { namesIn } from "../lib/path-facts.ts";
import { OWN_PATH, type Finding } from "./findings.ts";
import type { InstructionCandidate, InstructionFiles, InstructionText } from "./instruction-files.ts";
import { checkText } from "./instruction-text.ts";
import { checkLetterCase } from "./letter-case.ts";
import { checkLostLink } from "./lost-links.ts";
import { missingCommands } from "./missing-commands.ts";
import { missingImports } from "./missing-imports.ts";
import { importedPages } from "./imported-pages.ts";
import { projectCommands } from "./project-commands.ts";
import { mentionLookup } from "./mention-lookup.ts";
import { exhaustedLookup, missingPaths } from "./missing-paths.ts";
import { lookUpPaths, textsOfOthers } from "./text-paths.ts";
import { ruleFiles } from "./rule-files.ts";
import { isFixture, isGenerated, otherProjects } from "./other-projects.ts";
import { repeatedTexts } from "./repeated.ts";
import { leadsIntoAbsentSubmodule } from "./walk.ts";
import { fileNames, wrongNames } from "./wrong-names.ts";
import { finding, type RuleId } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

export interface InstructionsCheck extends FamilyCheck {
  /** The files that speak of other projects. */
  readonly ofOthers: ReadonlySet<string>;
}

/** The rules about instruction files that hold for any client. */
export function checkInstructions(scene: CheckScene): InstructionsCheck {
  const { root, walked, instructions, ownNames } = scene;
  const { candidates, texts, unread } = instructions;
  const hidden = hiddenFiles(instructions);
  const isInSubmodule = leadsIntoAbsentSubmodule(root);
  const findings: Finding[] = [
    ...walked.limits.map(({ path, message }) => finding("check-limit", { path, message })),
    ...candidates.flatMap(({ path, found }) =>
      found.kind === "file" || isInSubmodule(path) || isRoute(path) ? [] : [unusable(path, found.reason)],
    ),
    ...unread.map(({ path, reason }) => unusable(path, reason)),
    ...hidden,
    ...checkLetterCase(scene),
  ];
  const lookup = mentionLookup(root, walked);
  const commands = projectCommands(root, walked.manifests);
  const files = fileNames(walked.directories);
  const read: InstructionText[] = [];
  const isOfOthers = otherProjects(root);
  const rules = ruleFiles(walked);
  const meant = [...eachOnce(texts), ...rules].filter(({ path }) => !isOfOthers(path));
  const paths = new Map(meant.map((text) => [text, lookUpPaths(text, lookup)]));
  const ofOthers = textsOfOthers(paths, root, (path) => lookup.namesakeOf(path) !== undefined);
  for (const text of eachOnce(texts)) {
    const lost = checkLostLink(text, root);
    if (lost !== undefined) findings.push(lost);
    else read.push(text);
  }
  for (const text of [...read, ...rules]) {
    if (isFixture(text.path, root) || ofOthers.has(text.path)) continue;
    for (const found of checkText(text)) findings.push(found);
    const mentioned = paths.get(text);
    if (mentioned === undefined || isGenerated(text.text)) continue;
    for (const found of [
      ...missingPaths(text, mentioned, lookup),
      ...missingImports(text, root, (path) => walked.isIgnored(path), mentioned),
      ...missingCommands(text, root, commands),
      ...wrongNames(text, files),
    ]) {
      findings.push(found);
    }
  }
  const importing = read.filter((text) => paths.has(text) && !ofOthers.has(text.path) && !isGenerated(text.text));
  const isIgnored = (path: string) => walked.isIgnored(path);
  for (const page of importedPages(importing, root, isIgnored)) {
    if (isOfOthers(page.path) || isGenerated(page.text)) continue;
    for (const found of missingImports(page, root, isIgnored, lookUpPaths(page, lookup))) findings.push(found);
  }
  const isOurs = (name: string) => ownNames.includes(name);
  const areAlike = (left: string, right: string) => left === right || (isOurs(left) && isOurs(right));
  // A hidden file is never read together with another.
  const hiddenPaths = new Set(hidden.map(({ path }) => path));
  const isHeard = (text: InstructionText) => paths.has(text) && !hiddenPaths.has(text.path) && !isGenerated(text.text);
  const heard = read.filter(isHeard);
  findings.push(...exhaustedLookup(root, lookup));
  for (const found of repeatedTexts(heard, { areAlike, namesIn })) findings.push(found);
  return { findings, checked: [...candidates, ...rules].map(({ path }) => path), ofOthers };
}

/** Whether a directory is a route of a web framework, which serves a page under this name. */
function isRoute(path: string): boolean {
  return namesIn(path).some((name) => /^(?:route|page)\.[a-z]+$/.test(name));
}

/** One file may have several names; its own comes before those of links. */
function eachOnce(texts: readonly InstructionText[]): InstructionText[] {
  const isLink = ({ path, realPath }: InstructionText) => path !== realPath;
  const linksLast = texts.toSorted((left, right) => Number(isLink(left)) - Number(isLink(right)));
  const seen = new Set<string>();
  return linksLast.filter(({ realPath }) => !seen.has(realPath) && seen.add(realPath));
}

const UNUSABLE: Readonly<Record<UnusableReason, readonly [RuleId, message: string, remedy: string]>> = {
  "not-a-regular-file": ["instructions-unreadable", "it is not a regular file", "replace it with one"],
  "no-permission": ["instructions-unreadable", "permission denied", `run 'chmod +r ${OWN_PATH}'`],
  unreadable: ["instructions-unreadable", "it can't be read", "replace it with a file that can"],
  "dangling-link": ["instructions-dangling-link", "it is a link that leads nowhere", "remove or correct it"],
  "link-outside-root": [
    "instructions-link-outside",
    "it is a link that leads outside the root",
    "put a copy in its place",
  ],
};

/** The finding for something that has the name of an instruction file and can't be one. */
function unusable(path: string, reason: UnusableReason): Finding {
  const [id, message, remedy] = UNUSABLE[reason];
  return finding(id, { path, message, remedy });
}

const OVERRIDE = "AGENTS.override.md";
const OVERRIDDEN = "AGENTS.md";

/** What an override says of itself that is meant to hide the file beside it. */
const REPLACES = /\b(?:replac(?:es|ing)|supersed(?:es|ing)|instead of|in place of)\b[^.]{0,80}\bAGENTS\.md\b/i;
const MAX_NOTICE = 512;

/** The files that an override beside them hides from every client that supports it. */
function hiddenFiles({ candidates, texts }: InstructionFiles): Finding[] {
  const overrides = new Map<string, InstructionCandidate>();
  for (const candidate of candidates) if (isNamed(candidate, OVERRIDE)) overrides.set(candidate.directory, candidate);
  return candidates.flatMap((candidate) => {
    const override = isNamed(candidate, OVERRIDDEN) ? overrides.get(candidate.directory) : undefined;
    // The same file under both names hides nothing.
    if (override === undefined || identityOf(override) === identityOf(candidate)) return [];
    const said = texts.find(({ path }) => path === override.path)?.text.slice(0, MAX_NOTICE) ?? "";
    if (REPLACES.test(said)) return [];
    const message = `'${OVERRIDE}' beside it is used instead`;
    const remedy = "move what matters into one of them, or keep the override out of git";
    return [finding("instructions-hidden", { path: candidate.path, message, remedy, concerns: [override.path] })];
  });
}

function isNamed({ path, directory, found }: InstructionCandidate, name: string): boolean {
  return found.kind === "file" && path.length === directory.length + 1 + name.length && path.endsWith(name);
}

function identityOf({ found }: InstructionCandidate): string | undefined {
  return found.kind === "file" ? found.identity : undefined;
}
