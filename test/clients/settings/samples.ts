import { loadSettings } from "../../../src/clients/registry.ts";
import { expectedHooks, type ExpectedHooks } from "../../../src/clients/settings/expected.ts";
import * as changes from "../../../src/clients/settings/install.ts";
import type { Scope } from "../../../src/clients/settings/model.ts";
import { surveyHooks, type Survey } from "../../../src/clients/settings/survey.ts";
import { readSettingsText } from "../../../src/clients/settings/text.ts";

export const SETTINGS = await loadSettings();
export const PROGRAM = ["/opt/bin/codelia"];

export function expected(
  client = "claude",
  scope: Scope = "user",
  program: readonly string[] = PROGRAM,
): ExpectedHooks {
  const settings = SETTINGS.find(({ name }) => name === client);
  if (settings === undefined) throw new Error(`no client '${client}'`);
  return expectedHooks(settings, scope, program);
}

export function install(text: string | undefined, hooks = expected(), force = false): string {
  const edited = changes.install(text, hooks, undefined, force);
  if (edited.kind === "problem" || edited.text === undefined) throw new Error(JSON.stringify(edited));
  return edited.text;
}

export function uninstall(text: string, hooks = expected()): string | undefined {
  const edited = changes.uninstall(text, hooks, undefined);
  if (edited.kind === "problem") throw new Error(edited.problem);
  return edited.text;
}

export function survey(text: string, hooks = expected()): Survey {
  return surveyHooks(readSettingsText(text).data, hooks);
}
