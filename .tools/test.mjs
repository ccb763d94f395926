import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBinary, ensureBundle } from "./lib/artifacts.mjs";
import { bunPath } from "./lib/bun.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";
import { isSuccess, summarize, formatSummary } from "./lib/summary.mjs";
import { testEnvironment } from "./lib/test-environment.mjs";
import { runTool } from "./lib/tool.mjs";

const heavyDirs = ["test/runtimes", "test/e2e"];

// npm test [-- filter…]; npm run test:all [-- filter…] adds what downloads more and takes longer. What isn't --all is
// an argument of `bun test`. The last line of stdout is the summary.
await runTool(async () => {
  const args = process.argv.slice(2);
  const all = args.includes("--all");
  await prepare(all);
  const summary = await runTests({ all, args: args.filter((arg) => arg !== "--all") });
  console.log(formatSummary(summary));
  return isSuccess(summary) ? 0 : 1;
});

async function prepare(all) {
  await ensureInstalled(root);
  await ensureBinary();
  if (!all) return;
  await ensureBundle();
  for (const dir of heavyDirs.map((name) => join(root, name))) {
    if (existsSync(join(dir, "package.json"))) await ensureInstalled(dir);
  }
}

async function runTests({ all, args }) {
  const reportDir = mkdtempSync(join(tmpdir(), "codelia-tests-"));
  const report = join(reportDir, "report.xml");
  const ignored = ["test/bench", ...(all ? [] : heavyDirs)].map((dir) => `--path-ignore-patterns=${dir}/**`);
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const env = { ...testEnvironment(process.env), ...(all ? { CODELIA_TEST_ALL: "1" } : {}) };
  try {
    const exitCode = await run(bunPath(), ["test", ...ignored, ...reporter, ...args], { cwd: root, env });
    return summarize(existsSync(report) ? readFileSync(report, "utf8") : undefined, exitCode);
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}
