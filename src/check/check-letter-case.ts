import { join, relative } from "node:path";
import type { Finding } from "./findings.ts";
import { wrongLetterCase } from "./letter-case.ts";
import { referrers } from "./referrers.ts";
import { isRegularFile } from "../lib/is-there.ts";
import { namesIn } from "../lib/names-in.ts";
import type { CheckScene } from "./check-scene.ts";

/**
 * Names that are an instruction file's but for their letter case. One is repaired where nothing that is known of the
 * repository calls the file by the name that it has.
 *
 * @effect reads
 * @error  none
 */
export function checkLetterCase({ root, walked, instructions, names, wellKnownNames }: CheckScene): Finding[] {
  const wrong = [...walked.found].flatMap(([directory, found]) => {
    const others = found.filter((name) => !names.includes(name));
    return others.length === 0 ? [] : [{ directory, others }];
  });
  if (wrong.length === 0) return [];
  const paths = wrong.flatMap(({ directory, others }) => others.map((name) => join(directory, name)));
  const links = [...walked.links, ...instructions.candidates.map(({ path }) => path)];
  const referrerOf = referrers(root, { paths, links, texts: instructions.texts, names: wellKnownNames });
  return wrong.flatMap(({ directory, others }) => {
    const whyNotRenamed = (name: string) => {
      const path = join(directory, name);
      if (!isRegularFile(path)) return "it is no regular file: put one of that name in its place";
      const referrer = referrerOf(path);
      return referrer && `rename it, and correct '${relative(root, referrer)}', which calls it by this name`;
    };
    const place = { path: (name: string) => join(directory, name), names: namesIn(directory), whyNotRenamed };
    return wrongLetterCase(place, others, wellKnownNames);
  });
}
