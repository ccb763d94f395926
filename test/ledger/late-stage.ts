import { readdirSync } from "node:fs";
import { run } from "../../src/cli.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { held } from "../lib/lock-samples.ts";

/** A process that lives, for whoever asks a fake world; every other process finds it gone. */
const HOLDER_PID = 2 ** 30;
/** So does this one, whose lock others break at once. */
const CALLER_PID = HOLDER_PID + 1;
export const LOCK = "repo/.codelia/session.json.lock";
export const LATE = "repo/.codelia/session.json.late";
export const UNRECORDED = "could not record in ";

export interface LateCall {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** An event for `hook claude`. */
  readonly event?: object;
  /** What others do while this call speaks: it has decided, and not recorded. */
  readonly meanwhile?: () => void;
}

export interface Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository with two instruction files, whose ledger's lock another process may hold. */
export interface LateStage {
  readonly tree: TempTree;
  /** A call in this process, for which no time passes while it waits. */
  call(argv: readonly string[], options?: LateCall): Promise<Ending>;
  /** Another process, from its beginning to its end; it finds no lock that it can't break. */
  other(argv: readonly string[], options?: Pick<LateCall, "cwd" | "event">): Ending;
  hold(): void;
  /** From beginnings too, which take it from a holder that does not move. */
  holdForEver(): void;
  release(): void;
  /** What stands beside the ledger, and the ledger. */
  names(): string[];
  [Symbol.dispose](): void;
}

export function lateStage(more: Readonly<Record<string, Entry>> = {}): LateStage {
  const tree = tempTree({
    "home/": { dir: true },
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": "Rules of the root.\n",
    "repo/a/AGENTS.md": "Rules of a.\n",
    ...more,
  });
  const home = tree.path("home");
  const common = { session_id: "s", cwd: tree.path("repo"), transcript_path: null };
  const stdin = (event: object | undefined) => (event === undefined ? "" : JSON.stringify({ ...common, ...event }));
  return {
    tree,
    async call(argv, { cwd = "repo", env = {}, event, meanwhile } = {}) {
      const world = fakeWorld({
        argv,
        cwd: tree.path(cwd),
        home,
        env: { HOME: home, NO_COLOR: "1", ...env },
        pid: CALLER_PID,
        alive: [HOLDER_PID],
        stdin: stdin(event),
        epochMs: Date.now(),
      });
      let wasPrinted = false;
      const write = (data: string | Uint8Array) => {
        if (!wasPrinted) meanwhile?.();
        wasPrinted = true;
        return world.write(data);
      };
      await run({ ...world, write });
      return { stdout: world.written(), stderr: world.complaints.join("") };
    },
    other: (argv, { cwd = "repo", event } = {}) => runCodelia(argv, { cwd: tree.path(cwd), home, stdin: stdin(event) }),
    hold: () => tree.write(LOCK, held({ pid: HOLDER_PID, startTime: "" })),
    holdForEver: () => tree.write(`${LOCK}/notes`, "not a lock"),
    release: () => tree.remove(LOCK),
    names: () => readdirSync(tree.path("repo/.codelia")).filter((name) => name.startsWith("session.json")),
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}
