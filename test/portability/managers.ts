import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { startNpmRegistry } from "../e2e/lib/npm-registry.ts";
import { startProgram } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { runtimeFromNpm } from "./runtimes.ts";

interface Manager {
  readonly manager: string;
  /** Its program, with what comes before its arguments. */
  readonly program: () => Promise<readonly string[]>;
  readonly args: (url: string) => readonly string[];
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

const MANAGERS: readonly Manager[] = [
  { manager: "npm", program: async () => ["npm"], args: () => ["install", "codelia", "--no-audit", "--no-fund"] },
  {
    manager: "pnpm",
    program: async () => ["node", await runtimeFromNpm("pnpm", "10", "bin/pnpm.cjs")],
    args: () => ["add", "codelia"],
  },
  {
    manager: "yarn 1",
    program: async () => ["node", await runtimeFromNpm("yarn", "1", "bin/yarn.js")],
    args: () => ["add", "codelia", "--no-progress"],
  },
  {
    manager: "yarn berry",
    program: async () => ["node", await runtimeFromNpm("@yarnpkg/cli-dist", "4", "bin/yarn.js")],
    args: () => ["add", "codelia"],
    files: (url) => ({
      ".yarnrc.yml": `npmRegistryServer: ${url}\nunsafeHttpWhitelist: ["127.0.0.1"]\nnodeLinker: node-modules\nenableGlobalCache: false\nenableTelemetry: false\nnpmMinimalAgeGate: 0\n`,
      "yarn.lock": "",
    }),
  },
  { manager: "bun", program: async () => [process.execPath], args: () => ["add", "codelia"] },
];

export interface Managed {
  readonly manager: string;
  readonly verdict: string;
  readonly isBad: boolean;
}

/** Has each package manager install codelia in an empty project, and starts what it put there. */
export async function playManagers(packages: string): Promise<readonly Managed[]> {
  const registry = await startNpmRegistry(packages);
  const results: Managed[] = [];
  try {
    for (const each of MANAGERS) {
      try {
        results.push({ manager: each.manager, ...(await playOne(each, registry.url)) });
      } catch (error) {
        const why = (error as Error).message.split("\n")[0];
        results.push({ manager: each.manager, verdict: `can't run here: ${why}`, isBad: false });
      }
    }
  } finally {
    registry.close();
  }
  return results;
}

async function playOne({ program, args, files }: Manager, url: string): Promise<Omit<Managed, "manager">> {
  using tree = tempTree({ "project/package.json": "{}\n", "home/": { dir: true } });
  for (const [path, text] of Object.entries(files?.(url) ?? {})) tree.write(join("project", path), text);
  const cwd = tree.path("project");
  const env = { PATH: process.env["PATH"] ?? "", HOME: tree.path("home"), npm_config_registry: url, CI: "" };
  const [file = "", ...first] = await program();
  const installed = await startProgram(file, [...first, ...args(url)], { cwd, env, timeoutMs: 120_000 });
  if (installed.exitCode !== 0) {
    const output = `${installed.stderr}${installed.stdout}`.trim().split("\n").slice(-3).join(" ");
    return { verdict: `it does not install: ${output}`, isBad: true };
  }
  const started = await startProgram(join(cwd, "node_modules/.bin/codelia"), ["--version"], { cwd, env });
  const isGood = started.stdout.trim() === manifest.version;
  return {
    verdict: isGood ? "installed, and it starts" : `it does not start: ${started.stderr.trim()}`,
    isBad: !isGood,
  };
}
