import { host as claude } from "./claude/events.ts";
import type { Host, NativeLoads } from "./client.ts";
import { host as codex } from "./codex/events.ts";

/** The hosts whose hooks are called most. Together they are smaller than the loading of one of them would be. */
const HOSTS = [claude, codex];

const OTHERS = ["gemini", "qwen", "vscode", "cursor", "opencode", "cline"];

export function findHost(name: string): Host | undefined {
  for (const host of HOSTS) if (host.name === name) return host;
  return undefined;
}

/** Those that are loaded when they are asked for. */
export async function findOtherHost(name: string): Promise<Host | undefined> {
  switch (name) {
    case "gemini":
      return (await import("./gemini/events.ts")).host;
    case "qwen":
      return (await import("./qwen/events.ts")).host;
    case "vscode":
      return (await import("./vscode/events.ts")).host;
    case "cursor":
      return (await import("./cursor/events.ts")).host;
    case "opencode":
      return (await import("./opencode/events.ts")).host;
    case "cline":
      return (await import("./cline/events.ts")).host;
    default:
      return undefined;
  }
}

export function hostNames(): string[] {
  return [...HOSTS.map(({ name }) => name), ...OTHERS];
}

/** Of a client of which that is not known. */
const NOTHING: NativeLoads = { reach: () => ({ files: [] }), onTouch: () => [] };

/** What a host's client loads by itself: the profile that `explain` shows, where it has one. */
export async function nativeLoadsOf({ name, native }: Host): Promise<NativeLoads> {
  switch (name) {
    case "claude":
      return (await import("./claude/profile.ts")).claudeProfile;
    case "codex":
      return (await import("./codex/profile.ts")).codexProfile;
    default:
      return native ?? NOTHING;
  }
}
