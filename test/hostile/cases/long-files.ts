import { skillFile } from "../../support/skills-project.ts";
import type { CommandName, HostileCase } from "../lib/hostile-case.ts";

// Files as long as they are read, made of one part again and again: each command ends as soon as with any other file of
// that length. What a reader alone does with such a text, `test/fuzz` tries out; here it is whole commands.

const KIB = 1024;
const LONG_SKILL = "repo/.agents/skills/long/SKILL.md";
const ROOT_TOLD = { shows: ["- {tree}/repo/AGENTS.md ("] } as const;

function filled(bytes: number, part: string | ((index: number) => string)): string {
  const pieces: string[] = [];
  for (let [length, index] = [0, 0]; ; index++) {
    const piece = typeof part === "string" ? part : part(index);
    length += piece.length;
    if (length > bytes) return pieces.join("");
    pieces.push(piece);
  }
}

function longFile(
  what: string,
  path: string,
  text: string,
  expected: NonNullable<HostileCase["expected"]>,
  more: Partial<HostileCase> = {},
): HostileCase {
  return { what: `of ${what}`, expected, ...more, entries: { ...more.entries, [path]: text } };
}

function all(...names: readonly CommandName[]): NonNullable<HostileCase["expected"]> {
  return Object.fromEntries(names.map((name) => [name, name === "resolve" ? ROOT_TOLD : {}]));
}

const CONFIG = all("config", "check", "resolve", "skills list", "hook claude, tool");
const TEXT = all("check", "explain", "hook claude, start", "hook codex, start", "resolve");
const SKILL = all("skills list", "skills search", "skills check", "check");

/** Beginnings and ends around a part that is repeated. */
const CONFIGS: readonly (readonly [what: string, name: string, before: string, part: string | ((index: number) => string), after: string])[] = [
  ["keys that are unknown", "config.json", "{", (index) => `"k${index}":1,`, '"z":1}'],
  ["keys that are unknown", "config.yaml", "", (index) => `k${index}: 1\n`, ""],
  ["keys that are unknown", "config.toml", "", (index) => `k${index} = 1\n`, ""],
  ["tables", "config.toml", "", (index) => `[t${index}]\n`, ""],
  ["rules that deny", "config.json", '{"permissions":{"deny":[', (index) => `{"tool":"skill_load","skill_name":"s${index}"},`, "]}}"],
  ["rules that deny, as many as there may be", "config.json", '{"permissions":{"deny":[', (index) => (index < 999 ? `{"tool":"skill_load","skill_name":"s${index}"},` : index > 1200 ? " ".repeat(64 * KIB) : ""), '{"tool":"skill_load"}]}}'],
  ["names that are too many", "config.json", '{"agents":{"fallbackFilenames":[', (index) => `"f${index}.md",`, '"z.md"]}}'],
  ["blanks in a text", "config.toml", 'a = "', " ", '"\n'],
  ["brackets in a text", "config.yaml", 'a: "', "]", '"\n'],
  ["aliases", "config.yaml", "a: ", "*a ", "\n"],
  ["colons", "config.yaml", "", ": ", ""],
]; // prettier-ignore

const configs = CONFIGS.map(([what, name, before, part, after]) => {
  const text = before + filled(63 * KIB - before.length - after.length, part) + after;
  return longFile(`${what} (${name})`, `repo/.codelia/${name}`, text, CONFIG);
});

