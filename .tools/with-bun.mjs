import { ensureBinary } from "./lib/artifacts.mjs";
import { bunPath } from "./lib/runtime.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool, ToolError } from "./lib/tool.mjs";
import { run } from "./lib/run.mjs";

// node .tools/with-bun.mjs <script.ts> [arguments]: runs a script of this checkout with the pinned bun and a current binary.
await runTool(async () => {
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) throw new ToolError("name the script to run");
  await ensureInstalled(root);
  await ensureBinary();
  return run(bunPath(), [script, ...args], { cwd: root });
});
