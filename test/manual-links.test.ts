import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOMS } from "./support/architecture-law.ts";
import { REPOSITORY } from "./support/run-codelia.ts";

// Every link of the manual leads to a file that is there, and to a heading that it has.

const TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
const docs = readdirSync(join(REPOSITORY, "docs"), { recursive: true, encoding: "utf8" });
const pages = [...TOP, ...docs.map((name) => `docs/${name.replaceAll("\\", "/")}`)].filter((name) =>
  name.endsWith(".md"),
);
const texts = new Map(pages.map((page) => [page, withoutCode(readFileSync(join(REPOSITORY, page), "utf8"))]));

test.each([...texts])("the links of %s lead somewhere", (page, text) => {
  expect(linksOf(text).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

test("the README leads to every page of the documentation", () => {
  const own = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page));
  const reached = new Set(["README.md"]);
  for (const page of reached) {
    for (const link of linksOf(texts.get(page) ?? "")) reached.add(targetOf(page, link));
  }
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((page) => !reached.has(page))).toEqual([]);
});

test("the manual calls the repository by the address in package.json", () => {
  const { homepage } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
  const named = pages.flatMap((page) => {
    const text = readFileSync(join(REPOSITORY, page), "utf8");
    return text.match(/https:\/\/github\.com\/[\w.-]+\/codelia\b/g) ?? [];
  });
  expect(new Set(named)).toEqual(new Set([homepage]));
});

const GUIDES = ["AGENTS.md", "CONTRIBUTING.md", "docs/architecture.md", "src/AGENTS.md", "test/AGENTS.md"];

test.each(GUIDES)("the files of the source that %s names exist", (page) => {
  const named = sourceFilesIn(readFileSync(join(REPOSITORY, page), "utf8"));
  expect(named).not.toEqual([]);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test("every room is a row of the table in docs/architecture.md, in the order of the law", () => {
  const table = readFileSync(join(REPOSITORY, "docs/architecture.md"), "utf8").match(/^\| `.*$/gm) ?? [];
  const rows = table.flatMap((row) =>
    Array.from((row.split(" | ")[0] ?? "").matchAll(/`([^`]+?)\/?`/g), ([, name]) => name),
  );
  expect(rows.toSorted()).toEqual([...ROOMS].toSorted());
  const folders = (names: readonly (string | undefined)[]) => names.filter((name) => name?.endsWith(".ts") === false);
  expect(folders(rows)).toEqual(folders(ROOMS));
});

/** Folders, and files with the folder they are in, between backticks. */
function sourceFilesIn(text: string): string[] {
  return Array.from(text.matchAll(/`([\w.-]+\/(?:[\w./-]*\.ts|[\w./-]*\/)?)`/g), ([, name = ""]) => name);
}

/** In the folder of source or of tests too, where a guide is about that. */
function isThere(name: string): boolean {
  return ["", "src", "test"].some((folder) => existsSync(join(REPOSITORY, folder, name)));
}

function linksOf(text: string): string[] {
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link).filter(
    (link) => !/^[a-z]+:/.test(link),
  );
}

function targetOf(page: string, link: string): string {
  const [path = ""] = link.split("#");
  return path === "" ? page : normalize(join(dirname(page), path)).replaceAll("\\", "/");
}

function leadsSomewhere(page: string, link: string): boolean {
  const target = targetOf(page, link);
  const heading = link.split("#")[1];
  if (heading === undefined) return existsSync(join(REPOSITORY, target));
  return headingsOf(texts.get(target) ?? "").has(heading);
}

/** As hosts of repositories name them. */
function headingsOf(text: string): Set<string> {
  const titles = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, "");
}
