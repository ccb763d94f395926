import type { Call } from "./call.ts";
import { openPipe } from "./pipes.ts";
import { spinUntil } from "./spin.ts";
import { namesIn, type Stage } from "./stage.ts";

/** A call that holds the ledger's lock and hangs in printing, because nobody reads its output. */
export interface BlockedCall extends Disposable {
  readonly call: Call;
  /** Reads its output, so that it comes to its end, and returns the output. */
  finish(): Promise<string>;
}

const LOCK_APPEARS_MS = 2000;

export function blockUnderLock(stage: Stage, args: readonly string[]): BlockedCall {
  const pipe = openPipe(stage.tree.path(`pipe-${namesIn(stage.tree.root).length}`));
  pipe.fill();
  const call = stage.start(args, { stdout: pipe.writeEnd });
  const hasDraft = () => namesIn(stage.state()).some((name) => /^session\.json\..+\.new$/.test(name));
  if (!spinUntil(hasDraft, LOCK_APPEARS_MS)) throw new Error("the call has not come to hold the lock");
  return {
    call,
    async finish() {
      let text = pipe.drain();
      await call.ending;
      text += pipe.drain();
      return text.replace(/^\.+/, "");
    },
    [Symbol.dispose]() {
      call.signal("SIGKILL");
      pipe[Symbol.dispose]();
    },
  };
}
