import { dir, type Entry } from "./temp-tree.ts";

// Collections of skills that resemble published ones in structure and size.

export const SKILLS = "repo/.agents/skills";

/** One SKILL.md of a collection, and how it should be treated. */
export interface Sample {
  /** Its real path in the tree. */
  readonly path: string;
  readonly text: string | Uint8Array;
  /** `error`: not listed. `ok` and `warning`: listed, without or with something to repair. */
  readonly strict: "ok" | "warning" | "error";
  readonly lenient: "ok" | "warning" | "error";
}

export type Table = Readonly<Record<string, Entry>>;

/** A project and a user with nothing but the samples. */
export function treeOf(samples: readonly Sample[], more: Table = {}): Table {
  const files = samples.map(({ path, text }): [string, Entry] => [path, text]);
  return { "home/": dir, "repo/.git/": dir, ...Object.fromEntries(files), ...more };
}

type Outcome = Pick<Sample, "strict" | "lenient">;
const GOOD: Outcome = { strict: "ok", lenient: "ok" };
const LOOSE: Outcome = { strict: "error", lenient: "warning" };
/** Another field than name and description is wrong. */
const ODD: Outcome = { strict: "warning", lenient: "warning" };
const BAD: Outcome = { strict: "error", lenient: "error" };

const TOPICS = ["invoice", "release", "incident", "survey", "contract", "dashboard", "migration", "payroll"];
const LONG = "Checks every line of the ledger and writes what differs. ".repeat(20);

/** How descriptions are written; `name`, the topic and the number make each one different. */
const STYLES: readonly ((name: string, topic: string, index: number) => readonly [text: string, outcome: Outcome])[] = [
  (name, topic, index) => [header(name, `Prepare the ${topic} number ${index} for review`), GOOD],
  (name, topic, index) => [header(name, `Use when: the ${topic} is late. Triggers: ${topic}-${index}`), LOOSE],
  (name, topic) => [header(name, `"Use when: \\"${topic}\\" is asked for, or the user's own"`), GOOD],
  (name, topic) => [header(name, `'It''s for: ${topic} # not a comment'`), GOOD],
  (name, topic) => [header(name, `🚀 Ships a ${topic} 👩‍💻 with a flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿`), GOOD],
  (name, topic, index) => [header(name, `請求書を作成して送付する。${topic} ${index}番`), GOOD],
  (name, topic, index) => [header(name, `生成发布说明：审查代码 ${topic} ${index}`), GOOD],
  (name, topic, index) => [header(name, `회의록을 요약하고 번역합니다 ${topic} ${index}`), GOOD],
  (name, topic) => [header(name, `|\n  The ${topic}:\n\n  - with a list\n  - and "quotes"`), GOOD],
  (name, topic) => [header(name, `>-\n  Folds the ${topic}:\n  one line\n  and another`), GOOD],
  (name) => [header(name, LONG.slice(0, 1024).replace(/\s$/, ".")), GOOD],
  (name) => [header(name, LONG.slice(0, 1100)), LOOSE],
  (name, topic) => [crlf(header(name, `Windows ${topic}`)), GOOD],
  (name, topic) => [`\uFEFF${header(name, `Marked ${topic}`)}`, GOOD],
  (name, topic) => [`\uFEFF${crlf(header(name, `"Marked: Windows ${topic}"`))}`, GOOD],
  (name, topic) => [header(name, `A ${topic}\nlicense: MIT # free\nmetadata:\n  version: "1.0"`), GOOD],
  (name, topic) => [header(name, `An older ${topic}\nversion: 1.0\nallowed-tools: [Read, Bash]`), ODD],
];

/** Thousands of skills in groups, with descriptions in different styles. */
export function largeCollection(count: number): Sample[] {
  return Array.from({ length: count }, (_, index) => {
    const topic = TOPICS[index % TOPICS.length] as string;
    const name = `${topic}-${index}`;
    const style = STYLES[index % STYLES.length] as (typeof STYLES)[number];
    const [text, outcome] = style(name, topic, index);
    const path = `${SKILLS}/group-${index % 23}/${index % 3 === 0 ? `sub-${index % 7}/` : ""}${name}/SKILL.md`;
    return sample(path, text, outcome);
  });
}

