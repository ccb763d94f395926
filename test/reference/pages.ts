import manifest from "../../package.json" with { type: "json" };
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../../src/check/rules.ts";
import { REPOSITORY } from "../support/run-codelia.ts";
import { describeCommands } from "./commands.ts";
import { manPages } from "./man-page.ts";
import { referencePage } from "./reference-page.ts";

/** The pages of docs/ that are made from the program's definitions, by name. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const commands = await describeCommands();
  return new Map([
    ["reference.md", referencePage(commands)],
    ...manPages(manifest.description, commands).map(([name, text]): [string, string] => [`man/${name}`, text]),
  ]);
}

/** The page of each rule as people write it, by the rule. */
export function rulePages(): Readonly<Record<string, string>> {
  return Object.fromEntries(RULES.map(({ id, page }) => [id, readFileSync(join(REPOSITORY, page), "utf8")]));
}

/** `src/check/rule-pages.ts`, so that the program has the pages wherever it runs. */
export function rulePagesModule(): string {
  const entries = Object.entries(rulePages()).map(([id, text]) => `  ${JSON.stringify(id)}: ${JSON.stringify(text)},`);
  return `import type { RuleId } from "./rules.ts";

/** The pages of docs/rules, written by \`npm run reference\`. */
export const RULE_PAGES: Readonly<Record<RuleId, string>> = {
${entries.join("\n")}
};
`;
}
