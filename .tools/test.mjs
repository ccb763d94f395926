import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBinary, ensureBundle } from "./lib/artifacts.mjs";
import { clientsDir, ensureClients, mainClients, withNewestClients } from "./lib/clients.mjs";
import { bunPath } from "./lib/runtime.mjs";
import { failureKeeper, formatSummary, isSuccess, summarize, testEnvironment } from "./lib/test-run.mjs";
import { follow } from "./lib/run.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool } from "./lib/tool.mjs";

const heavyDirs = ["test/runtimes", "test/e2e"];
/** Long enough for a busy or slow machine, short enough to find a test that hangs. */
const timeoutMs = 60_000;

// npm test [-- filter…]: the tests that need nothing more than this checkout.
// npm run test:all [-- filter…]: also those that download more and take longer. With --whole, also the long form of
// tests whose short form nearly always suffices: every hostile tree with every command.
// npm run e2e [-- filter…]: only the tests with the real clients. With --newest, with today's releases of Claude Code and
// Codex instead of the pinned ones.
// Other arguments go to `bun test`. The last line of stdout is the summary.
await runTool(async () => {
  const args = process.argv.slice(2);
  const [all, e2e] = [args.includes("--all"), args.includes("--e2e")];
  const prepared = await prepare({ all, e2e });
  const runWith = (newest) =>
    runTests({
      all,
      e2e,
      prepared: { ...prepared, ...newest },
      whole: args.includes("--whole"),
      args: args.filter((arg) => !["--all", "--e2e", "--newest", "--whole"].includes(arg)),
    });
  const summary = await (args.includes("--newest") ? withNewestClients(mainClients, runWith) : runWith({}));
  console.log(formatSummary(summary));
  return isSuccess(summary) ? 0 : 1;
});

/** Installs and builds what the tests need. Returns environment variables that tell the tests about it. */
async function prepare({ all, e2e }) {
  await ensureInstalled(root);
  await ensureInstalled(join(root, ".tools/prose"));
  await ensureBinary();
  if (all) {
    await ensureBundle();
    await ensureInstalled(join(root, "test/runtimes"));
  }
  return all || e2e ? await ensureClients() : {};
}

async function runTests({ all, e2e, whole, prepared, args }) {
  const reportDir = mkdtempSync(join(tmpdir(), "codelia-tests-"));
  const report = join(reportDir, "report.xml");
  const ignored = ["test/bench", ...(all || e2e ? [] : heavyDirs)].map((dir) => `--path-ignore-patterns=${dir}/**`);
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const extent = { ...(all && { CODELIA_TEST_ALL: "1" }), ...(whole && { CODELIA_TEST_WHOLE: "1" }) };
  const env = { ...testEnvironment(process.env), ...prepared, ...extent };
  const cwd = e2e ? clientsDir : root;
  try {
    const options = [`--parallel=${availableParallelism()}`, `--timeout=${timeoutMs}`, ...ignored, ...reporter];
    const exitCode = await runBun(["test", ...options, ...args], { cwd, env });
    return summarize(existsSync(report) ? readFileSync(report, "utf8") : undefined, exitCode);
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}

/** Repeats the failures at the end of the output, where people look first. */
async function runBun(args, options) {
  const kept = failureKeeper();
  const child = spawn(bunPath(), args, { ...options, stdio: ["inherit", "inherit", "pipe"] });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    process.stderr.write(chunk);
    kept.add(chunk);
  });
  const exitCode = await follow(child);
  for (const failure of kept.failures) console.error(`\n${failure}`);
  return exitCode;
}
