import { ensureBinary } from "./lib/artifacts.mjs";
import { allClients, ensureClients, withNewestClients } from "./lib/clients.mjs";
import { bunPath } from "./lib/runtime.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool, ToolError } from "./lib/tool.mjs";
import { run } from "./lib/run.mjs";

// node .tools/with-bun.mjs [--clients] <script.ts> [arguments]: runs a script of this checkout with the pinned bun and a
// current binary. With `--clients`, also as an argument of the script, the real clients are installed as test/e2e pins
// them; with `--clients` here and the argument `--latest`, npm's newest of each instead.
await runTool(async () => {
  const isAlways = process.argv[2] === "--clients";
  const [script, ...args] = process.argv.slice(isAlways ? 3 : 2);
  if (script === undefined) throw new ToolError("name the script to run");
  await ensureInstalled(root);
  await ensureBinary();
  const runScript = (more) => run(bunPath(), [script, ...args], { cwd: root, env: { ...process.env, ...more } });
  if (isAlways && args.includes("--latest")) return withNewestClients(allClients, runScript);
  return runScript(isAlways || args.includes("--clients") ? await ensureClients() : {});
});
