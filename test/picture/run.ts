import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BROWSER, openPage } from "../e2e/lib/browser.ts";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

// `npm run picture`: the pictures of the README, of the page that `explain --html` writes for a project, by a browser.

const DIRECTORIES = ["packages/api", "packages/db/migrations", "packages/web", "services/billing", "services/mail"];
const SIZE = { width: 1120, height: 700, deviceScaleFactor: 1, mobile: false };
const PLACE = join(REPOSITORY, "docs", "images");

if (BROWSER.missing !== undefined) throw new Error(BROWSER.missing);
using tree = tempTree({
  "shop/.git/HEAD": "ref: refs/heads/main\n",
  "shop/AGENTS.md": "Use TypeScript. Every service has its own tests.\n",
  "shop/CLAUDE.md": "Ask before deploying.\n",
  ...Object.fromEntries(DIRECTORIES.map((name) => [`shop/${name}/AGENTS.md`, `Rules of ${name}.\n`])),
  "shop/services/billing/AGENTS.md": `Rules of billing.\n${"Round half to even, and never store a float.\n".repeat(900)}`,
});
using home = tempTree();
const page = tree.path("page.html");
const ran = runCodelia(["explain", "--html", page], { cwd: tree.path("shop/services/billing"), home: home.root });
if (ran.exitCode !== 0) throw new Error(ran.stderr);
await using shown = await openPage(pathToFileURL(page).href);
await shown.command("Emulation.setDeviceMetricsOverride", SIZE);
// The project is in a temporary directory, which readers need not see.
await shown.evaluate(`(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("script") === null) node.data = node.data.replaceAll(${JSON.stringify(tree.root)}, "/home/me");
  }
})()`);
mkdirSync(PLACE, { recursive: true });
for (const scheme of ["light", "dark"]) {
  await shown.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  const { data } = await shown.command("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(PLACE, `explain-${scheme}.png`), Buffer.from(String(data), "base64"));
}
