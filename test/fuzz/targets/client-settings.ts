import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { hookPrograms } from "../../../src/check/hook-programs.ts";
import { loadSettings } from "../../../src/clients/registry.ts";
import { reasonsOf } from "../../../src/clients/settings/doctor.ts";
import { expectedHooks, type ExpectedHooks } from "../../../src/clients/settings/expected.ts";
import { install, uninstall } from "../../../src/clients/settings/install.ts";
import { surveyFile } from "../../../src/clients/settings/script.ts";
import { surveyHooks, whyTooMany, withoutOwn } from "../../../src/clients/settings/survey.ts";
import { readSettingsText } from "../../../src/clients/settings/text.ts";
import type { FuzzTarget } from "../lib/target.ts";

const CLIENTS = (await loadSettings()).map((client) => ({
  client,
  expected: expectedHooks(client, "project", ["/opt/codelia"]),
}));
const [CLAUDE, CURSOR] = ["claude", "cursor"].map((name) => CLIENTS.find(({ client }) => client.name === name)!);
const SCRIPTS = CLIENTS.filter(({ client }) => client.layout.kind === "scripts");

/** What is left; all of it where it is too much to be changed. */
function uninstalled(text: string, expected: ExpectedHooks): string | undefined {
  if (whyTooMany(readSettingsText(text).data, expected.client) !== undefined) return text;
  const edited = uninstall(text, expected, undefined);
  return edited.kind === "text" ? edited.text : text;
}

/** The settings of a client: what `check`, `doctor`, `install` and `uninstall` make of them. */
export const target: FuzzTarget = {
  read(input) {
    const { client, expected } = CLAUDE!;
    const { data } = readSettingsText(input);
    return [
      surveyHooks(data, expected),
      reasonsOf(surveyHooks(data, expected).events),
      withoutOwn(data, client.name),
      hookPrograms(data, { client: client.name, root: "/r", variable: client.rootVariable }),
      install(input, expected, undefined, true),
      uninstalled(input, expected),
      ...CLIENTS.map((each) => each.client.refuses?.({ text: input, bom: "" })),
      ...SCRIPTS.map((script) => surveyFile(input, script.expected, script.client.sampled)),
    ];
  },
  check(input) {
    for (const { client, expected } of SCRIPTS) install(input, expected, client.sampled, true);
    for (const { expected } of [CLAUDE!, CURSOR!]) {
      const before = readSettingsText(input);
      const installed = install(input, expected, undefined, true);
      if (installed.kind === "problem") {
        ok(installed.problem !== "", "a problem without a sentence");
        continue;
      }
      if (before.data === undefined) continue;
      const text = installed.text ?? "";
      const { data } = readSettingsText(text);
      const events = surveyHooks(data, expected).events.filter(({ event }) => expected.groups.has(event));
      deepStrictEqual([...new Set(events.map(({ state }) => state))], ["current"], "installed it is not as it should be");
      const again = install(text, expected, undefined, true);
      equal(again.kind === "text" && again.text, text, "installed again it is another");
      const gone = uninstalled(text, expected);
      const left = gone === undefined ? [] : surveyHooks(readSettingsText(gone).data, expected).events;
      ok(left.every(({ found }) => found.length === 0), "uninstalled, something of ours is left");
    }
  },
  words: ['{"hooks":{}}', '"PreToolUse":[', '"Stop":[', '{"matcher":"*","hooks":[', '{"type":"command","command":"codelia hook claude","timeout":10}', '"command":"codelia hook cursor"', '"args":["hook","claude"]', ",", "]", "}", "//a\n", "/**/", '"disableAllHooks":true'],
  parts: ['{"hooks":[{"type":"command","command":"codelia hook claude"}]},', '{"command":"codelia hook claude"},', '"E№":[{"command":"codelia hook claude"}],', ",", "//\n"],
  frames: [
    ['{"hooks":{"PreToolUse":[', "]}}"],
    ['{"hooks":{"PreToolUse":[{"hooks":[', "]}]}}"],
    ['{"hooks":{', "}}"],
  ],
  growth: [16_384, 65_536],
}; // prettier-ignore
