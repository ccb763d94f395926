import { client as claude } from "./claude/events.ts";
import type { Client, NativeLoads } from "./client.ts";
import { client as codex } from "./codex/events.ts";

/** The clients whose hooks are called most. Together they are smaller than the loading of one of them would be. */
const CLIENTS = [claude, codex];

const OTHERS = ["gemini", "qwen", "vscode", "cursor", "opencode", "cline"];

export function findClient(name: string): Client | undefined {
  for (const client of CLIENTS) if (client.name === name) return client;
  return undefined;
}

/** Those that are loaded when they are asked for. */
export async function findOtherClient(name: string): Promise<Client | undefined> {
  switch (name) {
    case "gemini":
      return (await import("./gemini/events.ts")).client;
    case "qwen":
      return (await import("./qwen/events.ts")).client;
    case "vscode":
      return (await import("./vscode/events.ts")).client;
    case "cursor":
      return (await import("./cursor/events.ts")).client;
    case "opencode":
      return (await import("./opencode/events.ts")).client;
    case "cline":
      return (await import("./cline/events.ts")).client;
    default:
      return undefined;
  }
}

export function clientNames(): string[] {
  return [...CLIENTS.map(({ name }) => name), ...OTHERS];
}

/** Of a client of which that is not known. */
const NOTHING: NativeLoads = { reach: () => ({ files: [] }), onTouch: () => [] };

/** What a client's client loads by itself: the profile that `explain` shows, where it has one. */
export async function nativeLoadsOf({ name, native }: Client): Promise<NativeLoads> {
  switch (name) {
    case "claude":
      return (await import("./claude/profile.ts")).claudeProfile;
    case "codex":
      return (await import("./codex/profile.ts")).codexProfile;
    default:
      return native ?? NOTHING;
  }
}
