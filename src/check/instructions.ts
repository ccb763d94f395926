import { findFrameTags } from "../instructions/body.ts";
import type { Candidate, UnusableReason } from "../instructions/chain.ts";
import { namesIn } from "../lib/path-facts.ts";
import type { Finding } from "./findings.ts";
import { checkLetterCase } from "./letter-case.ts";
import { lostLink, type LinkEnd, type LostLink } from "./lost-links.ts";
import { isMissing, pathMentions, mentionJudge, type MentionJudge } from "./missing-paths.ts";
import { repeatedTexts } from "./repeated.ts";
import { finding, type RuleId } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { judgeText } from "./text.ts";

const LINK_REMEDIES: Readonly<Record<LinkEnd, string>> = {
  text: "make it one",
  nothing: "no file is there; write instructions, or make it a link to some",
  itself: "what is there leads back to it; write instructions into one of them",
};

/**
 * What is wrong with instruction files, whoever reads them.
 *
 * @effect reads
 * @error  none
 */
export function checkInstructions(scene: CheckScene): FamilyCheck {
  const { root, walked, instructions, ownNames } = scene;
  const { candidates, texts, unread } = instructions;
  const judge = mentionJudge(root, walked);
  const hidden = hiddenFiles(candidates);
  const findings: Finding[] = [
    ...walked.limits.map(({ path, message }) => finding("check-limit", { path, message })),
    ...judgeCandidates(candidates),
    ...unread.map(({ path, reason }) => unusable(path, reason)),
    ...hidden,
  ];
  const read: InstructionText[] = [];
  const seen = new Set<string>();
  const itselfFirst = texts.toSorted((left, right) => Number(isLink(left)) - Number(isLink(right)));
  for (const text of itselfFirst) {
    // The same file under another name says nothing else.
    if (seen.has(text.realPath)) continue;
    seen.add(text.realPath);
    const lost = lostLink(text, root);
    if (lost === undefined) {
      read.push(text);
      for (const found of judgeOne(text, judge)) findings.push(found);
    } else findings.push(lostLinkFinding(lost));
  }
  const isOurs = (name: string) => ownNames.includes(name);
  const areAlike = (left: string, right: string) => left === right || (isOurs(left) && isOurs(right));
  // Nobody reads what is hidden together with anything.
  const hiddenPaths = new Set(hidden.map(({ path }) => path));
  const heard = read.filter(({ path }) => !hiddenPaths.has(path));
  const limit = judge.limit();
  if (limit !== undefined) findings.push(finding("check-limit", { path: root, message: limit }));
  for (const found of [repeatedTexts(heard, { areAlike, namesIn }), checkLetterCase(scene)].flat())
    findings.push(found);
  return { findings, checked: candidates.map(({ path }) => path) };
}

function isLink({ path, realPath }: InstructionText): boolean {
  return path !== realPath;
}

function judgeOne(text: InstructionText, judge: MentionJudge): Finding[] {
  const { mentions, isCut } = pathMentions(text.text);
  const missing = mentions
    .filter((mention) => isMissing(mention, judge.factsOf(mention, text.directory)))
    .map((mention) => ({ mention, places: judge.placesOf(mention, text.directory) }));
  return judgeText({ ...text, missing, moreMentions: isCut, frameTags: findFrameTags(text.text) });
}

function lostLinkFinding({ path, realPath, target, leadsTo }: LostLink): Finding {
  const message = `its whole text is the path '${target}': it should be a link`;
  const place = { path, message, remedy: LINK_REMEDIES[leadsTo] };
  return finding(
    "instructions-lost-link",
    leadsTo === "text" ? { ...place, fix: { kind: "link", path: realPath, target } } : place,
  );
}

const RULES: Readonly<
  Record<UnusableReason, { readonly id: RuleId; readonly message: string; readonly remedy: string }>
> = {
  "not-a-regular-file": {
    id: "instructions-unreadable",
    message: "it is not a regular file",
    remedy: "put a file in its place",
  },
  "no-permission": { id: "instructions-unreadable", message: "it may not be read", remedy: "let its readers read it" },
  unreadable: { id: "instructions-unreadable", message: "it can't be read", remedy: "put a file in its place" },
  "dangling-link": {
    id: "instructions-dangling-link",
    message: "it is a link that leads nowhere",
    remedy: "remove or correct it",
  },
  "link-outside-root": {
    id: "instructions-link-outside",
    message: "it is a link that leads outside the root",
    remedy: "put a copy in its place",
  },
};

/** What stands under the name of an instruction file and can't be one. */
export function judgeCandidates(candidates: readonly Candidate[]): Finding[] {
  return candidates.flatMap(({ path, found }) => (found.kind === "file" ? [] : [unusable(path, found.reason)]));
}

export function unusable(path: string, reason: UnusableReason): Finding {
  const { id, message, remedy } = RULES[reason];
  return finding(id, { path, message, remedy });
}

const OVERRIDE = "AGENTS.override.md";

const HIDDEN = "AGENTS.md";

type Placed = Candidate & { readonly directory: string };

/** The files that an override beside them hides from everyone who heeds it. */
export function hiddenFiles(candidates: readonly Placed[]): Finding[] {
  const overrides = new Map<string, Placed>();
  for (const candidate of candidates) if (isNamed(candidate, OVERRIDE)) overrides.set(candidate.directory, candidate);
  return candidates.flatMap((candidate) => {
    const override = isNamed(candidate, HIDDEN) ? overrides.get(candidate.directory) : undefined;
    // The same file under both names hides nothing.
    if (override === undefined || identityOf(override) === identityOf(candidate)) return [];
    const message = `'${OVERRIDE}' beside it is used in its place`;
    const remedy = "move what matters into one of them, or keep the override out of git";
    const concerns = [override.path];
    return [finding("instructions-hidden", { path: candidate.path, message, remedy, concerns })];
  });
}

function isNamed({ path, directory, found }: Placed, name: string): boolean {
  return found.kind === "file" && path.length === directory.length + 1 + name.length && path.endsWith(name);
}

function identityOf({ found }: Placed): string | undefined {
  return found.kind === "file" ? found.identity : undefined;
}

/** An instruction file with its text, wherever it was read. */
export interface InstructionText {
  readonly path: string;
  readonly directory: string;
  readonly name: string;
  /** Where the text stands: the path with every link resolved. */
  readonly realPath: string;
  readonly text: string;
  /** How many of the file's bytes the text is. */
  readonly textBytes: number;
  readonly sizeBytes: number;
}
