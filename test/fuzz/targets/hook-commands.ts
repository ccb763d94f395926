import { equal, ok } from "node:assert/strict";
import { calledPrograms, calledWords } from "../../../src/check/hook-programs.ts";
import { isSameCommand, readOwnCommand } from "../../../src/clients/settings/own-command.ts";
import { simpleCommands } from "../../../src/clients/settings/own-command.ts";
import type { FuzzTarget } from "../lib/target.ts";

const KNOWN = { CLAUDE_PROJECT_DIR: "/r" };

/** The command of a hook, in the settings of a client that come with a clone. */
export const target: FuzzTarget = {
  read: (input) => [
    simpleCommands(input),
    readOwnCommand(input, "claude"),
    isSameCommand(input, `${input} `),
    calledPrograms(input, "/r", KNOWN),
    calledWords(input.split(" "), "/r"),
  ],
  check(input) {
    const commands = simpleCommands(input);
    const words = commands?.flatMap((command) => command.words.concat(command.redirections)) ?? [];
    ok(words.join("").length <= input.length, "more words than are written");
    const own = readOwnCommand(input, "claude");
    if (own !== undefined) ok(/codelia/i.test(own.program), `'${own.program}' is taken for ours`);
    equal(isSameCommand(input, input), true, "a command is another than itself");
    for (const { word } of calledPrograms(input, "/r", KNOWN)) ok(word !== "" || input !== "", "a program without a name");
  },
  words: ["codelia hook claude", "--part 1/4", "command -v codelia >/dev/null 2>&1 || exit 0; exec ", "sh -c '", "env A=b ", "timeout 5 ", "$CLAUDE_PROJECT_DIR/x.sh", "cd a && ", "2>/dev/null", "# a", "if true; then ", "fi", "node -e '"],
  parts: ["codelia ", "sh -c ", "'", '"', "`", "$(", "(", "\\", " ", "\n", "|", ">", "<<E\n", "\u00A0", "#", "a=1 ", "a"],
  growth: [16_384, 65_536],
}; // prettier-ignore
