import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./lib/install.mjs";
import { makeRelease } from "./lib/release.mjs";
import { chooseTargets } from "./lib/release-targets.mjs";
import { note, root, runTool } from "./lib/tool.mjs";
import { readSigningKey } from "./lib/signing.mjs";

// npm run build:all [-- --only linux-x64,darwin-arm64] [-- --url https://…]: dist/release/ with what a release
// publishes; the installer and the package managers' entries use `url` as its location. It is signed with
// the private key in CODELIA_SIGNING_KEY.
await runTool(async () => {
  const { values } = parseArgs({ options: { only: { type: "string" }, url: { type: "string", default: "" } } });
  const targets = chooseTargets(values.only);
  const key = readSigningKey(process.env.CODELIA_SIGNING_KEY);
  await ensureInstalled(root);
  await makeRelease(join(root, "dist", "release"), targets, values.url.replace(/\/+$/u, ""), key);
  if (key === undefined) note("this release is not signed: CODELIA_SIGNING_KEY is not set");
});
