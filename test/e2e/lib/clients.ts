import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A client's program, or why this machine has none. */
export interface Client {
  readonly name: string;
  readonly program: string;
  /** Undefined: it is there. */
  readonly missing: string | undefined;
}

const PACKAGES = join(import.meta.dirname, "../node_modules");
const EXTENSION = process.platform === "win32" ? ".exe" : "";

export const CLAUDE = findClient("claude", "@anthropic-ai", "claude-code", () => `claude${EXTENSION}`);
export const CODEX = findClient("codex", "@openai", "codex", (folder) => {
  const [target = ""] = readdirSync(join(folder, "vendor"));
  return join("vendor", target, `bin/codex${EXTENSION}`);
});

export const GEMINI = findScript("gemini", "@google/gemini-cli/bundle/gemini.js");
export const QWEN = findScript("qwen", "@qwen-code/qwen-code/cli.js");
export const OPENCODE = findProgram(
  "opencode",
  `opencode-${process.platform}-${process.arch}/bin/opencode${EXTENSION}`,
);

/** A client that node runs: its program is the script. */
function findScript(name: string, path: string): Client {
  return hasNode() ? findProgram(name, path) : absent(name, "there is no node on PATH to run it");
}

function findProgram(name: string, path: string): Client {
  const reason = process.env["E2E_NOT_INSTALLED"];
  if (reason !== undefined) return absent(name, reason);
  const program = join(PACKAGES, path);
  if (existsSync(program)) return { name, program, missing: undefined };
  return absent(name, `npm has installed none for ${process.platform} ${process.arch}`);
}

function hasNode(): boolean {
  return spawnSync("node", ["--version"]).status === 0;
}

/**
 * Straight from npm's package for this platform: no script of a package is run, so nothing has linked it. Packages
 * that nobody tried to install are an error; what can't be installed here is named, and its tests are skipped.
 */
function findClient(name: string, scope: string, packageName: string, place: (folder: string) => string): Client {
  const reason = process.env["E2E_NOT_INSTALLED"];
  if (reason !== undefined) return absent(name, reason);
  if (!existsSync(join(PACKAGES, scope, packageName))) {
    throw new Error(`'${scope}/${packageName}' is not installed: run 'npm run e2e', which installs it`);
  }
  const ours = new RegExp(`^${packageName}-${process.platform}-${process.arch}(-musl)?$`);
  const folder = readdirSync(join(PACKAGES, scope)).find((entry) => ours.test(entry));
  if (folder === undefined)
    return absent(
      name,
      `npm has installed none for ${process.platform} ${process.arch} (remove 'test/e2e/node_modules' to try again)`,
    );
  const path = join(PACKAGES, scope, folder);
  return { name, program: join(path, place(path)), missing: undefined };
}

function absent(name: string, missing: string): Client {
  console.error(`e2e: the tests with the real ${name} are skipped: ${missing}`);
  return { name, program: "", missing };
}
