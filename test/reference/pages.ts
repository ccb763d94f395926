import manifest from "../../package.json" with { type: "json" };
import { describeCommands } from "./commands.ts";
import { manPage } from "./man-page.ts";
import { referencePage } from "./reference-page.ts";

/** The pages of docs/ that are made from the program's definitions, by name. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const commands = await describeCommands();
  return new Map([
    ["reference.md", referencePage(commands)],
    ["codelia.1", manPage(manifest.description, commands)],
  ]);
}
