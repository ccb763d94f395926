import { installText } from "../../../src/clients/settings/install.ts";
import type { ReadText } from "../../../src/clients/settings/file.ts";
import type { Scope } from "../../../src/clients/settings/model.ts";
import { surveyHooks, type Survey } from "../../../src/clients/settings/survey.ts";
import { uninstallText } from "../../../src/clients/settings/install.ts";
import { frameOf, wantedFor, type Wanted } from "../../../src/clients/settings/survey.ts";
import { loadSettings } from "../../../src/clients/registry.ts";

const SETTINGS = await loadSettings();
import { readSettingsText } from "../../../src/clients/settings/file.ts";

export const PROGRAM = ["/opt/bin/codelia"];

export function wanted(client = "claude", scope: Scope = "user", program: readonly string[] = PROGRAM): Wanted {
  const found = SETTINGS.find(({ name }) => name === client);
  if (found === undefined) throw new Error(`no client '${client}'`);
  return wantedFor(found, scope, program);
}

export const read: ReadText = readSettingsText;

export function install(text: string | undefined, want = wanted(), force = false): string {
  const edited = installText(text, read, want, force);
  if (edited.kind === "problem") throw new Error(edited.problem);
  return edited.text;
}

export function uninstall(text: string, want = wanted()): string | undefined {
  return uninstallText(text, read, want.client, [...want.groups.keys()], frameOf(want.layout));
}

export function survey(text: string, want = wanted()): Survey {
  return surveyHooks(read(text).data, want);
}
