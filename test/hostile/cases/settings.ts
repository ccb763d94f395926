import type { HostileCase } from "../lib/hostile-case.ts";

// A client's settings that come with a clone: the hooks in them are read by `check`, `doctor`, `install` and `uninstall`.

/** What JavaScript calls blank and no shell does. */
const ODD_BLANKS = ["\u00A0", "\v", "\f", "\u1680", "\u2028", "\u3000", "\uFEFF"];

function hooks(...commands: readonly string[]): string {
  const handlers = commands.map((command) => ({ type: "command", command, timeout: 10 }));
  return JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: handlers }] } });
}

/** Patterns that are meant to keep their reader busy; `unclear`: what they exclude can't be told. */
const EXCLUDES: readonly (readonly [what: string, patterns: readonly string[], unclear: boolean])[] = [
  ["commas behind a brace", [`{${",".repeat(32_768)}`], true],
  ["signs of the opposite", ["!".repeat(60_000)], true],
  ["braces in braces", ["{a,{b,".repeat(600) + "}".repeat(1200)], true],
  ["stars", ["*a".repeat(2000)], false],
  ["more patterns than anyone writes", Array.from({ length: 50_000 }, (_, index) => `**/a${index}/*`), true],
];

const excluding: readonly HostileCase[] = EXCLUDES.map(([what, claudeMdExcludes, unclear]) => ({
  what: `with 'claudeMdExcludes' of ${what}`,
  isAlwaysPlayed: true,
  entries: { "repo/.claude/settings.json": JSON.stringify({ claudeMdExcludes }) },
  expected: {
    explain: unclear ? { shows: ["skipped: the client's settings may exclude it"] } : { hides: ["exclude it"] },
    "hook claude, start": {},
    "hook claude, tool": { shows: ["{tree}/repo/a/AGENTS.md"] },
    check: {},
  },
}));

const MANY_BYTES = 256 * 1024;

function many(part: (index: number) => string): string {
  const length = part(10_000).length;
  return Array.from({ length: Math.floor(MANY_BYTES / length) }, (_, index) => part(index)).join("");
}

/** Entries without end. */
const ENTRIES: readonly (readonly [what: string, text: string, tooMany: boolean])[] = [
  ["of others", `{"hooks":{"PreToolUse":[${many(() => '{"hooks":[{"type":"command","command":"echo a"}]},')}]}}`, false],
  ["of ours", `{"hooks":{"PreToolUse":[${many(() => '{"hooks":[{"type":"command","command":"codelia hook claude"}]},')}]}}`, true],
  ["of ours in one group", `{"hooks":{"PreToolUse":[{"hooks":[${many(() => '{"type":"command","command":"codelia hook claude"},')}]}]}}`, true],
  ["of ours for events of their own", `{"hooks":{${many((index) => `"E${index}":[{"hooks":[{"command":"codelia hook claude"}]}],`)}}}`, true],
  ["of programs that are not there", `{"hooks":{${many((index) => `"E${index}":[{"hooks":[{"command":"./gone${index}"}]}],`)}}}`, false],
  ["in lines of their own", `{"hooks":{"PreToolUse":[\n${many((index) => `  {"hooks":[{"command":"./a${index}"}]},\n`)}]}}`, false],
  ["and comments", `{"hooks":{"PreToolUse":[${many(() => '/* a */{"hooks":[]},// b\n')}]}}`, false],
]; // prettier-ignore

const crowded: readonly HostileCase[] = ENTRIES.map(([what, text, tooMany]) => ({
  what: `with a quarter of a megabyte of entries ${what}`,
  isAlwaysPlayed: true,
  withinMs: 10_000,
  entries: { "repo/.claude/settings.json": text },
  expected: {
    check: {},
    doctor: {},
    install: tooMany ? { exit: 3, says: /contains \d+ hooks of ours, more than the 50/ } : { shows: ["+"] },
    uninstall: tooMany ? { exit: 3, says: /contains \d+ hooks of ours/ } : {},
  },
}));

export const SETTINGS_CASES: readonly HostileCase[] = [
  {
    what: "with blanks in a hook's command that are none to a shell",
    isAlwaysPlayed: true,
    entries: {
      "repo/.claude/settings.json": hooks(
        ...ODD_BLANKS.flatMap((blank) => [`codelia${blank}hook claude`, blank, `a;${blank};b`]),
      ),
    },
    expected: { check: {}, doctor: {}, install: { shows: ["+"] }, uninstall: {} },
  },
  ...excluding,
  ...crowded,
  {
    what: "of more than a megabyte",
    entries: { "repo/.claude/settings.json": `{"hooks":{}${" ".repeat(1024 * 1024)}}` },
    expected: {
      check: { exit: 1, shows: ["it is larger than 1048576 bytes"] },
      install: { exit: 3, says: /larger than 1048576 bytes/ },
      uninstall: { exit: 3, says: /larger than 1048576 bytes/ },
    },
  },
];
