import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool } from "./lib/tool.mjs";

// npm run prose: spelling, grammar and phrases of what people read.
await runTool(async () => {
  await ensureInstalled(join(root, ".tools/prose"));
  const { mistakeFinder, OWN_WORDS } = await import("./prose/find-mistakes.mjs");
  const find = mistakeFinder(root);
  const files = [".", "docs", "docs/rules"].flatMap((directory) => list(directory, /\.md$/u));
  const source = ["src", "hooks"].flatMap((directory) => list(directory, /\.(ts|sh|mjs|yaml|md)$/u, true));
  const mistakes = [...files, ...list("docs/schema", /\.json$/u), ...source].flatMap((file) =>
    find(file, readFileSync(join(root, file), "utf8")),
  );
  for (const mistake of mistakes) console.log(mistake);
  if (mistakes.length === 0) return 0;
  console.log(`Words that are right go into ${OWN_WORDS}, one a line in alphabetical order.`);
  return 1;
});

function list(directory, name, recursive = false) {
  return readdirSync(join(root, directory), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll(sep, "/"))
    .toSorted();
}
