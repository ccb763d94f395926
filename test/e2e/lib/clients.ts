import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** A client's program, or why this machine has none. */
export interface Client {
  readonly name: string;
  readonly program: string;
  /** Undefined: it is there. */
  readonly missing: string | undefined;
}

/** `npm run e2e -- --newest` has others. */
const PACKAGES = process.env["E2E_PACKAGES"] ?? join(import.meta.dirname, "../node_modules");
/** Why npm could not install the newest of some packages. */
const SKIPPED: Readonly<Record<string, string>> = JSON.parse(process.env["E2E_SKIPPED"] ?? "{}");
const EXTENSION = process.platform === "win32" ? ".exe" : "";
/** What runs the clients that are scripts; undefined if npm could not install it here. */
export const NODE = [join(PACKAGES, `node-${process.platform}-${process.arch}/bin/node${EXTENSION}`)].find(existsSync);

export const CLAUDE = findClient("claude", "@anthropic-ai", "claude-code", () => `claude${EXTENSION}`);
export const CODEX = findClient("codex", "@openai", "codex", (folder) => {
  const [target = ""] = readdirSync(join(folder, "vendor"));
  return join("vendor", target, `bin/codex${EXTENSION}`);
});

export const GEMINI = findScript("gemini", "@google/gemini-cli/bundle/gemini.js");
export const QWEN = findScript("qwen", "@qwen-code/qwen-code/cli.js");
export const KIMI = findScript("kimi", "@moonshot-ai/kimi-code/dist/main.mjs");
export const PI = findScript("pi", "@earendil-works/pi-coding-agent/dist/cli.js");
export const CONTINUE = findScript("continue", "@continuedev/cli/dist/cn.js");
export const CLINE = findProgram("cline", `@cline/cli-${process.platform}-${process.arch}/bin/cline${EXTENSION}`);
/** Its program unpacks itself, 235 MB, into a cache directory: once for all runs. */
export const COPILOT = findProgram(
  "copilot",
  `@github/copilot-${process.platform}-${process.arch}/copilot${EXTENSION}`,
);
export const COPILOT_CACHE = join(PACKAGES, ".cache/copilot");
export const KILO = findProgram("kilo", `@kilocode/cli-${process.platform}-${process.arch}/bin/kilo${EXTENSION}`);
export const OPENCODE = findProgram(
  "opencode",
  `opencode-${process.platform}-${process.arch}/bin/opencode${EXTENSION}`,
);

/** Of the package that its program is in. */
export function versionOf({ program }: Client): string {
  for (let folder = dirname(program); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name, version } = JSON.parse(readFileSync(manifest, "utf8"));
    // A version for one platform may have it behind its own.
    if (name !== undefined) return String(version).replace(/-(?:linux|darwin|win32)-.*$/, "");
  }
  throw new Error(`'${program}' is in no package`);
}

/** A client that node runs: its program is the script. Some need a newer node than this project. */
function findScript(name: string, path: string): Client {
  return NODE === undefined ? absent(name, "npm has installed no node to run it") : findProgram(name, path);
}

function findProgram(name: string, path: string): Client {
  const reason = process.env["E2E_NOT_INSTALLED"];
  if (reason !== undefined) return absent(name, reason);
  const program = join(PACKAGES, path);
  if (existsSync(program)) return { name, program, missing: undefined };
  const [, skipped] = Object.entries(SKIPPED).find(([each]) => path.startsWith(`${each}/`)) ?? [];
  return absent(name, skipped ?? `npm has installed none for ${process.platform} ${process.arch}`);
}

/**
 * Straight from npm's package for this platform: no script of a package is run, so nothing has linked it. Packages
 * that nobody tried to install are an error; what can't be installed here is named, and its tests are skipped.
 */
function findClient(name: string, scope: string, packageName: string, place: (folder: string) => string): Client {
  const reason = process.env["E2E_NOT_INSTALLED"];
  if (reason !== undefined) return absent(name, reason);
  if (!existsSync(join(PACKAGES, scope, packageName))) {
    if (process.env["E2E_PACKAGES"] !== undefined) {
      return absent(name, SKIPPED[`${scope}/${packageName}`] ?? "npm could not install its newest version");
    }
    throw new Error(
      `'${scope}/${packageName}' is not installed: run 'npm run e2e', or another of the scripts that install it`,
    );
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
