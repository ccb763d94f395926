import type { $ZodIssue } from "zod/v4/core";
import { didYouMean } from "../../lib/nearest.ts";
import { isTable } from "../../lib/table.ts";
import { knownKeys } from "../../lib/schema-keys.ts";
import { RESERVED } from "./find-issues.ts";
import { finding, type Finding } from "./problem.ts";

/** What a schema finds wrong with data, as sentences: each unknown key for itself. */
export function describeIssues(issues: readonly $ZodIssue[], schema: unknown, data: unknown): Finding[] {
  return issues.flatMap((issue) => describe(issue, schema, data));
}

function describe(issue: $ZodIssue, schema: unknown, data: unknown): Finding[] {
  const { path } = issue;
  if (isKeyMissing(data, path)) return [finding("form", path, `the key '${String(path.at(-1))}' is missing`)];
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = knownKeys(schema, path);
      return issue.keys.map((key) => {
        const hint = didYouMean(key, known) || (known.length === 0 ? "" : `; known here: ${known.join(", ")}`);
        return finding("unknown_key", [...path, key], `unknown key '${key}'${hint}`);
      });
    }
    case "invalid_key": {
      const key = String(path.at(-1));
      const why = key === RESERVED ? "is reserved: the loader sets it" : (issue.issues[0]?.message ?? "can't be used");
      return [finding("form", path, `the name '${key}' ${why}`)];
    }
    case "invalid_union": {
      const reasons = issue.errors.flatMap(([first]) => first?.message ?? []);
      return [finding("form", path, reasons.length === 0 ? issue.message : reasons.join(", or "))];
    }
    default:
      return [finding("form", path, issue.message)];
  }
}

function isKeyMissing(data: unknown, path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data);
  return isTable(holder) && !Object.hasOwn(holder, last);
}
