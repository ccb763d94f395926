import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type * as recheck from "recheck";
import { REPOSITORY } from "../../support/run-codelia.ts";
import type { Expression } from "./find-expressions.ts";

/** `proven`: for every input it takes time in proportion. Else why not, in recheck's words. */
export type Verdict = { readonly kind: "proven" } | { readonly kind: "open"; readonly why: string };

/** Its form without a binary and a second process. */
const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as typeof recheck;
const { version } = createRequire(import.meta.url)("recheck/package.json") as { readonly version: string };

/**
 * Only what is proven counts: its other way, to try inputs by chance, says of an expression that it has found none. It
 * decides on all of ours in seconds; what it does not decide on in this time has to be put simpler.
 */
const PARAMETERS = { checker: "automaton", timeout: 60_000 } as const;

export function judgeExpression({ source, flags }: Pick<Expression, "source" | "flags">): Verdict {
  const found = checkSync(source, flags, PARAMETERS);
  if (found.status === "safe") return { kind: "proven" };
  if (found.status === "vulnerable") return { kind: "open", why: found.complexity.summary };
  return { kind: "open", why: "message" in found.error ? String(found.error.message) : found.error.kind };
}

/** Verdicts of before are kept below `dist/`: most expressions are as they were. */
export function rememberedVerdicts(path = join(REPOSITORY, "dist/.cache/regexps.json")) {
  const known = read(path);
  const used: Record<string, Verdict> = {};
  return {
    judge({ source, flags }: Expression): Verdict {
      const key = `${version} /${source}/${flags}`;
      const verdict = known[key] ?? judgeExpression({ source, flags });
      used[key] = verdict;
      return verdict;
    },
    save(): void {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(used));
    },
  };
}

function read(path: string): Readonly<Record<string, Verdict>> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, Verdict>;
  } catch {
    return {};
  }
}