const TEXTS: readonly (readonly [what: string, part: string | ((index: number) => string)])[] = [
  ["blanks before a letter", " "],
  ["backticks", "`"],
  ["backticks of each length", (index) => `${"`".repeat(index % 500)} `],
  ["opened comments", "<!-- "],
  ["opened brackets", "["],
  ["links", (index) => `[a](b/c${index}.md) `],
  ["code spans with paths", (index) => `\`src/a${index}.ts\` `],
  ["examples of paths in one line", "e.g. `src/a.ts` "],
  ["definitions", (index) => `[a${index}]: b/c${index}.md\n`],
  ["quotes in each other", "> "],
  ["lists in each other", "- "],
  ["imports", (index) => `@a${index}.md `],
  ["imports with a blank", (index) => `@a\\ b${index}.md `],
  ["names of source files in one line", (index) => `\`SrcA${index}.ts\` `],
  ["tags of ours", "<agents_context "],
  ["what can't be seen", "\u200B\u{E0041}"],
  ["paragraphs", (index) => `${String(index).repeat(60)}\n\n`],
  ["names of instruction files", "AGENTS.md/"],
  ["lines", "\n"],
];

const texts = TEXTS.flatMap(([what, part]) => {
  const text = `${filled(KIB * KIB - 8, part)}a\n`;
  return [
    longFile(`${what} (CLAUDE.md)`, "repo/CLAUDE.md", text, TEXT),
    longFile(`${what} (a/AGENTS.md)`, "repo/a/AGENTS.md", text, TEXT),
    longFile(`${what} (SKILL.md)`, LONG_SKILL, skillFile("long", "A long one", text), SKILL),
  ];
});

const HEADERS: readonly (readonly [what: string, before: string, part: string | ((index: number) => string)])[] = [
  ["metadata that is no text", "metadata:\n", (index) => `  k${index}: 1\n`],
  ["keys", "", (index) => `k${index}: 1\n`],
  ["blanks", "description: a", " "],
  ["brackets", "description: ", "["],
  ["dashes", "", "- "],
];

const headers = HEADERS.map(([what, before, part]) => {
  const header = `name: long\n${before}${filled(16 * KIB - before.length - 16, part)}`;
  return longFile(`${what} (the header of a SKILL.md)`, LONG_SKILL, `---\n${header}\n---\nText.\n`, SKILL);
});

const DEFINITION = "repo/.agents/agents/x/agent.json";
const inputs = filled(250 * KIB, (index) => `"b.v${index}":{"required":false},`);
const CONTEXTS = '{"main":{"epoch":1,"coveredDirs":[],"loadedVersions":{},"loadedSkills":{}}}';
const session = `{"cwd":"/r","root":"/r","markers":[],"startedAt":1,"updatedAt":1,"contexts":${CONTEXTS}}`;
const ledger = filled(KIB * KIB, (index) => `"s${index}":${session},\n`);

const others: readonly HostileCase[] = [
  longFile(
    "rules with stars (.gitignore)",
    "repo/.gitignore",
    filled(KIB * KIB, (index) => `*a*b${index}*\n`),
    {
      check: {
        shows: [".gitignore:1 warning check-limit only its first 2000 lines that are not plain names are used"],
      },
    },
  ),
  longFile("rules of one name (.gitignore)", "repo/.gitignore", filled(KIB * KIB, "n\n"), {
    check: { shows: [".gitignore:1 warning check-limit only its first 10000 lines"] },
  }),
  longFile(
    "blanks in a line (Makefile)",
    "repo/Makefile",
    `a${" ".repeat(KIB * KIB - 8)}b\n`,
    { check: {} },
    { entries: { "repo/a/AGENTS.md": "Run `make gone`.\n" } },
  ),
  longFile(
    "names in a line (justfile)",
    "repo/justfile",
    `${filled(KIB * KIB - 8, "a-")}\n`,
    { check: {} },
    { entries: { "repo/a/AGENTS.md": "Run `just gone`.\n" } },
  ),
  longFile(
    "modules (.gitmodules)",
    "repo/.gitmodules",
    filled(255 * KIB, (index) => `[submodule "m${index}"]\n\tpath = m${index}\n`),
    all("check"),
    { entries: { "repo/a/AGENTS.md": filled(900 * KIB, (index) => `\`gone/x${index}.md\` `) } },
  ),
  longFile(
    "unknown keys (agent.json)",
    DEFINITION,
    `{"version":"1.0","name":"x","entryStep":"a",${filled(250 * KIB, (index) => `"k${index}":1,`)}"steps":{}}`,
    { check: { exit: 1, shows: ["unknown key 'k0'"] } },
    { isAlwaysPlayed: true },
  ),
  longFile(
    "inputs (agent.json)",
    DEFINITION,
    `{"version":"1.0","name":"x","entryStep":"a","steps":{"a":{"prompt":{"path":"a.md"},"inputs":{"variables":{${inputs}"b.z":{}}}}}}`,
    { check: { exit: 1 } },
    {
      isAlwaysPlayed: true,
      entries: { "repo/.agents/agents/x/a.md": filled(250 * KIB, (index) => `{uv-b_v${index}} `) },
    },
  ),
  longFile(
    "sessions (.codelia/session.json)",
    "repo/.codelia/session.json",
    `{"version":1,"tree":"1:2","n":1,"sessions":{\n${ledger}"z":{}\n}}\n`,
    all("session list", "resolve", "hook claude, tool", "inspect"),
  ),
];

export const LONG_FILES: readonly HostileCase[] = [...configs, ...texts, ...headers, ...others];
