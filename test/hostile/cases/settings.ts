import type { HostileCase } from "../lib/hostile-case.ts";

// A client's settings that come with a clone: the hooks in them are read by `check`, `doctor`, `install` and `uninstall`.

/** What JavaScript calls blank and no shell does. */
const ODD_BLANKS = ["\u00A0", "\v", "\f", "\u1680", "\u2028", "\u3000", "\uFEFF"];

function hooks(...commands: readonly string[]): string {
  const handlers = commands.map((command) => ({ type: "command", command, timeout: 10 }));
  return JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: handlers }] } });
}

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
];
