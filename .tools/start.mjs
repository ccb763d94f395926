import { binaryPath, ensureBinary } from "./lib/artifacts.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runTool } from "./lib/tool.mjs";
import { run } from "./lib/run.mjs";

// npm start [-- arguments]: the program built from this checkout; without arguments, the context of the current
// directory.
await runTool(async () => {
  await ensureInstalled(root);
  await ensureBinary();
  const args = process.argv.slice(2);
  // npm starts this in the checkout; INIT_CWD has the user's directory, to which a relative `--cwd` refers.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  return run(binaryPath, args.length > 0 ? args : ["init-context"], { cwd, env: { ...process.env, PWD: cwd } });
});
