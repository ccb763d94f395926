import { expect, test } from "bun:test";
import { checkProject, foundIn, runCheck } from "../support/check-project.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { dir, type Entry } from "../support/temp-tree.ts";

// `codelia check` says what clients leave out of their lists of a project's skills. The numbers are those of the clients:
// see e2e/skill-list-room.test.ts.

type Files = Readonly<Record<string, Entry>>;

const LONG = `Reviews one part of the code${", and then the part beside it".repeat(10)}.`;

function skills(count: number, place: string, description = LONG, more = ""): Files {
  const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(3, "0"));
  const text = (number: string) => `---\nname: skill-${number}\ndescription: ${description}\n${more}---\nBegin.\n`;
  return Object.fromEntries(numbers.map((number) => [`${place}/skill-${number}/SKILL.md`, text(number)]));
}

const IN_CLAUDE = ".claude/skills:1 client-list-full";
const IN_CODEX = ".agents/skills:1 client-list-full";

const CASES: [what: string, files: Files, found: string[]][] = [
  ["Claude Code has room for 70 skills with long descriptions", skills(70, ".claude/skills"), []],
  ["but not for 90", skills(90, ".claude/skills"), [IN_CLAUDE]],
  [
    "nor for linked ones",
    { ...skills(90, ".agents/skills"), ".claude/skills": { link: "../.agents/skills" } },
    [IN_CLAUDE],
  ],
  ["it has for short ones", skills(300, ".claude/skills", "Reviews one part."), []],
  [
    "it does not list what only people call",
    skills(90, ".claude/skills", LONG, "disable-model-invocation: true\n"),
    [],
  ],
  [
    "the project gives it more room",
    { ...skills(90, ".claude/skills"), ".claude/settings.json": '{ "skillListingBudgetFraction": 0.02 }' },
    [],
  ],
  [
    "the project has it list some by name only",
    {
      ...skills(90, ".claude/skills"),
      ".claude/settings.json": JSON.stringify({
        skillOverrides: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`skill-0${at + 10}`, "name-only"])),
      }),
    },
    [],
  ],
  ["git ignores them", { ...skills(90, ".claude/skills"), ".gitignore": ".claude/skills\n" }, []],
  [
    "a package below has its own",
    { ...skills(90, "web/.claude/skills"), ".claude/": dir },
    ["web/.claude/skills:1 client-list-full"],
  ],
  [
    "a package below has some as well",
    { ...skills(90, ".claude/skills"), ...skills(5, "web/.claude/skills") },
    [IN_CLAUDE],
  ],
  [
    "together with those of the package they are too many",
    { ...skills(50, ".claude/skills"), ...skills(40, "web/.claude/skills") },
    [IN_CLAUDE],
  ],
  ["a template has many", { ...skills(90, "templates/shop/.claude/skills"), ".claude/": dir }, []],
  ["no client is there", skills(300, ".agents/skills"), []],
  ["Codex shortens descriptions by little", { ...skills(60, ".agents/skills"), ".codex/": dir }, []],
  ["Codex shortens them by much", { ...skills(100, ".agents/skills"), ".codex/": dir }, [IN_CODEX]],
  ["Codex leaves some out", { ...skills(600, ".agents/skills", "Reviews."), ".codex/": dir }, [IN_CODEX]],
];
test.each(CASES)("%s", (_what, files, found) => {
  using tree = checkProject(files);
  expect(foundIn(tree).filter((place) => place.endsWith("client-list-full"))).toEqual(found);
});

interface Found {
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
  readonly places: readonly string[];
}

function fullLists(files: Files): [message: string, remedy: string, places: number][] {
  using tree = checkProject(files);
  const { findings } = JSON.parse(runCheck(tree, ["--json"]).stdout) as { findings: Found[] };
  const full = findings.filter(({ rule }) => rule === "client-list-full");
  return full.map(({ message, remedy, places }) => [message, remedy, places.length]);
}

test("says how many, which, and what helps", () => {
  expect(fullLists(skills(90, ".claude/skills"))).toEqual([
    [
      "Claude Code lists 19 of 90 skills without a description ('skill-071', 'skill-072', 'skill-073' and 16 more): its list of skills has no room for more",
      "shorten the longest descriptions ('skill-000', 'skill-001', 'skill-002'), remove skills that nobody needs, or raise 'skillListingBudgetFraction' in '.claude/settings.json'",
      19,
    ],
  ]);
  expect(fullLists({ ...skills(100, "web/.agents/skills"), ".codex/": dir })).toEqual([
    [
      "in 'web', Codex cuts 100 of 100 skills to 168 characters of description ('skill-000', 'skill-001', 'skill-002' and 97 more): its list of skills has no room for more",
      "shorten the longest descriptions ('skill-000', 'skill-001', 'skill-002'), remove skills that nobody needs, or raise 'skills.max_context_tokens' in '.codex/config.toml'",
      100,
    ],
  ]);
  expect(fullLists({ ...skills(600, ".agents/skills", "Tests."), ".codex/": dir })).toEqual([
    [
      "Codex leaves out 110 of 600 skills ('skill-490', 'skill-491', 'skill-492' and 107 more) and lists 490 of 600 skills without a description ('skill-000', 'skill-001', 'skill-002' and 487 more): its list of skills has no room for more",
      "remove skills that nobody needs, or raise 'skills.max_context_tokens' in '.codex/config.toml'",
      600,
    ],
  ]);
});

test("what codelia's hooks tell is not lost", () => {
  using tree = checkProject({ ...skills(100, ".agents/skills"), ".codex/": dir });
  const options = { cwd: tree.path("repo"), home: tree.path("home") };
  expect(runCodelia(["install", "codex", "--scope", "user", "--yes"], options).exitCode).toBe(0);
  expect(foundIn(tree)).toEqual([]);
});
