import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { lstatSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forgetContexts, prune } from "../../../src/ledger/changes.ts";
import { findSession, mergeLedgers } from "../../../src/ledger/contexts.ts";
import { isLedger, isSession, printLedger, readSession } from "../../../src/ledger/format.ts";
import { readLedger, viewIn } from "../../../src/ledger/read.ts";
import { LedgerSchema, SessionSchema } from "../../../src/ledger/schema.ts";
import type { FuzzTarget } from "../lib/target.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** In the corpus this stands for the directory that the ledger is in. */
const TREE = "1:2";

const place = makePlace();

/** The text of a ledger: a clone's, a crash's, a future version's. */
export const target: FuzzTarget = {
  read: (input) => [readSession(input, "s"), isLedger(parsed(input))],
  check(input) {
    const value = parsed(input);
    if (!isBeyondZod(value)) {
      equal(isLedger(value), LedgerSchema.safeParse(value).success, "the schema disagrees");
      equal(isSession(value), SessionSchema.safeParse(value).success, "the schema disagrees about a session");
    }
    const quick = readSession(input, "s");
    if (quick.kind === "session") ok(isSession(quick.session), "a session of another shape");
    checkFile(input);
    if (!isLedger(value)) return;
    const printed = printLedger(value);
    const again = JSON.parse(printed);
    ok(isLedger(again), "printed it has another shape");
    deepStrictEqual(again, asJson(value), "printed it says something else");
    for (const [id, session] of Object.entries(again.sessions)) {
      const found = readSession(printed, id);
      deepStrictEqual(found, { kind: "session", session, tree: found.kind === "other-shape" ? "" : found.tree }, "a session is not found again");
    }
    const merged = mergeLedgers(value, value);
    deepStrictEqual(mergeLedgers(merged, value), merged, "merged again it says something else");
    const { ledger, idle } = prune(value, "s", 40 * DAY_MS);
    equal(Object.keys(ledger.sessions).length + idle.length, Object.keys(value.sessions).length, "pruning lost a session");
    const contexts = Object.keys(findSession(value, "s")?.contexts ?? {});
    const forgotten = forgetContexts(value, "s", contexts);
    const undone = findSession(mergeLedgers(forgotten, value), "s")?.contexts ?? {};
    deepStrictEqual(Object.keys(undone), [], "what was forgotten comes back");
  },
  words: [
    '{"version":1,"tree":"1:2","n":1,"sessions":{\n', '"s":', "\n}}\n", '"cwd":"/r"', '"contexts":{"main":', '"epoch":1', '"coveredDirs":["/r"]',
    '"loadedVersions":{', '{"mtimeMs":1,"sizeBytes":1,"n":1}', '"loadedSkills":{}', '"__proto__":', ",\n", '"markers":[]', '"startedAt":1', '"updatedAt":1',
  ],
  parts: ['"s№":', ",", "{", "}", "\n", '"k№":{"mtimeMs":1,"sizeBytes":1,"n":1},', '"/a№",', '"', "1"],
  frames: [
    ["", ""],
    ['{"version":1,"tree":"1:2","n":1,"sessions":{\n', "\n}}\n"],
    ['{"version":1,"tree":"1:2","n":1,"sessions":{\n"s":{"cwd":"/r","root":"/r","markers":[],"startedAt":1,"updatedAt":1,"contexts":{"main":{"epoch":1,"coveredDirs":[],"loadedSkills":{},"loadedVersions":{', "}}}}\n}}\n"],
  ],
  growth: [16_384, 65_536],
}; // prettier-ignore

/** As a file, in the directory that it names: the whole and the part of it that a hook reads say the same, and nothing throws. */
function checkFile(input: string): void {
  writeFileSync(join(place.directory, "session.json"), input.replaceAll(TREE, place.tree));
  const whole = readLedger(place);
  const { session } = viewIn(place, "s");
  if (whole.kind === "ledger") {
    const own = Object.hasOwn(whole.ledger.sessions, "s") ? whole.ledger.sessions["s"] : undefined;
    deepStrictEqual(session, own, "a hook sees another session");
  } else if (session !== undefined) ok(isSession(session), "a session of another shape");
  if (whole.kind === "foreign") ok(whole.reason !== "", "set aside without a reason");
}

function makePlace() {
  const directory = mkdtempSync(join(tmpdir(), "codelia-fuzz-"));
  const { dev, ino } = lstatSync(directory);
  return { directory, isInProject: true, root: directory, treeFile: join(directory, "tree"), tree: `${dev}:${ino}` };
}

/** What JSON can keep of it: of a zero no sign. */
function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

/** zod looks at no value under the key `__proto__`: `isLedger` is stricter there. */
function isBeyondZod(value: unknown): boolean {
  return JSON.stringify(value)?.includes('"__proto__"') === true;
}
