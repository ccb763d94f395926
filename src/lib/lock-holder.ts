/** What a lock file says about the process that holds it. */
export interface Holder {
  readonly pid: number;
  /** When that process began, in the kernel's own units; "" where it can't be known. */
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly nonce: string;
}

/** What can be seen of that process from here. */
export interface Sighting {
  readonly isAlive: boolean;
  /** The start time of the process that has the pid now; "" where it can't be known. */
  readonly startTime: string;
}

export type HolderState = "holds" | "gone" | "unknown";

/** `unknown`: it may live in another pid namespace, where its pid means nothing here. */
export function judgeHolder(holder: Holder, own: Holder, seen: Sighting): HolderState {
  if (holder.bootId !== own.bootId) return holder.bootId === "" || own.bootId === "" ? "unknown" : "gone";
  if (holder.pidNamespace !== own.pidNamespace) return "unknown";
  if (!seen.isAlive) return "gone";
  const isSuccessor = holder.startTime !== "" && seen.startTime !== "" && holder.startTime !== seen.startTime;
  return isSuccessor ? "gone" : "holds";
}

export function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startTime, bootId, pidNamespace, nonce } = JSON.parse(text);
    const isProcess = Number.isSafeInteger(pid) && pid > 0 && typeof startTime === "string";
    const isPlaced = typeof bootId === "string" && typeof pidNamespace === "string";
    return isProcess && isPlaced && isNonce(nonce) ? { pid, startTime, bootId, pidNamespace, nonce } : undefined;
  } catch {
    return undefined;
  }
}

/** It becomes part of a file name. No pattern: each call that records comes by here, and compiling one takes longer. */
function isNonce(value: unknown): value is string {
  if (typeof value !== "string" || value.length < 8 || value.length > 32) return false;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a))) return false;
  }
  return true;
}
