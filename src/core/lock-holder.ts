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
    const strings = [startTime, bootId, pidNamespace, nonce];
    const isWhole = Number.isSafeInteger(pid) && pid > 0 && strings.every((part) => typeof part === "string");
    // The nonce becomes part of a file name.
    return isWhole && /^[0-9a-z]{8,32}$/.test(nonce) ? { pid, startTime, bootId, pidNamespace, nonce } : undefined;
  } catch {
    return undefined;
  }
}
