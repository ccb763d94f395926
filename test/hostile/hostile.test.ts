import { expect, setDefaultTimeout, test } from "bun:test";
import { CONFIG_CASES } from "./cases/configs.ts";
import { DEPTH_CASES } from "./cases/depths.ts";
import { HEADER_CASES } from "./cases/headers.ts";
import { LEDGER_CASES } from "./cases/ledgers.ts";
import { LONG_FILES } from "./cases/long-files.ts";
import { BYTE_NAME_CASES, NAME_CASES } from "./cases/names.ts";
import { SETTINGS_CASES } from "./cases/settings.ts";
import { STRANGE_FILES } from "./cases/strange-files.ts";
import { TAKEOVER_CASES } from "./cases/takeovers.ts";
import { TEXT_CASES } from "./cases/texts.ts";
import { CORE_COMMANDS } from "./lib/commands.ts";
import type { HostileCase } from "./lib/hostile-case.ts";
import { playCase } from "./lib/play-case.ts";

setDefaultTimeout(120_000);

// What a clone may hold, on the built binary. A family is a table: one that is new is a file in `cases/` and a line here.
// A case is played with the commands that it speaks of and one more, with `npm run test:all -- --whole` with every command.
// `npm run test:all` plays every case; `npm test` every fourth one, and those that say so.
const IS_WHOLE = process.env["CODELIA_TEST_WHOLE"] === "1";
const IS_ALL = IS_WHOLE || process.env["CODELIA_TEST_ALL"] === "1";
const EVERY = IS_ALL ? 1 : 4;

const FAMILIES: Readonly<Record<string, readonly HostileCase[]>> = {
  "a strange file": STRANGE_FILES,
  "a name": [...NAME_CASES, ...BYTE_NAME_CASES],
  "a shape of the tree": DEPTH_CASES,
  "an instruction file": TEXT_CASES,
  "a skill": HEADER_CASES,
  "a config": CONFIG_CASES,
  "a ledger": LEDGER_CASES,
  "a client's settings": SETTINGS_CASES,
  "a long file": LONG_FILES,
  "a takeover by": TAKEOVER_CASES,
};

for (const [family, cases] of Object.entries(FAMILIES)) {
  for (const [index, hostile] of cases.entries()) {
    if (index % EVERY !== 0 && !hostile.isAlwaysPlayed) continue;
    const { what, skip: unplantable, isHeavy = false } = hostile;
    const skip = isHeavy && !IS_ALL ? "only under npm run test:all" : unplantable;
    test.skipIf(skip !== undefined)(`${family} ${what}${skip === undefined ? "" : ` (skipped: ${skip})`}`, async () => {
      const also = CORE_COMMANDS[index % CORE_COMMANDS.length];
      expect(await playCase(hostile, IS_WHOLE ? "all" : also)).toEqual([]);
    });
  }
}
