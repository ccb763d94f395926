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
import { runTool, ToolError } from "./lib/tool.mjs";

const heavyDirs = ["test/runtimes", "test/e2e"];
const clients = "test/e2e";

// npm test [-- filter…]; npm run test:all [-- filter…] adds what downloads more and takes longer; npm run e2e
// [-- filter…] runs only the tests with the real clients. What isn't --all or --e2e is an argument of `bun test`.
// The last line of stdout is the summary.
await runTool(async () => {
  const args = process.argv.slice(2);
  const [all, e2e] = [args.includes("--all"), args.includes("--e2e")];
  const prepared = await prepare({ all, e2e });
  const summary = await runTests({
    all,
    e2e,
    prepared,
    args: args.filter((arg) => arg !== "--all" && arg !== "--e2e"),
  });
  console.log(formatSummary(summary));
  return isSuccess(summary) ? 0 : 1;
});

/** Gives what the tests must know of it, as environment variables. */
async function prepare({ all, e2e }) {
  await ensureInstalled(root);
  await ensureBinary();
  if (all) {
    await ensureBundle();
    await ensureInstalled(join(root, "test/runtimes"));
  }
  return all || e2e ? await prepareClients() : {};
}

/** Where the clients can't be had, the tests that need them are skipped, and say why; anything else that fails, fails. */
async function prepareClients() {
  try {
    await ensureInstalled(join(root, clients));
    return {};
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { E2E_NOT_INSTALLED: error.message };
  }
}

async function runTests({ all, e2e, prepared, args }) {
  const reportDir = mkdtempSync(join(tmpdir(), "codelia-tests-"));
  const report = join(reportDir, "report.xml");
  const ignored = ["test/bench", ...(all || e2e ? [] : heavyDirs)].map((dir) => `--path-ignore-patterns=${dir}/**`);
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const env = { ...testEnvironment(process.env), ...prepared, ...(all ? { CODELIA_TEST_ALL: "1" } : {}) };
  const cwd = e2e ? join(root, clients) : root;
  try {
    const exitCode = await run(bunPath(), ["test", ...ignored, ...reporter, ...args], { cwd, env });
    return summarize(existsSync(report) ? readFileSync(report, "utf8") : undefined, exitCode);
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}
