import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchTree } from "./trees.ts";

const PACKAGES = 99;
const DIRECTORIES = 40;
const FILES = 25;
/** What is missing to 100,000 with the files above and two at the top. */
const PAGES = 100_000 - PACKAGES * (DIRECTORIES * FILES + 1) - 2;

/**
 * A repository of 100,000 files in 4,000 directories, with an instruction file at its top and one in each of its 99
 * packages, of the length that such files have.
 */
export function monorepoTree(base: string): BenchTree {
  const tree = { root: join(base, "repo"), home: join(base, "home") };
  mkdirSync(tree.home, { recursive: true });
  mkdirSync(join(tree.root, ".git"), { recursive: true });
  writeFileSync(join(tree.root, ".gitignore"), "node_modules/\ndist/\n*.log\n/out\n**/build/\n.env\n!keep.log\n");
  writeFileSync(join(tree.root, "AGENTS.md"), instructions("this repository", "package-0/part-0"));
  mkdirSync(join(tree.root, "docs"));
  for (let page = 0; page < PAGES; page++) writeFileSync(join(tree.root, "docs", `page-${page}.txt`), "");
  for (let nth = 0; nth < PACKAGES; nth++) {
    const directory = join(tree.root, `package-${nth}`);
    for (let part = 0; part < DIRECTORIES; part++) {
      mkdirSync(join(directory, `part-${part}`), { recursive: true });
      for (let file = 0; file < FILES; file++) writeFileSync(join(directory, `part-${part}`, `file-${file}.ts`), "");
    }
    writeFileSync(join(directory, "AGENTS.md"), instructions(`package ${nth}`, "part-0"));
  }
  return tree;
}

function instructions(subject: string, directory: string): string {
  const rule = (index: number) =>
    `- Keep to the way of \`${directory}/file-${index % FILES}.ts\` in ${subject}; run \`npm test\` before you commit (${index}).\n`;
  return `# Rules of ${subject}\n\n${Array.from({ length: 20 }, (_, index) => rule(index)).join("")}`;
}
