import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./lib/install.mjs";
import { makeRelease } from "./lib/release.mjs";
import { chooseTargets } from "./lib/release-targets.mjs";
import { root } from "./lib/root.mjs";
import { runTool } from "./lib/tool.mjs";

// npm run build:all [-- --only linux-x64,darwin-arm64] [-- --url https://…]: dist/release/ with what a release
// publishes; the installer and the package managers' entries name `url` as the place where it stands.
await runTool(async () => {
  const { values } = parseArgs({ options: { only: { type: "string" }, url: { type: "string", default: "" } } });
  const targets = chooseTargets(values.only);
  await ensureInstalled(root);
  await makeRelease(join(root, "dist", "release"), targets, values.url.replace(/\/+$/u, ""));
});
