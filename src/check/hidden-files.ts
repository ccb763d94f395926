import type { Candidate } from "../instructions/chain.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";

const OVERRIDE = "AGENTS.override.md";
const HIDDEN = "AGENTS.md";

type Placed = Candidate & { readonly directory: string };

/** The files that an override beside them hides from everyone who heeds it. */
export function hiddenFiles(candidates: readonly Placed[]): Finding[] {
  const overrides = new Map<string, Placed>();
  for (const candidate of candidates) if (isNamed(candidate, OVERRIDE)) overrides.set(candidate.directory, candidate);
  return candidates.flatMap((candidate) => {
    const override = isNamed(candidate, HIDDEN) ? overrides.get(candidate.directory) : undefined;
    // The same file under both names hides nothing.
    if (override === undefined || identityOf(override) === identityOf(candidate)) return [];
    const message = `'${OVERRIDE}' beside it is used in its place`;
    const remedy = "move what matters into one of them, or keep the override out of git";
    const concerns = [override.path];
    return [finding("instructions-hidden", { path: candidate.path, line: 1, message, remedy, concerns })];
  });
}

function isNamed({ path, directory, found }: Placed, name: string): boolean {
  return found.kind === "file" && path.length === directory.length + 1 + name.length && path.endsWith(name);
}

function identityOf({ found }: Placed): string | undefined {
  return found.kind === "file" ? found.identity : undefined;
}
