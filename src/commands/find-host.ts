import type { Host } from "../core/hooks/host.ts";

/** The hosts whose hooks we answer. */
export const HOST_NAMES = ["claude", "codex"] as const;

/** A host's own code, loaded when it is asked for. */
export async function findHost(name: string): Promise<Host | undefined> {
  switch (name) {
    case "claude":
      return (await import("../hosts/claude.ts")).host;
    case "codex":
      return (await import("../hosts/codex.ts")).host;
    default:
      return undefined;
  }
}
