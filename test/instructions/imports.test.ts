import { expect, test } from "bun:test";
import { chooseChain, type Candidate } from "../../src/instructions/chain.ts";
import { withImports, type Lookup } from "../../src/instructions/imports.ts";

const NAMES = ["AGENTS.override.md", "AGENTS.md", "GEMINI.md", "CLAUDE.md"];

/** Texts by path; `-> path` is a link. */
type Files = Readonly<Record<string, string>>;

function lookupIn(files: Files, onLook: () => void): Lookup {
  return {
    find(path): Candidate | undefined {
      onLook();
      const text = files[path];
      if (text === undefined) return undefined;
      const realPath = text.startsWith("-> ") ? text.slice(3) : path;
      if (!realPath.startsWith("/r/")) return { path, found: { kind: "unusable", reason: "link-outside-root" } };
      const version = { mtimeMs: 1, sizeBytes: files[realPath]?.length ?? 0, ctimeMs: 1 };
      return { path, found: { kind: "file", version, identity: realPath, realPath } };
    },
    read: (realPath, bytes) => new TextEncoder().encode(files[realPath]).subarray(0, bytes),
  };
}

function chainOf(files: Files, directories: readonly string[] = ["/r"]) {
  let looked = 0;
  const lookup = lookupIn(files, () => void looked++);
  const rungs = directories.map((directory) => {
    const main = NAMES.flatMap((name) => lookup.find(`${directory}/${name}`) ?? []);
    return { directory, main, additional: [] };
  });
  looked = 0;
  const chain = chooseChain(withImports(rungs, NAMES, lookup));
  return { ...chain, paths: chain.files.map(({ path }) => path), looked };
}

const CASES: [what: string, files: Files, paths: readonly string[]][] = [
  [
    "an import right after its file",
    { "/r/CLAUDE.md": "@a.md x @b.md", "/r/a.md": "a", "/r/b.md": "b" },
    ["a.md", "b.md"],
  ],
  [
    "what is imported from where it is",
    { "/r/CLAUDE.md": "@d/a.md", "/r/d/a.md": "@b.md", "/r/d/b.md": "" },
    ["d/a.md", "d/b.md"],
  ],
  ["a circle once", { "/r/CLAUDE.md": "@a.md", "/r/a.md": "@CLAUDE.md @a.md" }, ["a.md"]],
  [
    "four levels and no more",
    Object.fromEntries([["/r/CLAUDE.md", "@1.md"], ...[1, 2, 3, 4, 5].map((at) => [`/r/${at}.md`, `@${at + 1}.md`])]),
    ["1.md", "2.md", "3.md", "4.md"],
  ],
  [
    "nothing in code or comments",
    { "/r/CLAUDE.md": "`@a.md`\n\n```\n@a.md\n```\n<!-- @a.md -->\n", "/r/a.md": "a" },
    [],
  ],
  [
    "no hidden file, no environment, none of a repository's own",
    {
      "/r/CLAUDE.md": "@.env @x.env @.git/config @.npmrc @../../etc/passwd",
      "/r/.env": "",
      "/r/x.env": "",
      "/r/.git/config": "",
      "/r/.npmrc": "",
    },
    [],
  ],
  ["no link to a hidden file", { "/r/CLAUDE.md": "@a.md", "/r/a.md": "-> /r/.env", "/r/.env": "" }, []],
];

test.each(CASES)("withImports() gives %s", (_, files, paths) => {
  expect(chainOf(files).paths).toEqual(["/r/CLAUDE.md", ...paths.map((path) => `/r/${path}`)]);
});

test("withImports() gives an imported file to the directory of the file that imports it", () => {
  const files = { "/r/a/CLAUDE.md": "@../b/x.md", "/r/b/x.md": "x" };
  const [, imported] = chainOf(files, ["/r", "/r/a"]).files;
  expect([imported?.path, imported?.directory, imported?.importedBy]).toEqual(["/r/b/x.md", "/r/a", "/r/a/CLAUDE.md"]);
});

test("withImports() puts the second place beside the first, or in its stead, and behind AGENTS.md", () => {
  const second = { "/r/.claude/CLAUDE.md": "second" };
  expect(chainOf(second).paths).toEqual(["/r/.claude/CLAUDE.md"]);
  expect(chainOf({ ...second, "/r/CLAUDE.md": "first" }).paths).toEqual(["/r/CLAUDE.md", "/r/.claude/CLAUDE.md"]);
  const { paths, passedOver } = chainOf({ ...second, "/r/CLAUDE.md": "first", "/r/AGENTS.md": "agents" });
  expect([paths, passedOver.length]).toEqual([["/r/AGENTS.md"], 2]);
  expect(chainOf({ ...second, "/r/GEMINI.md": "other" }).paths).toEqual(["/r/GEMINI.md"]);
});

test("withImports() says which link leads out, and who imports it", () => {
  const { passedOver } = chainOf({ "/r/CLAUDE.md": "@a.md", "/r/a.md": "-> /etc/passwd" });
  expect(passedOver).toEqual([{ path: "/r/a.md", reason: "link-outside-root", by: "/r/CLAUDE.md" }]);
});

test("withImports() looks for a thousand names at most, and takes a hundred files", () => {
  const names = Array.from({ length: 5000 }, (_, index) => `${index}.md`);
  const text = names.map((name) => `@${name}`).join(" ");
  expect(chainOf({ "/r/CLAUDE.md": text }).looked).toBeLessThan(1100);
  const all = Object.fromEntries(names.map((name) => [`/r/${name}`, name]));
  expect(chainOf({ ...all, "/r/CLAUDE.md": text }).paths).toHaveLength(101);
});
