import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import type { ProcessResult } from "./client-process.ts";
import type { ModelServer, RecordedRequest } from "./model-server.ts";
import type { ModelRequest } from "./script.ts";

export interface ClientRun extends ProcessResult {
  /** Everything that was asked of the server, as it came. */
  readonly requests: readonly RecordedRequest[];
  /** What the model read: one entry per request for its next words, the same for all clients. */
  readonly seenByModel: readonly ModelRequest[];
}

/** What the runs of both clients have in common. */
export interface RunOptions {
  /** The project. */
  readonly tree: TempTree;
  /** Where the client is started; the tree's root where it isn't given. */
  readonly cwd?: string;
  /** Kept between the runs of a session that is resumed; one run of its own needs none. */
  readonly home?: TempTree;
  readonly model?: string;
  readonly args?: readonly string[];
  /** What the client's own hook configuration of the user gets as `hooks`. */
  readonly hooks?: HookConfig;
  /** The last session, or the one with this id. */
  readonly resume?: true | string;
  readonly timeoutMs?: number;
}

export type HookConfig = Readonly<Record<string, readonly object[]>>;

/** Starts the server, runs the client at it, and tells of both. */
export async function runWithModel(
  startServer: () => Promise<ModelServer>,
  givenHome: TempTree | undefined,
  run: (url: string, home: TempTree) => Promise<ProcessResult>,
): Promise<ClientRun> {
  await using server = await startServer();
  using ownHome = givenHome === undefined ? tempTree() : undefined;
  const home = givenHome ?? ownHome!;
  const result = await run(server.url, home).catch((error: unknown) => {
    const asked = server.requests.map(({ method, path }) => `${method} ${path}`).join(", ");
    throw new Error(`${(error as Error).message}\nthe model was asked: ${asked}`, { cause: error });
  });
  if (server.failures.length > 0) throw new AggregateError(server.failures, String(server.failures[0]));
  const { requests, seenByModel } = server;
  return { ...result, requests, seenByModel };
}
