import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath, ensureBinary } from "./lib/artifacts.mjs";
import { capture } from "./lib/run.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool, ToolError } from "./lib/tool.mjs";

// npm run schema: writes the JSON Schemas that the program prints to docs/schema/. A test fails if they differ.
await runTool(async () => {
  await ensureInstalled(root);
  await ensureBinary();
  const directory = join(root, "docs", "schema");
  mkdirSync(directory, { recursive: true });
  const { schemas } = JSON.parse(await print("schema", "--json"));
  for (const name of schemas) writeFileSync(join(directory, `${name}.json`), await print("schema", name));
  return 0;
});

async function print(...args) {
  const { code, output } = await capture(binaryPath, args, { cwd: root });
  if (code !== 0) throw new ToolError(output);
  return output;
}
