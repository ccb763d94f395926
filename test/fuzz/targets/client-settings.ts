import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { loadSettings } from "../../../src/clients/registry.ts";
import { reasonsOf } from "../../../src/hooks/doctor.ts";
import { hookPrograms } from "../../../src/check/hooks.ts";
import { installText } from "../../../src/clients/settings/install.ts";
import { installScript, surveyScript } from "../../../src/clients/settings/script.ts";
import { surveyHooks, whyTooMany, withoutOwn } from "../../../src/clients/settings/survey.ts";
import { uninstallText } from "../../../src/clients/settings/install.ts";
import { frameOf, wantedFor } from "../../../src/clients/settings/survey.ts";
import { readSettingsText } from "../../../src/clients/settings/file.ts";
import type { FuzzTarget } from "../lib/target.ts";

const CLIENT_SETTINGS = await loadSettings();
const CLIENTS = CLIENT_SETTINGS.filter(({ name }) => ["claude", "cursor"].includes(name)).map((client) => ({
  client,
  wanted: wantedFor(client, "project", ["/opt/codelia"]),
}));
const SCRIPTS = CLIENT_SETTINGS.filter(({ layout }) => layout.kind === "scripts").map((client) => ({
  wanted: wantedFor(client, "project", ["/opt/codelia"]),
  event: client.sampled,
}));

function uninstall(text: string, { client, wanted }: (typeof CLIENTS)[number]): string | undefined {
  if (whyTooMany(readSettingsText(text).data, client.name) !== undefined) return text;
  return uninstallText(text, readSettingsText, client.name, [...wanted.groups.keys()], frameOf(wanted.layout));
}

const [FIRST] = CLIENTS;

/** The settings of a client: what `check`, `doctor`, `install` and `uninstall` make of them. */
export const target: FuzzTarget = {
  read(input) {
    if (FIRST === undefined) return undefined;
    const { client, wanted } = FIRST;
    const { data } = readSettingsText(input);
    return [
      surveyHooks(data, wanted),
      reasonsOf(surveyHooks(data, wanted)),
      withoutOwn(data, client.name),
      hookPrograms(data, { client: client.name, root: "/r", variable: client.rootVariable }),
      installText(input, readSettingsText, wanted, true),
      uninstall(input, FIRST),
      ...SCRIPTS.map((script) => surveyScript(input, script.wanted, script.event)),
    ];
  },
  check(input) {
    for (const { wanted, event } of SCRIPTS) installScript(input, wanted, event, true);
    for (const each of CLIENTS) {
      const { wanted } = each;
      const before = readSettingsText(input);
      const installed = installText(input, readSettingsText, wanted, true);
      if (installed.kind === "problem") {
        ok(installed.problem !== "", "a problem without a sentence");
        continue;
      }
      if (before.data === undefined) continue;
      const { data } = readSettingsText(installed.text);
      const events = surveyHooks(data, wanted).events.filter(({ event }) => wanted.groups.has(event));
      deepStrictEqual([...new Set(events.map(({ state }) => state))], ["current"], "installed it is not as it should be");
      const again = installText(installed.text, readSettingsText, wanted, true);
      equal(again.kind === "text" && again.text, installed.text, "installed again it is another");
      const gone = uninstall(installed.text, each);
      const left = gone === undefined ? [] : surveyHooks(readSettingsText(gone).data, wanted).events;
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
