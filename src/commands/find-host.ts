import type { Host } from "../core/hooks/host.ts";
import { host as claude } from "../hosts/claude.ts";
import { host as codex } from "../hosts/codex.ts";

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
      return (await import("../hosts/gemini.ts")).host;
    case "qwen":
      return (await import("../hosts/qwen.ts")).host;
    case "vscode":
      return (await import("../hosts/vscode.ts")).host;
    case "cursor":
      return (await import("../hosts/cursor.ts")).host;
    case "opencode":
      return (await import("../hosts/opencode.ts")).host;
    case "cline":
      return (await import("../hosts/cline.ts")).host;
    default:
      return undefined;
  }
}

export function hostNames(): string[] {
  return [...HOSTS.map(({ name }) => name), ...OTHERS];
}
