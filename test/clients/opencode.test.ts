import { expect, test } from "bun:test";
import { profile } from "../../src/clients/opencode/profile.ts";
import { diskFacts } from "../../src/clients/tree-facts.ts";
import { dir, tempTree, type Entry } from "../support/temp-tree.ts";

// The files that opencode's config names. What is here was seen with 1.18.33, but for what is left out on purpose.

const ROOT = { "repo/.git/HEAD": "ref: refs/heads/main\n", "home/": dir };
const named = (...instructions: unknown[]) => JSON.stringify({ instructions });

/** The files with which a session in a directory begins, and those that come with a touch. */
function begin(files: Readonly<Record<string, Entry>>, cwd = "repo", touch?: readonly [tool: string, path: string]) {
  using tree = tempTree({ ...ROOT, ...files });
  const facts = diskFacts({ processorTime: () => 0 });
  const user = { home: tree.path("home"), env: {} };
  const { files: start } = profile.reach(tree.path(cwd), user, facts);
  const later = touch && profile.onTouch(tree.path(cwd), { tool: touch[0], path: tree.path(touch[1]) }, user, facts);
  return (later ?? start)
    .filter(({ status }) => status === "loaded")
    .map(({ path }) => path.slice(tree.root.length + 1));
}

test("paths and patterns, in each directory from the working directory up, each file once", () => {
  const files = {
    "repo/opencode.json": named("docs/*.md", "./AGENTS.md", "{a,b}.txt", "x/**/deep.md", "gone.md", 5, "https://a.b/c"),
    "repo/sub/opencode.jsonc": '// One more.\n{ "instructions": ["sub.md",] }\n',
    "repo/.opencode/opencode.json": named("docs/a.md", "own.md"),
    "repo/AGENTS.md": "Root.\n",
    "repo/docs/a.md": "A.\n",
    "repo/docs/in/b.md": "No.\n",
    "repo/b.txt": "B.\n",
    "repo/x/.y/node_modules/deep.md": "Deep.\n",
    "repo/x/loop": { link: "." },
    "repo/own.md": "Own.\n",
    "repo/sub/docs/a.md": "A of sub.\n",
    "repo/sub/sub.md": "Sub.\n",
  } as const;
  const rest = ["repo/b.txt", "repo/x/.y/node_modules/deep.md"];
  expect(begin(files)).toEqual(["repo/AGENTS.md", "repo/docs/a.md", ...rest, "repo/own.md"]);
  expect(begin(files, "repo/sub")).toEqual([
    "repo/AGENTS.md",
    "repo/sub/docs/a.md",
    "repo/docs/a.md",
    ...rest,
    "repo/sub/sub.md",
    "repo/own.md",
  ]);
});

test("of the user's configs the last that says so counts, and may name files anywhere", () => {
  const files = {
    "home/.config/opencode/opencode.json": named("a.md"),
    "home/.config/opencode/opencode.jsonc": named("~/mine.md", "b.md"),
    "home/mine.md": "Mine.\n",
    "repo/a.md": "A.\n",
    "repo/b.md": "B.\n",
  };
  expect(begin(files)).toEqual(["home/mine.md", "repo/b.md"]);
});

test("what a project's config names outside of it is left out", () => {
  const files = {
    "repo/sub/opencode.json": named("~/secret.md", "../../home/secret.md", "/etc/passwd", "/**", "~/*", "in.md"),
    "home/secret.md": "Secret.\n",
    "repo/sub/in.md": "In.\n",
  };
  expect(begin(files, "repo/sub")).toEqual(["repo/sub/in.md"]);
});

test("with a touch they count as given before, by any tool, and are not given again", () => {
  const files = { "repo/opencode.json": named("app/*.md"), "repo/app/AGENTS.md": "App.\n", "repo/app/one.ts": "" };
  expect(begin(files, "repo", ["bash", "repo/app/one.ts"])).toEqual(["repo/app/AGENTS.md"]);
  expect(begin(files, "repo", ["read", "repo/app/one.ts"])).toEqual(["repo/app/AGENTS.md"]);
});

test("many patterns for many files end soon", () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`repo/f${n}.md`, ""]));
  let listed = 0;
  using tree = tempTree({
    ...ROOT,
    ...many,
    "repo/opencode.json": named(...Array.from({ length: 100 }, (_, n) => `*${n}.md`)),
  });
  const facts = diskFacts({ processorTime: () => 0 });
  const counting = {
    ...facts,
    list(directory: string) {
      listed += facts.list(directory).length;
      return facts.list(directory);
    },
  };
  profile.reach(tree.path("repo"), { home: tree.path("home"), env: {} }, counting);
  expect(listed).toBeGreaterThan(40_000);
  expect(listed).toBeLessThan(60_000);
});

test("patterns that lead into many directories end", () => {
  const deep = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`repo/${"d/".repeat(n)}f.md`, "F.\n"]));
  const files = { ...deep, "repo/opencode.json": named("**/**/**/**/**/f.md", ...Array(500).fill("**/**/g.md")) };
  const found = begin(files);
  expect(found).toContain("repo/f.md");
  expect(new Set(found).size).toBe(found.length);
});
