import { basename, dirname, join, resolve } from "node:path";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { mentionedPaths } from "../lib/markdown/paths.ts";
import { entriesOf, isThere } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { textAt } from "../lib/read-file.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import { keptFindings, type Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import { MAX_REFERENCES } from "./skill-references.ts";

const MAX_PAGES = 200;
const MAX_DEPTH = 4;
const MAX_BYTES = 256 * 1024;
const PAGE = /\.mdx?$/i;
/** Instruction files have a rule of their own; changelogs, READMEs, templates and examples speak of other places and times. */
const NO_PAGE = /^(?:changelog|agents|claude)\.|readme|template|(?:^|[-_])(?:example|sample)[-_.]/i;
/** Directories with texts for other places: what stands there links to what is beside its copy. */
const FOR_OTHERS = new Set(["assets", "templates", "template", "examples", "fixtures", "testdata"]);

/**
 * The rule `skill-page-link`: dead links in the pages of a skill that its SKILL.md sends to.
 *
 * @param path of its SKILL.md, canonical
 * @param ignored names of directories that are not entered
 * @param root of its project, if it is in one: readers who start there find what a page names from there
 */
export function checkSkillPages(path: string, ignored: ReadonlySet<string>, root?: string): Finding[] {
  const directory = dirname(path);
  return pagesIn(directory, ignored).flatMap((page) => {
    if (NO_PAGE.test(basename(page))) return [];
    const text = textAt(page, MAX_BYTES);
    if (text === undefined) return [];
    const { mentions } = mentionedPaths(text, frontMatterOf(text).bodyStart, MAX_REFERENCES, () => []);
    const all = mentions.filter(
      ({ path: target }) => isDead(target, page, directory) && (root === undefined || !isThere(resolve(root, target))),
    );
    // Where most links are dead, the page shows what is to be written, unless they start from the skill.
    const lost = all.filter(({ path: target }) => !isThere(resolve(directory, target)));
    const isTemplate = lost.length >= MANY_DEAD && lost.length > mentions.length / 2;
    const dead = isTemplate ? all.filter((mention) => !lost.includes(mention)) : all;
    return keptFindings(
      dead.map(({ path: target, line, column }) =>
        finding("skill-page-link", {
          path: page,
          line,
          column,
          message: `'${target}' does not exist`,
          remedy: isThere(resolve(directory, target))
            ? "a link starts from its page, not from the skill"
            : "add the file or correct the link",
          concerns: [resolve(dirname(page), target)],
        }),
      ),
    );
  });
}

/** So many dead links in a page are hardly all mistakes. */
const MANY_DEAD = 3;

/** Targets that certainly mean a file. */
const FILE = /(?:\.[a-z0-9]{1,8}|\/)$/i;

/** What no agent needs to see, and a copied page comes without. */
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp)$/i;

function isDead(target: string, page: string, directory: string): boolean {
  const place = resolve(dirname(page), target);
  // A skill is often a copy, and what its pages say of the rest of its repository holds only there.
  return FILE.test(target) && !PICTURE.test(target) && isInside(directory, place) && !isThere(place);
}

/** The Markdown files of a skill besides its SKILL.md; no links are followed, and no skill inside it is entered. */
function pagesIn(directory: string, ignored: ReadonlySet<string>): string[] {
  const pages: string[] = [];
  function enter(place: string, depth: number): void {
    const entries = entriesOf(place);
    if (depth > 0 && entries.some(({ name }) => name === SKILL_FILE)) return;
    for (const entry of entries) {
      if (pages.length >= MAX_PAGES) return;
      const child = join(place, entry.name);
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !ignored.has(entry.name) && !FOR_OTHERS.has(entry.name)) enter(child, depth + 1);
      } else if (entry.isFile() && PAGE.test(entry.name) && entry.name !== SKILL_FILE) pages.push(child);
    }
  }
  enter(directory, 0);
  return pages;
}
