import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture, run } from "./lib/run.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool } from "./lib/tool.mjs";

const checks = [
  { name: "types", script: "node_modules/typescript/bin/tsc", args: ["--noEmit"] },
  { name: "lint", script: "node_modules/oxlint/bin/oxlint", args: ["--deny-warnings"] },
  { name: "format", script: "node_modules/oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "prose", script: ".tools/prose.mjs", args: [] },
];

// npm run ok [-- --no-tests]: what must pass before a change is proposed.
await runTool(async () => {
  const { values } = parseArgs({ options: { "no-tests": { type: "boolean" } } });
  await ensureInstalled(root);
  await ensureInstalled(join(root, ".tools/prose"));
  const verdicts = await Promise.all(checks.map(runCheck));
  if (verdicts.includes(false)) return 1;
  return values["no-tests"] ? 0 : run(process.execPath, [join(root, ".tools", "test.mjs")], { cwd: root });
});

async function runCheck({ name, script, args }) {
  const startedAt = performance.now();
  // Run with our own runtime: a machine with only Bun has no node for their first line.
  const { code, output } = await capture(process.execPath, [join(root, script), ...args], { cwd: root });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name.padEnd(6)} ${seconds} s`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
