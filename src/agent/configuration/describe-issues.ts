import type { $ZodIssue } from "zod/v4/core";
import { didYouMean } from "../../core/nearest.ts";
import { knownKeys } from "../../schema/known-keys.ts";
import { finding, type Finding } from "./problem.ts";

const RESERVED = "$namespace";

/** What a schema finds wrong, each unknown key for itself. */
export function describeIssues(
  issues: readonly $ZodIssue[],
  schema: unknown,
  at: readonly PropertyKey[] = [],
): Finding[] {
  return issues.flatMap((issue) => describe(issue, schema, at));
}

function describe(issue: $ZodIssue, schema: unknown, at: readonly PropertyKey[]): Finding[] {
  const path = [...at, ...issue.path];
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
      // The form that was meant is the one that has more to say than "not of this type".
      const meant = issue.errors.find(
        ([first]) => first !== undefined && first.path.length + Number(first.code !== "invalid_type") > 0,
      );
      if (meant !== undefined) return describeIssues(meant, schema, path);
      const reasons = issue.errors.flatMap(([first]) => first?.message ?? []);
      return [finding("form", path, reasons.length === 0 ? issue.message : reasons.join(", or "))];
    }
    default:
      return [finding("form", path, issue.message)];
  }
}
