import { describe, expect, test } from "bun:test";
import { isSameCommand, PRESENCE_GUARD, readOwnCommand } from "../../../src/clients/settings/own-command.ts";

describe("readOwnCommand() knows what an installer wrote", () => {
  const PLAIN: [line: string, program: string, part?: string][] = [
    ["codelia hook claude", "codelia"],
    ["'/opt/bin/codelia' hook claude --part 1/4", "/opt/bin/codelia", "1/4"],
    [`"/opt/my bin/codelia" hook claude --part=2/4`, "/opt/my bin/codelia", "2/4"],
    [String.raw`/opt/my\ bin/codelia hook 'claude'`, "/opt/my bin/codelia"],
    [String.raw`'/it'\''s/codelia' hook claude`, "/it's/codelia"],
    ["  exec   codelia\thook claude  ", "codelia"],
    ["codelia hook claude # ours", "codelia"],
    ["'/usr/bin/node' '/x/dist/codelia.mjs' hook claude", "/x/dist/codelia.mjs"],
    ["'/x/bun' '/x/codelia/src/main.ts' hook claude", "/x/codelia/src/main.ts"],
    ["'/x/node22.exe' '/x/codelia.mjs' hook claude", "/x/codelia.mjs"],
    ["/opt/codelia-0.1.0-linux-x64 hook claude", "/opt/codelia-0.1.0-linux-x64"],
    ["sh hooks/codelia.sh hook claude", "hooks/codelia.sh"],
    [`"$HOME"/bin/codelia hook claude`, "$HOME/bin/codelia"],
    [`"$(printf '/a\\033/codelia')" hook claude`, "$(printf '/a\\033/codelia')"],
    [`${PRESENCE_GUARD}codelia hook claude --part 3/4`, "codelia", "3/4"],
  ];
  for (const [line, program, part] of PLAIN) {
    test(line, () => expect(readOwnCommand(line, "claude")).toEqual({ program, part, isPlain: true }));
  }
});

describe("readOwnCommand() knows what someone added to", () => {
  const ADDED: string[] = [
    "CODELIA_TRACE=/tmp/trace codelia hook claude",
    "env A=b codelia hook claude",
    "timeout 5 codelia hook claude",
    "codelia hook claude --quiet",
    "codelia hook claude --part 1/4 --quiet",
    "codelia hook claude 2>/dev/null",
    "codelia hook claude 2>>log",
    "cd /x && codelia hook claude",
    "[ -x /x/codelia ] && /x/codelia hook claude",
    "codelia hook claude || true",
    "(codelia hook claude)",
    "if true; then codelia hook claude; fi",
    "sh -c 'codelia hook claude'",
    "cat | codelia hook claude",
    "'codelia hook claude",
  ];
  for (const line of ADDED) {
    test(line, () => expect(readOwnCommand(line, "claude")?.isPlain).toBe(false));
  }
});

describe("readOwnCommand() leaves others alone", () => {
  const OTHERS: string[] = [
    "",
    "echo codelia hook claude",
    "echo 'codelia hook claude'",
    "codelia hook codex",
    "codelia hook",
    "codelia resolve hook claude",
    "notcodelia hook claude",
    "/x/codelia/run hook claude",
    "cat <<< codelia",
    "# codelia hook claude",
    // What is blank to a reader is none to a shell.
    ...["\u00A0", "\v", "\f", "\r", "\u1680", "\u2028", "\u3000", "\uFEFF"].map(
      (blank) => `codelia${blank}hook claude`,
    ),
    "grep 'codelia' hook claude",
    "python codelia hook claude",
  ];
  for (const line of OTHERS) test(line, () => expect(readOwnCommand(line, "claude")).toBeUndefined());
});

test("isSameCommand() looks through quotes, and at nothing else", () => {
  expect(isSameCommand("'/a/codelia' hook claude", String.raw`"/a/codelia"  hook cl\aude`)).toBe(true);
  expect(isSameCommand("codelia hook claude", "codelia hook claude;")).toBe(true);
  expect(isSameCommand("codelia hook claude", "codelia hook claude 2>&1")).toBe(false);
  expect(isSameCommand("a && b", "a || b")).toBe(false);
  expect(isSameCommand("codelia hook claude", "codelia 'hook claude'")).toBe(false);
});
