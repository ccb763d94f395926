import type { Host } from "../core/hooks/host.ts";
import { host as claude } from "../hosts/claude.ts";
import { host as codex } from "../hosts/codex.ts";

/** The hosts whose hooks we answer. Together they are smaller than the loading of one of them would be. */
const HOSTS = [claude, codex];

export function findHost(name: string): Host | undefined {
  for (const host of HOSTS) if (host.name === name) return host;
  return undefined;
}

export function hostNames(): string[] {
  return HOSTS.map(({ name }) => name);
}
