import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude } from "../e2e/lib/claude.ts";
import { read } from "../e2e/lib/claude-tools.ts";
import { CLAUDE, CODEX } from "../e2e/lib/clients.ts";
import { CODEX_CONFIG, runCodex } from "../e2e/lib/codex.ts";
import { DIRECT_TOOLS } from "../e2e/lib/codex-tools.ts";
import type { Answer } from "../e2e/lib/script.ts";

// npm run bench:clients [-- --calls 30 --rounds 3]: what codelia adds to a tool call in the real clients, by each channel,
// interleaved, as the model's server sees it: the time from one answer of the model to the client's next request. And how
// many processes are started for a tool call, as the kernel counts them. Needs a quiet machine.

const CALLS = Number(process.argv[process.argv.indexOf("--calls") + 1]) || 30;
const ROUNDS = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 3;
/** The first calls of a session wait for what starts with it. */
const WARM_UP = 4;

interface Variant {
  readonly client: "claude" | "codex";
  readonly channel: "none" | "command" | "mcp" | "mod";
  /** At most this share of what command hooks add. */
  readonly most?: number;
}

const VARIANTS: readonly Variant[] = [
  { client: "claude", channel: "none" },
  { client: "claude", channel: "command" },
  { client: "claude", channel: "mcp" },
  { client: "claude", channel: "mod", most: 1 / 3 },
  { client: "codex", channel: "none" },
  { client: "codex", channel: "command" },
  { client: "codex", channel: "mcp", most: 1 / 5 },
];

interface Measured {
  readonly times: number[];
  readonly processes: number[];
}

const found = new Map<Variant, Measured>(VARIANTS.map((variant) => [variant, { times: [], processes: [] }]));
const missing = { claude: CLAUDE.missing, codex: CODEX.missing };
for (let round = 0; round < ROUNDS; round++) {
  for (const variant of VARIANTS) if (missing[variant.client] === undefined) await play(variant);
}
report();

async function play(variant: Variant): Promise<void> {
  const { client, channel } = variant;
  using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", "CLAUDE.md": "Be brief.\n", ...files() });
  using home = tempTree();
  if (client === "codex") home.write(".codex/config.toml", CODEX_CONFIG);
  if (channel !== "none") install(tree, home, variant);
  const stamps: number[] = [];
  const forks: number[] = [];
  const main = Array.from({ length: CALLS + WARM_UP }, (_, index) => (): Answer => {
    stamps.push(performance.now());
    forks.push(forksSoFar());
    const file = tree.path(`src/f${index}.ts`);
    return { toolUses: [client === "claude" ? read(file) : DIRECT_TOOLS.run(`cat ${file}`)] };
  });
  const options = { tree, home, prompt: "Go.", script: { main }, timeoutMs: 180_000 };
  const run = await (client === "claude" ? runClaude(options) : runCodex(options));
  if (run.exitCode !== 0 || stamps.length !== main.length) throw new Error(`${client} ${channel}: ${run.stderr}`);
  const { times, processes } = found.get(variant) ?? { times: [], processes: [] };
  times.push(...gaps(stamps).slice(WARM_UP));
  processes.push(...gaps(forks).slice(WARM_UP));
}

function files(): Record<string, string> {
  const names = Array.from({ length: CALLS + WARM_UP }, (_, index) => `src/f${index}.ts`);
  return { "AGENTS.md": "Rules.\n", ...Object.fromEntries(names.map((name) => [name, "export {};\n"])) };
}

function install(tree: TempTree, home: TempTree, { client, channel }: Variant): void {
  const args = ["install", client, "--scope", "user", "--channel", channel, "--yes", "--quiet"];
  const env = { PATH: `${dirname(CODELIA)}:${process.env["PATH"]}` };
  const { exitCode, stderr } = runCodelia(args, { cwd: tree.root, home: home.root, env });
  if (exitCode !== 0) throw new Error(stderr);
}

/** Processes and threads that the machine has started: beside ours those of others, so the least of many calls counts. */
function forksSoFar(): number {
  return Number(/^processes (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
}

function gaps(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - (values[index] ?? 0));
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}

function report(): void {
  const header = ["client", "channel", "calls", "median", "added", "of commands", "at most", "started", "verdict"];
  const rows = VARIANTS.map((variant) => {
    const { client, channel, most } = variant;
    const { times, processes } = measured(client, channel);
    if (times.length === 0) return [client, channel, "0", "-", "-", "-", "-", "-", missing[client] ?? "-"];
    const base = measured(client, "none");
    const added = quantile(times, 0.5) - quantile(base.times, 0.5);
    const share = added / (quantile(measured(client, "command").times, 0.5) - quantile(base.times, 0.5));
    const started = Math.min(...processes) - Math.min(...base.processes);
    const isMet = most === undefined ? undefined : share <= most && started === 0;
    return [
      client,
      channel,
      String(times.length),
      `${quantile(times, 0.5).toFixed(1)} ms`,
      channel === "none" ? "-" : `${added < 0 ? "" : "+"}${added.toFixed(1)} ms`,
      channel === "none" ? "-" : share.toFixed(2),
      most === undefined ? "-" : most.toFixed(2),
      channel === "none" ? "-" : String(started),
      isMet === undefined ? "-" : isMet ? "met" : "MISSED",
    ];
  });
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

function measured(client: Variant["client"], channel: Variant["channel"]): Measured {
  const variant = VARIANTS.find((each) => each.client === client && each.channel === channel);
  return (variant && found.get(variant)) ?? { times: [], processes: [] };
}
