import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Fields } from "./hook-calls.ts";
import { WITH_CODELIA } from "./hook-calls.ts";
import { CODELIA } from "./run-codelia.ts";
import type { TempTree } from "./temp-tree.ts";

/** A running `codelia mcp`, asked as a client's hooks ask it. */
interface HookServer {
  /** The content of the hook's answer; "" if there is none. */
  ask(fields: Fields, meta?: Fields): Promise<string>;
  request(method: string, params?: object): Promise<Reply>;
  /** Several requests at once, as from hooks that a client calls at the same time; the texts in their order. */
  askAll(calls: readonly Fields[]): Promise<readonly string[]>;
  /** Resident memory in KiB. */
  memory(): number;
  /** How long its thread has run on a processor, in milliseconds. */
  processorMs(): number;
  /** The exit code, once standard input is closed. */
  end(): Promise<number | null>;
  readonly pid: number;
  [Symbol.dispose](): void;
}

interface Reply {
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly tools?: readonly object[] };
  readonly error?: { readonly code: number };
}

/** Starts it in `repo` of a tree that has its user's home in `home`. */
export function startHookServer(
  tree: Pick<TempTree, "path">,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): HookServer {
  const child = spawn(CODELIA, ["mcp", ...flags], {
    cwd: tree.path("repo"),
    env: { PATH: WITH_CODELIA, HOME: tree.path("home"), ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((settle) => child.on("exit", settle));
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const reply = JSON.parse(line);
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  let ids = 0;
  const send = (messages: readonly object[]): Promise<Reply[]> => {
    const asked = messages.map((message) => ({ jsonrpc: "2.0", id: ++ids, ...message }));
    const replies = asked.map(({ id }) => new Promise<Reply>((settle) => waiting.set(id, settle)));
    child.stdin.write(asked.map((each) => `${JSON.stringify(each)}\n`).join(""));
    return Promise.all(replies);
  };
  const asCall = (fields: Fields, meta: Fields = {}) => ({
    method: "tools/call",
    params: { name: "hook_event", arguments: fields, _meta: meta },
  });
  return {
    pid: child.pid ?? 0,
    async ask(fields, meta) {
      const [reply] = await send([asCall(fields, meta)]);
      return textOf(reply);
    },
    askAll: async (calls) => (await send(calls.map((fields) => asCall(fields)))).map(textOf),
    async request(method, params = {}) {
      const [reply] = await send([{ method, params }]);
      return reply ?? {};
    },
    memory: () => Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]),
    processorMs: () => Number(readFileSync(`/proc/${child.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6,
    end() {
      child.stdin.end();
      return ended;
    },
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

function textOf(reply: Reply | undefined): string {
  if (reply?.result?.content === undefined) throw new Error(`no result: ${JSON.stringify(reply)}`);
  return reply.result.content.map(({ text }) => text).join("");
}