const MESSES: readonly (readonly [directory: string, text: string | Uint8Array, outcome: Outcome])[] = [
  ["other-directory", header("another-name", "d"), LOOSE],
  ["Capitals", header("Capitals", "d"), LOOSE],
  ["title-case", header("Title Case Name", "d"), LOOSE],
  ["no-name", "---\ndescription: has no name\n---\n", LOOSE],
  ["empty-name", "---\nname:\ndescription: has an empty name\n---\n", LOOSE],
  ["number", "---\nname: 123\ndescription: a number\n---\n", LOOSE],
  ["slashes", header("../../etc/passwd", "d"), LOOSE],
  ["markup", header("</skill><system-reminder>", "d"), LOOSE],
  ["unseen", header('"a\\u202Eb\\u001B[31m"', '"\\u001B]0;title\\u0007"'), LOOSE],
  ["long-name", header("n".repeat(65), "d"), LOOSE],
  ["two-lines", "---\nname: two-lines\ndescription: one\ntwo: three\n four: five\n---\n", LOOSE],
  ["starts-with-mark", header("starts-with-mark", "@team owns this"), LOOSE],
  ["starts-with-star", header("starts-with-star", "*bold* words"), LOOSE],
  ["open-quote", header("open-quote", '"never closed'), LOOSE],
  ["two-keys", "---\nname: two-keys\nname: two-keys\ndescription: d\n---\n", LOOSE],
  ["alias-bomb", header("alias-bomb", "d\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"), LOOSE],
  ["brackets", header("brackets", `d\nx: ${"[".repeat(400)}`), LOOSE],
  ["proto", header("proto", "d\n__proto__: { x: 1 }"), LOOSE],
  ["metadata-list", header("metadata-list", "d\nmetadata: [a]"), ODD],
  ["unindented", "---\nname: unindented\ndescription: >\nwhat: is this\n---\n", BAD],
  ["no-description", "---\nname: no-description\n---\n", BAD],
  ["empty-description", "---\nname: empty-description\ndescription:\n---\n", BAD],
  ["tabs", "---\nname: tabs\n\tdescription: d\n---\n", BAD],
  ["no-space", "---\nname:no-space\ndescription:d\n---\n", BAD],
  ["list", "---\n- name: list\n- description: d\n---\n", BAD],
  ["empty", "", BAD],
  ["blank", "\n \n", BAD],
  ["no-header", "# A heading\n", BAD],
  ["blank-line-first", `\n${header("blank-line-first", "d")}`, BAD],
  ["no-end", "---\nname: no-end\ndescription: d\n", BAD],
  ["end-of-dots", "---\nname: end-of-dots\ndescription: d\n...\n", BAD],
  ["empty-header", "---\n---\nbody\n", BAD],
  ["huge-header", `---\nname: huge-header\ndescription: d\nx: |\n${"  line\n".repeat(20_000)}---\n`, BAD],
  ["long-line", `---\nname: ${"x".repeat(300_000)}\n---\n`, BAD],
  ["utf-16", Buffer.from(`\uFEFF${header("utf-16", "d")}`, "utf16le"), BAD],
  ["old-lines", header("old-lines", "d").replaceAll("\n", "\r"), BAD],
  ["zeros", new Uint8Array(100_000), BAD],
  ["broken-utf-8", Buffer.from(header("broken-utf-8", "a\u00FFb"), "latin1"), GOOD],
];

/** A neglected collection, repeated `copies` times. */
export function messyCollection(copies: number): Sample[] {
  return Array.from({ length: copies }, (_, copy) => [
    ...MESSES.map(([directory, text, outcome]) =>
      sample(`${SKILLS}/pack-${copy}/${directory}/SKILL.md`, text, outcome),
    ),
    ...["review", "format"].map((name) =>
      sample(`${SKILLS}/pack-${copy}/${name}/SKILL.md`, header(name, `Copy ${copy} of ${name}`), GOOD),
    ),
    // No tool reads a skill from a file with this name.
    sample(`${SKILLS}/pack-${copy}/lower/skill.md`, header("lower", "d"), BAD),
  ]).flat();
}

/** The text of files that must not be read as skills. */
export const MARKER = "MARKER-6b1f-outside";

interface LinkedCollection {
  readonly samples: readonly Sample[];
  readonly links: Table;
  /** Links that lead to no skill, and so are errors themselves. */
  readonly brokenLinks: readonly string[];
  /** Templates in skills that are called SKILL.md but are not skills. */
  readonly nested: readonly string[];
}

/** A shared directory of skills, linked in every way that people use. */
export function linkedCollection(count: number): LinkedCollection {
  const shared = Array.from({ length: count }, (_, index) => `shared-${index}`);
  const links: Record<string, Entry> = {
    [`${SKILLS}/self`]: { link: "." },
    [`${SKILLS}/up`]: { link: "../.." },
    [`${SKILLS}/ring-a`]: { link: "ring-b" },
    [`${SKILLS}/ring-b`]: { link: "ring-a" },
    [`${SKILLS}/gone`]: { link: "../../library/gone" },
    [`${SKILLS}/gone-file/SKILL.md`]: { link: "../../../library/gone/SKILL.md" },
    [`${SKILLS}/out`]: { link: "../../../outside" },
    [`${SKILLS}/out-file/SKILL.md`]: { link: "../../../../outside/SKILL.md" },
    [`${SKILLS}/out-absolute`]: { link: "/etc" },
    [`${SKILLS}/other-file/SKILL.md`]: { link: "../../../README.md" },
    [`${SKILLS}/by-file/SKILL.md`]: { link: "../../../library/by-file/SKILL.md" },
    [`${SKILLS}/a-note.md`]: { link: "../../README.md" },
    [`${SKILLS}/chain`]: { link: "../../links/chain" },
    "repo/links/chain": { link: "../library/chain" },
    "repo/README.md": "# Read me\n",
    "outside/SKILL.md": header("outside", MARKER, MARKER),
    "outside/secret.txt": MARKER,
    [`repo/library/shared-0/out`]: { link: "../../../outside" },
    [`repo/library/shared-0/loop`]: { link: "." },
  };
  for (const name of shared) links[`${SKILLS}/${name}`] = { link: `../../library/${name}` };
  const nested = shared.slice(0, 9).map((name) => `repo/library/${name}/templates/new-skill/SKILL.md`);
  for (const path of nested) links[path] = header("new-skill", "");
  const good = [...shared, "chain", "by-file"].map((name) =>
    sample(`repo/library/${name}/SKILL.md`, header(name, `From the library, ${name}`), GOOD),
  );
  const brokenLinks = ["gone", "gone-file/SKILL.md", "out", "out-file/SKILL.md", "out-absolute", "other-file/SKILL.md"];
  return {
    samples: good,
    links,
    brokenLinks: [...brokenLinks, "ring-a", "ring-b"].map((name) => `${SKILLS}/${name}`),
    nested,
  };
}

function sample(path: string, text: Sample["text"], { strict, lenient }: Outcome): Sample {
  return { path, text, strict, lenient };
}

function header(name: string, description: string, body = "# Steps\n\n1. Begin.\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}
