import { parseArgs } from "node:util";
import { ensureBinary, ensureBundle } from "./lib/artifacts.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool } from "./lib/tool.mjs";

// npm run build [-- --force] [--js]: dist/codelia for this machine; with --js also dist/codelia.mjs for Node and Deno.
await runTool(async () => {
  const { values } = parseArgs({ options: { force: { type: "boolean" }, js: { type: "boolean" } } });
  await ensureInstalled(root);
  await ensureBinary(values);
  if (values.js) await ensureBundle(values);
});
