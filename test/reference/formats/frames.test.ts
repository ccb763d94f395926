import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, eventText, type Fields } from "../../support/hook-calls.ts";
import { FRAMES as OWN_FRAMES, PARTS } from "../../../src/instructions/elements.ts";
import { REPOSITORY, runCodelia } from "../../support/run-codelia.ts";
import { parseFragment, type XmlElement } from "../../support/envelope.ts";
import { dir, tempTree, type TempTree } from "../../support/temp-tree.ts";
import { FRAMES, REMINDER_TYPES } from "./frames.ts";

// Each plays many commands in a row.
setDefaultTimeout(60_000);

// The table of the reference on XML is what the built program prints.

const SKILLS = "repo/.agents/skills";
const BIG = { agents: { initial: { maxFiles: 1 } }, skills: { suggest: 2, validation: "lenient" } };
const RULES = { permissions: { deny: [{ tool: "skill_load", skill_name: "kept" }] } };

/** Two hundred skills of such a name fit into one answer only without their descriptions; with usage rules, of a shorter. */
const LONG_NAME = "skill-with-a-long-name".padEnd(38, "x");
const SHORTER_NAME = LONG_NAME.slice(0, 30);

interface Seen {
  readonly by: Set<string>;
  readonly inside: Set<string>;
}

class Observer {
  readonly frames = new Map<string, Seen>();
  readonly types = new Set<string>();

  note(words: string, text: string): void {
    const parsed = parseFragment(text);
    if (!parsed.ok) throw new Error(`${words}: ${parsed.error}\n${text}`);
    for (const element of elementsIn(parsed.root)) {
      const seen = this.frames.get(element.name) ?? { by: new Set(), inside: new Set() };
      this.frames.set(element.name, seen);
      seen.by.add(words);
      for (const name of namesBelow(element)) seen.inside.add(name);
      const { type } = element.attributes;
      if (type !== undefined) this.types.add(type);
    }
  }
}

test("every element of the table is printed by just these commands, with just these elements in it", () => {
  using tree = stage();
  const observer = new Observer();
  const say = (words: string, args: readonly string[] = [], stdin = "") => {
    const options = { cwd: tree.path("repo/sub"), home: tree.path("home"), stdin };
    observer.note(words, runCodelia([...words.split(" "), ...args], options).stdout);
  };
  const answer = (host: string, fields: Fields) => {
    const input = eventText(tree, { session_id: host, ...fields });
    const { stdout } = runCodelia(["hook", host], { cwd: tree.root, home: tree.path("home"), stdin: input });
    if (stdout !== "") observer.note("hook", JSON.parse(stdout).hookSpecificOutput.additionalContext);
  };

  say("init-context");
  say("skills load", ["good"]);
  say("skills load", ["good"]);
  say("skills load", ["kept"]);
  for (const prefix of ["many", SHORTER_NAME]) {
    const many = Array.from({ length: 195 }, (_, index) => `home/.agents/skills/${prefix}-${index}`);
    for (const path of many) tree.write(`${path}/SKILL.md`, `---\nname: ${basename(path)}\ndescription: d\n---\n`);
    const event = { hook_event_name: "SessionStart", source: "startup", cwd: tree.path("repo/sub") };
    answer("claude", prefix === "many" ? event : { ...event, session_id: "another" });
    for (const path of many) tree.remove(path);
  }
  tree.write("home/.agents/skills/good/SKILL.md", "---\nname: good\ndescription: Another\n---\n");
  say("skills load", ["good"]);
  tree.remove("home/.agents/skills/good");
  say("init-context");
  say("resolve", ["deep/x.ts"]);
  const packages = [
    ["few", "one", 1],
    ["lot", "nearby", 90],
    ["most", LONG_NAME, 200],
  ] as const;
  for (const [directory, prefix, count] of packages) {
    for (let index = 0; index < count; index++) {
      const path = `repo/sub/${directory}/.agents/skills/${prefix}-${index}/SKILL.md`;
      tree.write(path, `---\nname: ${prefix}-${index}\ndescription: d\n---\n`);
    }
    answer("claude", before("Read", { file_path: tree.path(`repo/sub/${directory}/x.ts`) }));
  }
  tree.write("repo/AGENTS.md", "Another text of the root.\n");
  say("resume-diff");
  say("trim", ["--max-bytes", "100"], "line\n".repeat(100));
  say("skills list");
  say("skills search", ["good"]);
  answer("gemini", { hook_event_name: "SessionStart", source: "startup", cwd: tree.path("repo/sub") });
  answer("claude", before("Bash", { command: "cat sub/deep/x.ts" }));
  answer("codex", { hook_event_name: "UserPromptSubmit", prompt: "Use $good." });
  answer("codex", { hook_event_name: "UserPromptSubmit", prompt: "A good one, please." });
  answer("codex", before("Bash", { command: "cat sub/deep/x.ts" }));
  configure(tree, { agents: { resolver: { delivery: "body" } } });
  for (const host of ["codex", "claude"]) {
    answer(host, { ...before("Bash", { command: "cat sub/deep/x.ts" }), session_id: `${host} again` });
    answer(host, { ...after("Bash", { command: "cat sub/deep/x.ts" }), session_id: `${host} again` });
  }

  const printed = [...observer.frames].map(([name, { by, inside }]) => [name, sorted(by), sorted(inside)]);
  const described = Object.entries(FRAMES).map(([name, { by, inside }]) => [name, sorted(by), sorted(inside)]);
  expect(printed.toSorted()).toEqual(described.toSorted());
  expect(sorted(observer.types)).toEqual(sorted(Object.keys(REMINDER_TYPES)));
});

test("the table names every element that the program can print, and no other", () => {
  const named = Object.keys(FRAMES).concat(Object.values(FRAMES).flatMap(({ inside }) => inside));
  expect(sorted(named)).toEqual(sorted([...OWN_FRAMES, ...PARTS]));
});

test("no element is printed but those of the list: a text of a clone can't open one that it names", () => {
  const source = join(REPOSITORY, "src");
  const written = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("page") && !name.includes("claude"))
    // A profile's text is in its client's own wording.
    .filter((name) => !name.endsWith("profile.ts"))
    .flatMap((name) => readFileSync(join(source, name), "utf8").match(/(?<=<\/)[a-z_-]+(?=>)/g) ?? []);
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter((name) => !PARTS.some((part) => part === name))).toEqual([]);
});

function stage(): TempTree {
  const tree = tempTree({
    "home/": dir,
    "repo/.git/": dir,
    "repo/AGENTS.md": "Root.\n",
    "repo/sub/AGENTS.md": "Sub.\n",
    "repo/sub/deep/AGENTS.md": "Deep.\n",
    [`${SKILLS}/good/SKILL.md`]: "---\nname: good\ndescription: A good one\n---\nText.\n",
    [`${SKILLS}/good/more.md`]: "More.\n",
    [`${SKILLS}/kept/SKILL.md`]: "---\nname: kept\ndescription: A secret\n---\nText.\n",
    [`${SKILLS}/other/SKILL.md`]: "---\nname: Not Other\ndescription: Another\n---\nText.\n",
    [`${SKILLS}/broken/SKILL.md`]: "No header.\n",
  });
  configure(tree, { ...BIG, ...RULES });
  return tree;
}

function configure(tree: TempTree, config: Fields): void {
  tree.write("home/.codelia/config.json", JSON.stringify(config));
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== "string");
}

function namesBelow(element: XmlElement): string[] {
  const children = elementsIn(element);
  return children.map(({ name }) => name).concat(children.flatMap(namesBelow));
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].toSorted();
}
