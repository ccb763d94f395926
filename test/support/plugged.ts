import { bench, type Bench } from "../acceptance/agents-bench.ts";
import { dir, type Entry } from "./temp-tree.ts";

export const USER_CONFIG = "home/.codelia/config.json";
export const PROJECT_CONFIG = "repo/.codelia/config.json";

/** A plugin as a config file names it. */
export interface PluginEntry {
  readonly name?: string;
  readonly path?: string;
  readonly command?: readonly string[];
  readonly hooks: readonly string[];
}

/** A project with instructions and skills, and plugins in the user's config. */
export function plugged(plugins: readonly PluginEntry[], more: Readonly<Record<string, Entry>> = {}): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": "Root.\n",
    "repo/a/AGENTS.md": "A.\n",
    "repo/.agents/skills/deploy/SKILL.md": skill("deploy", "Deploy the shop"),
    "repo/.agents/skills/release/SKILL.md": skill("release", "Release the shop"),
    [USER_CONFIG]: JSON.stringify({ plugins }),
    ...more,
  });
}

export function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
}

/** The text of a module with one hook; `body` sees `data` and `context`. */
export function moduleOf(hook: string, body: string): string {
  return `import fs from "node:fs";\nexport default { ${JSON.stringify(hook)}(data, context) { ${body} } };\n`;
}

/** A module that appends each request to a file as a line, and then runs `body`. */
export function recorder(hook: string, file: string, body = ""): string {
  return moduleOf(
    hook,
    `fs.appendFileSync(${JSON.stringify(file)}, JSON.stringify({ data, context }) + "\\n"); ${body}`,
  );
}
