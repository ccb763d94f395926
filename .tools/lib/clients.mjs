import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { capture, npm } from "./run.mjs";
import { note, root, ToolError } from "./tool.mjs";

/** Where the versions of the clients are pinned. */
export const clientsDir = join(root, "test/e2e");

/** What the two clients are called in npm that most of the tests are about. */
export const mainClients = ["@anthropic-ai/claude-code", "@openai/codex"];

/** The same for all that are run; some have a package for each platform. */
export const allClients = [
  ...mainClients,
  "@google/gemini-cli",
  "@qwen-code/qwen-code",
  "@github/copilot",
  "@moonshot-ai/kimi-code",
  "@earendil-works/pi-coding-agent",
  "@continuedev/cli",
  `opencode-${process.platform}-${process.arch}`,
  `@cline/cli-${process.platform}-${process.arch}`,
  `@kilocode/cli-${process.platform}-${process.arch}`,
];

/**
 * Installs the clients as pinned. Returns environment variables for those who run them: if npm can't install them, the
 * reason, with which they are skipped. Any other failure is thrown.
 */
export async function ensureClients() {
  try {
    await ensureInstalled(clientsDir);
    return {};
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { E2E_NOT_INSTALLED: error.message };
  }
}

/**
 * Calls `use` with the environment variables for the newest versions of some clients, which it installs each on its own:
 * one that npm can't install is named, and skipped.
 *
 * @throws when npm can install none
 */
export async function withNewestClients(packages, use) {
  const place = mkdtempSync(join(tmpdir(), "codelia-newest-"));
  try {
    const flags = ["install", "--prefix", place, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    // Clients that are scripts need a node that may be newer than ours.
    const wanted = [`node-${process.platform}-${process.arch}`, ...packages];
    const skipped = {};
    for (const name of wanted) {
      note(`installing the newest '${name}'`);
      const { code, output } = await capture(npm.file, [...flags, `${name}@latest`], { ...npm.options, cwd: place });
      if (code === 0) continue;
      skipped[name] = reasonIn(output);
      note(`'${name}' is skipped, because npm can't install it: ${skipped[name]}`);
    }
    if (Object.keys(skipped).length === wanted.length)
      throw new ToolError("npm can install none of the newest clients");
    mkdirSync(join(place, "node_modules"), { recursive: true });
    return await use({ E2E_PACKAGES: join(place, "node_modules"), E2E_SKIPPED: JSON.stringify(skipped) });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** npm's first sentence, behind the line with its code. */
function reasonIn(output) {
  const lines = output.split("\n").filter((line) => line.startsWith("npm error "));
  const sentence = lines.find((line) => !line.startsWith("npm error code "));
  return sentence?.replace(/^npm error (?:[a-z]+ )?/, "") ?? "it does not say why";
}
