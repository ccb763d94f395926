import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { LedgerSchema, type Ledger } from "../../../src/ledger/schema.ts";
import { tempTree, type Entry, type TempTree } from "../../support/temp-tree.ts";
import { startCall, type Call, type CallOptions, type Ending } from "./call.ts";
import { mountTmpfs } from "./mounts.ts";

export interface StageOptions {
  /** Instruction files by directory; default a root's and one below it. */
  readonly directories?: readonly string[];
  /** "none": the root is the working directory, and nothing marks it. Default `.git`. */
  readonly marker?: ".git" | "none";
  /** The user's config. */
  readonly config?: unknown;
  /** The repository stands on a small file system of its own, with these mount options. */
  readonly tmpfs?: string;
  /** More entries, beside `repo/` and `home/`. */
  readonly entries?: Readonly<Record<string, Entry>>;
}

/** A repository with instruction files, a home beside it, and what the calls in it leave behind. */
export interface Stage {
  readonly tree: TempTree;
  readonly repository: string;
  readonly home: string;
  /** The instruction files, absolute, root first. */
  readonly files: readonly string[];
  /** A path in the scope of each file; none of them exists. */
  readonly paths: readonly string[];
  /** `repo/.codelia` and what is in it. */
  state(...parts: string[]): string;
  /** The user's `~/.local/state/codelia`. */
  userState(...parts: string[]): string;
  /** Gives the files, all of them by default, an mtime of their own, and returns it. */
  touch(files?: readonly string[]): number;
  start(args: readonly string[], options?: Partial<CallOptions>): Call;
  run(args: readonly string[], options?: Partial<CallOptions>): Promise<Ending>;
  [Symbol.dispose](): void;
}

/** Twenty directories, five deep at most: a root, a group, and six packages of three levels each. */
export const TWENTY_DIRECTORIES: readonly string[] = [
  "",
  "packages",
  ...["alpha", "beta", "gamma", "delta", "epsilon", "zeta"].flatMap((name) => [
    `packages/${name}`,
    `packages/${name}/src`,
    `packages/${name}/src/ui`,
  ]),
];

export function openStage(options: StageOptions = {}): Stage {
  const { directories = ["", "a"], marker = ".git", config, tmpfs, entries = {} } = options;
  const texts = directories.map((directory) => [join("repo", directory, "AGENTS.md"), `Rules of '${directory}'.\n`]);
  const tree = tempTree({
    "home/": { dir: true },
    "repo/": { dir: true },
    ...(tmpfs === undefined ? Object.fromEntries(texts) : {}),
    ...(marker === "none" ? {} : { [`repo/${marker}/`]: { dir: true } }),
    ...(config === undefined ? {} : { "home/.codelia/config.json": JSON.stringify(config) }),
    ...entries,
  });
  const mount = tmpfs === undefined ? undefined : mountTmpfs(tree.path("repo"), tmpfs);
  if (mount !== undefined) for (const [path, text] of texts) tree.write(path as string, text as string);
  const repository = tree.path("repo");
  const files = directories.map((directory) => join(repository, directory, "AGENTS.md"));
  const common = { cwd: repository, env: { HOME: tree.path("home") } };
  return {
    tree,
    repository,
    home: tree.path("home"),
    files,
    paths: directories.map((directory) => join(directory, "new-file.ts")),
    state: (...parts) => join(repository, ".codelia", ...parts),
    userState: (...parts) => tree.path("home/.local/state/codelia", ...parts),
    touch(touched = files) {
      const mtimeMs = nextMtime();
      for (const file of touched) tree.touch(relative(tree.root, file), mtimeMs);
      return mtimeMs;
    },
    start: (args, more = {}) => startCall(args, { ...common, ...more }),
    run: (args, more = {}) => startCall(args, { ...common, ...more }).ending,
    [Symbol.dispose]() {
      mount?.[Symbol.dispose]();
      tree[Symbol.dispose]();
    },
  };
}

/** The ledger of the stage's root, checked against its schema; throws when it can't be read. */
export function readLedger(stage: Stage, directory = stage.state()): Ledger {
  return LedgerSchema.parse(JSON.parse(readFileSync(join(directory, "session.json"), "utf8")));
}

/** What stands beside it until someone has the lock. */
export function readLateLedgers(stage: Stage): Ledger[] {
  const path = stage.state("session.json.late");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => LedgerSchema.parse(JSON.parse(line)));
}

/** What stands in a directory, in order; nothing where there is none. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

const FIRST_MTIME_MS = Date.UTC(2030, 0, 1);
let mtimes = 0;

/** Never twice the same, so that a line of output says which round it belongs to. */
function nextMtime(): number {
  mtimes++;
  return FIRST_MTIME_MS + mtimes * 1000;
}
