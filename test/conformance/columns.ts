import type { HarnessClient } from "../e2e/lib/harness-client.ts";
import { HARNESS } from "../e2e/lib/harness.ts";
import type { TreeEntry } from "./tree.ts";

/** A column: a client, perhaps with a setting of the user's that changes what it reads. */
export interface Column {
  readonly name: string;
  readonly title: string;
  readonly client: HarnessClient;
  readonly home: Readonly<Record<string, TreeEntry>>;
}

const AGENTS_SETTING = { context: { fileName: ["AGENTS.md", "GEMINI.md"] } };

export const COLUMNS: readonly Column[] = HARNESS.flatMap((client): Column[] => {
  const { name, title } = client;
  const column = { name, title, client, home: {} };
  if (name !== "gemini") return [column];
  // By default it reads no AGENTS.md at all, so the rows would say nothing of it.
  const home = { ".gemini/settings.json": JSON.stringify(AGENTS_SETTING) };
  return [column, { ...column, name: "gemini-agents", title: `${title} told to read AGENTS.md`, home }];
});
