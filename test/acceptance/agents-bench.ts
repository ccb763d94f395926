import { ResolvedAgentsSchema } from "../../src/instructions/schema.ts";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

/** The time in the documented example. */
export const T0 = 1_738_970_000_000;

export interface Call {
  /** The working directory, from the tree's root. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Short if a fault would make the program run for ever. */
  readonly timeoutMs?: number;
  readonly home?: string;
}

/** A tree with the user's `home/`, and the built program, called in its `repo/`. */
export interface Bench extends TempTree {
  codelia(args: readonly string[], call?: Call): RunResult;
  /** The files that `resolve` names, from the tree's root. Fails if anything is printed on standard error. */
  resolve(args: readonly string[], call?: Call): string[];
  /** The files of the initial bundle, from the tree's root, including the user's own. */
  bundle(args?: readonly string[], call?: Call): string[];
}

export function bench(table: Readonly<Record<string, Entry>>): Bench {
  const tree = tempTree({ "home/": dir, "repo/": dir, ...table });
  const codelia: Bench["codelia"] = (args, { cwd = "repo", home = "home", ...call } = {}) =>
    runCodelia(args, { cwd: tree.path(cwd), home: tree.path(home), ...call });
  const within = (path: string) => path.replace(`${tree.root}/`, "");
  return {
    ...tree,
    codelia,
    resolve(args, call) {
      const { stdout, stderr, exitCode } = codelia(["resolve", "--json", ...args], call);
      if (stderr !== "" || exitCode !== 0) throw new Error(`exit ${exitCode}\n${stderr}`);
      return ResolvedAgentsSchema.parse(JSON.parse(stdout)).files.map(({ path }) => within(path));
    },
    bundle(args = [], call) {
      const { stdout, stderr, exitCode } = codelia(["init-context", "--only", "agents", ...args], call);
      if (stderr !== "" || exitCode !== 0) throw new Error(`exit ${exitCode}\n${stderr}`);
      return headersOf(stdout).map(within);
    },
  };
}

/** The paths that an initial bundle announces, in the order printed. */
export function headersOf(text: string): string[] {
  return [...text.matchAll(/^Instructions from: (.*)$/gm)].map((match) => match[1] ?? "");
}

/** A file with an mtime of its own. */
export function file(text: string, mtimeMs: number = T0): Entry {
  return { text, mtimeMs };
}

/** The result of a successful call. */
export function says(stdout: string): RunResult {
  return { stdout, stderr: "", exitCode: 0 };
}

export const NOTHING: RunResult = says("");

/** An agents.resolve.paths reminder, its lines given as [path, mtime]. */
export function resolveReminder(
  files: readonly (readonly [path: string, mtimeMs: number, version?: "changed"])[],
): string {
  return [
    '<system-reminder type="agents.resolve.paths">',
    "Additional AGENTS.md may apply for this path:",
    ...files.map(([path, mtimeMs, version]) => `- ${path} (mtime: ${mtimeMs})${version ? CHANGED : ""}`),
    "Read and apply these files before editing files in this scope.",
    "</system-reminder>",
    "",
  ].join("\n");
}

/** Follows a file that the context knows in another version. */
const CHANGED = " (changed: read it again)";

/** The element with the files' texts, including its tags; "" if there is none. */
export function agentsContext(stdout: string): string {
  return /^<agents_context [^]*^<\/agents_context>$/m.exec(stdout)?.[0] ?? "";
}

interface LedgerContext {
  readonly epoch: number;
  readonly coveredDirs: readonly string[];
  readonly loadedVersions: Readonly<Record<string, { mtimeMs: number; sizeBytes: number; n: number }>>;
}

/** One context from a root's ledger file. */
export function ledgerContext(tree: TempTree, root: string, session = "default", context = "main"): LedgerContext {
  return JSON.parse(tree.read(`${root}/.codelia/session.json`)).sessions[session].contexts[context];
}
