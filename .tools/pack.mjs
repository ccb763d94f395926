import { parseArgs } from "node:util";
import { ensureInstalled } from "./lib/install.mjs";
import { packAll } from "./lib/pack.mjs";
import { chooseTargets } from "./lib/release-targets.mjs";
import { root, runTool } from "./lib/tool.mjs";

// npm run pack [-- --only linux-x64,darwin-arm64]: dist/npm/ with the packages that npm publishes.
await runTool(async () => {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  await ensureInstalled(root);
  await packAll(chooseTargets(values.only));
});
