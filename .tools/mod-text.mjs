import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/tool.mjs";

// npm run mod: copies the module of hooks/plugin/mod into the program, so that `codelia install claude` can write it. A
// test fails if they differ.
const text = readFileSync(join(root, "hooks/plugin/mod/hooks/register.ts"), "utf8");
const lines = text.split("\n").map((line) => `  ${JSON.stringify(line)},`);
writeFileSync(
  join(root, "src/clients/claude/mod-text.ts"),
  `/** The lines of hooks/plugin/mod/hooks/register.ts, written by \`npm run mod\`. */\nexport const MOD_LINES: readonly string[] = [\n${lines.join("\n")}\n];\n`,
);
