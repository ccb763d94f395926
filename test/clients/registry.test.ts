import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  clientNamed,
  clientNames,
  loadClient,
  loadProfiles,
  loadSettings,
  profileNames,
} from "../../src/clients/registry.ts";
import { REPOSITORY } from "../support/run-codelia.ts";

const SOURCE = join(REPOSITORY, "src");
const FOLDER = join(SOURCE, "clients");

function foldersWith(file: string): string[] {
  return readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, file)));
}

describe("a client is a folder of src/clients and an entry of its registry", () => {
  test("every folder is registered with all of its parts", () => {
    // `settings` has what all clients' settings have in common.
    const folders = readdirSync(FOLDER).filter((name) => !name.endsWith(".ts") && name !== "settings");
    expect(folders.toSorted()).toEqual([...new Set([...clientNames(), ...profileNames()])].toSorted());
    expect(foldersWith("events.ts").toSorted()).toEqual(clientNames().toSorted());
    expect(foldersWith("settings.ts").toSorted()).toEqual(clientNames().toSorted());
    expect(foldersWith("profile.ts").toSorted()).toEqual(profileNames().toSorted());
  });

  test.each(clientNames())("%s loads from its own folder, under its name", async (name) => {
    const { events } = await import(join(FOLDER, name, "events.ts"));
    const { settings } = await import(join(FOLDER, name, "settings.ts"));
    const client = await loadClient(name);
    expect(client).toMatchObject(events);
    expect((await loadSettings()).find((each) => each.name === name)).toMatchObject(settings);
    if (!profileNames().includes(name)) return expect(client?.native).toBeDefined();
    const { profile } = await import(join(FOLDER, name, "profile.ts"));
    expect((await loadProfiles()).find((each) => each.name === name)).toMatchObject(profile);
  });

  test("there is no other", async () => expect(await loadClient("emacs")).toBeUndefined());
});

/** Where else in src a string may name a client, and why. */
const MAY_NAME: Readonly<Record<string, string>> = {
  "agent/": "an engine runs a client's program, and is chosen by its name",
  "check/formats.ts": "names what there would be to check",
  "check/rule-pages.ts": "the pages of docs/rules, which people read",
  "cli/examples.ts": "shows people what to type",
  "commands/audit.ts": "says which clients' records it reads",
  "commands/agent-start.ts": "says which clients can be guided",
  "instructions/": "the one name whose files import others, and where they may be besides",
  "report/explanation.ts": "explains the reason 'silenced' with the file name that silences",
};
/** What is a word of its own in other places. */
const ORDINARY = new Set(["cursor", "pi"]);

test("nothing else in src names a client, but for a reason", () => {
  const names = clientNames()
    .filter((name) => !ORDINARY.has(name))
    .join("|");
  const naming = new RegExp(String.raw`(["'\`])(?:(?!\1).)*\b(?:${names})\b(?:(?!\1).)*\1`, "i");
  const isCode = (line: string) => !/^\s*(?:\/?\*|\/\/|import\b)/.test(line);
  const found = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.startsWith("clients/"))
    .filter((path) => !Object.keys(MAY_NAME).some((place) => path.startsWith(place)))
    .flatMap((path) => {
      const lines = readFileSync(join(SOURCE, path), "utf8").split("\n");
      return lines.flatMap((line, index) => (isCode(line) && naming.test(line) ? `${path}:${index + 1}` : []));
    });
  expect(found).toEqual([]);
});

test("clientNamed() knows the names that people type", () => {
  expect(["claude-code", "gemini-cli", "codex", "emacs"].map(clientNamed)).toEqual([
    "claude",
    "gemini",
    "codex",
    "emacs",
  ]);
});
