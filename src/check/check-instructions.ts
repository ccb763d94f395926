import type { Finding } from "./findings.ts";
import { hiddenFiles } from "./hidden-files.ts";
import type { InstructionText } from "./instruction-text.ts";
import { judgeCandidates, unusable } from "./judge-candidates.ts";
import { isMissing } from "./judge-mention.ts";
import { judgeText } from "./text.ts";
import { pathMentions } from "./path-mentions.ts";
import { repeatedTexts } from "./repeated.ts";
import { finding } from "./rules.ts";
import { mentionJudge, type MentionJudge } from "./judge-mentions.ts";
import { lostLink, type LinkEnd, type LostLink } from "./lost-links.ts";
import { namesIn } from "../lib/names-in.ts";
import { findFrameTags } from "../instructions/body.ts";
import { checkLetterCase } from "./check-letter-case.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";

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
    ...walked.limits.map(({ path, message }) => finding("check-limit", { path, line: 1, message })),
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
  if (limit !== undefined) findings.push(finding("check-limit", { path: root, line: 1, message: limit }));
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
  const place = { path, line: 1, message, remedy: LINK_REMEDIES[leadsTo] };
  return finding(
    "instructions-lost-link",
    leadsTo === "text" ? { ...place, fix: { kind: "link", path: realPath, target } } : place,
  );
}
