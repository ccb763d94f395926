import { join } from "node:path";
import type { Finding } from "../core/findings.ts";
import { hiddenFiles } from "../core/check/hidden-files.ts";
import type { InstructionText } from "../core/check/instruction-text.ts";
import { judgeCandidates, unusable } from "../core/check/judge-candidates.ts";
import { isMissing } from "../core/check/judge-mention.ts";
import { judgeText } from "../core/check/judge-text.ts";
import { wrongLetterCase } from "../core/check/letter-case.ts";
import { pathMentions } from "../core/check/path-mentions.ts";
import { repeatedTexts } from "../core/check/repeated-text.ts";
import { finding } from "../core/rules.ts";
import { mentionJudge, type MentionJudge } from "../io/check/judge-mentions.ts";
import { lostLink, type LostLink } from "../io/check/lost-links.ts";
import { namesIn } from "../io/names-in.ts";
import { findFrameTags } from "../render/body.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";

/**
 * What is wrong with instruction files, whoever reads them.
 *
 * @effect reads
 * @error  none
 */
export function checkInstructions(scene: CheckScene): FamilyCheck {
  const { root, walked, instructions, names, ownNames, wellKnownNames } = scene;
  const { candidates, texts, unread } = instructions;
  const judge = mentionJudge(root, walked);
  const findings: Finding[] = [
    ...walked.limits.map(({ path, message }) => finding("check-limit", { path, line: 1, message })),
    ...judgeCandidates(candidates),
    ...unread.map(({ path, reason }) => unusable(path, reason)),
    ...hiddenFiles(candidates),
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
      findings.push(...judgeOne(text, judge));
    } else findings.push(lostLinkFinding(lost));
  }
  const isOurs = (name: string) => ownNames.includes(name);
  findings.push(...repeatedTexts(read, (left, right) => left === right || (isOurs(left) && isOurs(right))));
  for (const [directory, found] of walked.found) {
    const other = found.filter((name) => !names.includes(name));
    if (other.length === 0) continue;
    const place = { directory, path: (name: string) => join(directory, name), names: namesIn(directory) };
    findings.push(...wrongLetterCase(place, other, wellKnownNames));
  }
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

function lostLinkFinding({ path, target, leadsToFile }: LostLink): Finding {
  const message = `its whole text is the path '${target}': it should be a link`;
  if (!leadsToFile) {
    const remedy = "no file is there; write instructions, or make it a link to some";
    return finding("instructions-lost-link", { path, line: 1, message, remedy });
  }
  const remedy = "make it one";
  return finding("instructions-lost-link", { path, line: 1, message, remedy, fix: { kind: "link", path, target } });
}
