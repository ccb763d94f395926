import { closeSync } from "node:fs";
import { disk } from "../../../src/lib/fs.ts";
import type { World } from "../../../src/world.ts";
import { errno, hookDisk } from "../../support/disk-hooks.ts";

/** What strikes a single call on the file system, or on standard output. */
export type Blow =
  /** It fails, and nothing has happened. */
  | { readonly kind: "fails"; readonly code: string }
  /** It is done, and reported as failed: the answer of a file server that was lost. */
  | { readonly kind: "done-then-fails"; readonly code: string }
  /** It moves a part of the bytes. */
  | { readonly kind: "short" }
  /** It moves a part of the bytes, and the disk is full from then on. */
  | { readonly kind: "short-then-full" }
  /** The reader of standard output has gone. */
  | { readonly kind: "unread" }
  /** The process is gone before the call, and does nothing more. */
  | { readonly kind: "killed" };

export type CallName = keyof typeof disk | "standard output";

export interface Strike {
  /** Counted from 0 over all calls of a run. */
  readonly at: number;
  readonly blow: Blow;
}

const CODES = ["EACCES", "ENOSPC", "EIO", "EROFS", "EINTR", "ENOENT"];
const CHANGING: ReadonlySet<CallName> = new Set([
  "openToCreate",
  "openToOverwrite",
  "openToAppend",
  "write",
  "setMode",
  "makeDirectory",
  "addName",
  "rename",
  "remove",
  "removeDirectory",
]);

/** Everything that can strike a call of that name. */
export function blowsOn(call: CallName): readonly Blow[] {
  const killed: Blow = { kind: "killed" };
  if (call === "standard output") return [{ kind: "unread" }, killed];
  return [
    ...CODES.map((code): Blow => ({ kind: "fails", code })),
    ...(CHANGING.has(call) ? [{ kind: "done-then-fails", code: "EIO" } as const] : []),
    ...(call === "read" || call === "write" ? [{ kind: "short" } as const] : []),
    ...(call === "write" ? [{ kind: "short-then-full" } as const] : []),
    killed,
  ];
}

export function blowName(blow: Blow): string {
  return "code" in blow ? `${blow.kind} ${blow.code}` : blow.kind;
}

export interface FaultyDisk extends Disposable {
  /** The calls so far, in order, with what they were about. */
  readonly calls: readonly { readonly name: CallName; readonly subject: string }[];
  readonly wasKilled: boolean;
  /** How many files are still open; those that a killed process left are not counted. */
  readonly openFiles: number;
  /** The world whose standard output belongs to it. */
  over<Given extends World>(world: Given): Given;
}

type AnyCall = (...args: readonly unknown[]) => unknown;

const OPENING: ReadonlySet<CallName> = new Set(["openToRead", "openToCreate", "openToOverwrite", "openToAppend"]);

/** The real disk until the end of the scope, every call counted, one of them struck. */
export function faultyDisk(strike?: Strike): FaultyDisk {
  const calls: { name: CallName; subject: string }[] = [];
  const open = new Set<number>();
  let [wasKilled, isFull] = [false, false];

  function call(name: CallName, args: readonly unknown[], original: AnyCall): unknown {
    if (wasKilled) throw new Error("the process is gone");
    const blow = calls.length === strike?.at ? strike.blow : undefined;
    calls.push({ name, subject: String(args[0]) });
    if (isFull && name === "write") throw errno("ENOSPC");
    if (blow === undefined) return original(...args);
    switch (blow.kind) {
      case "killed":
        wasKilled = true;
        throw new Error("killed");
      case "fails":
        // Whatever it reports, a file is closed.
        if (name === "close") original(...args);
        // As the call itself does with what is not there.
        if (blow.code === "ENOENT" && (name === "look" || name === "lookThrough")) return undefined;
        throw errno(blow.code);
      case "done-then-fails":
        forget(name, original(...args));
        throw errno(blow.code);
      case "unread":
        return false;
      case "short":
        return original(args[0], someOf(args[1] as Uint8Array));
      case "short-then-full":
        isFull = true;
        return original(args[0], someOf(args[1] as Uint8Array));
    }
  }

  /** Of a file whose opening is reported as failed nobody has the descriptor. */
  function forget(name: CallName, result: unknown): void {
    if (!OPENING.has(name)) return;
    closeSync(result as number);
    open.delete(result as number);
  }

  function watched(name: keyof typeof disk): (original: AnyCall) => AnyCall {
    return (original) =>
      (...args) =>
        call(name, args, (...given) => {
          const result = original(...given);
          if (OPENING.has(name)) open.add(result as number);
          if (name === "close") open.delete(given[0] as number);
          return result;
        });
  }

  const names = Object.keys(disk) as (keyof typeof disk)[];
  const hook = hookDisk(Object.fromEntries(names.map((name) => [name, watched(name)])));
  return {
    calls,
    get wasKilled() {
      return wasKilled;
    },
    get openFiles() {
      return wasKilled ? 0 : open.size;
    },
    over: (world) => ({
      ...world,
      write: (data) => call("standard output", [""], () => world.write(data)) as boolean,
    }),
    [Symbol.dispose]() {
      hook[Symbol.dispose]();
      for (const descriptor of open) closeSync(descriptor);
    },
  };
}

function someOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}
