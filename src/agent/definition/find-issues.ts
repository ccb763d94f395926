import type { $ZodIssue } from "zod/v4/core";
import { valueAt } from "../../lib/table.ts";
import { schemasAt } from "../../lib/schema-keys.ts";

/** The field that is the loader's: no value of it is judged. */
export const RESERVED = "$namespace";

interface Schema {
  safeParse(data: unknown): { readonly error?: { readonly issues: readonly $ZodIssue[] } | undefined };
}

/**
 * Everything that a schema finds wrong. Where a value may have one of several forms, what is wrong by the one that was
 * meant; and also what is wrong below a key that can't be used, where zod does not look.
 *
 * @param at where the data stand
 */
export function findIssues(schema: Schema, data: unknown, at: readonly PropertyKey[] = []): $ZodIssue[] {
  const parsed = schema.safeParse(data);
  const found: $ZodIssue[] = [];
  for (const issue of parsed.error?.issues.flatMap(byTheFormMeant) ?? []) {
    const path = at.concat(issue.path);
    found.push({ ...issue, path });
    if (issue.code !== "invalid_key" || path.at(-1) === RESERVED) continue;
    const value = valueAt(data, ...issue.path.map(String));
    for (const form of schemasAt(schema, issue.path)) found.push(...findIssues(form as Schema, value, path));
  }
  return found;
}

/** The form that was meant is the one that has more to say than "not of this type". */
function byTheFormMeant(issue: $ZodIssue): $ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find(
    ([first]) => first !== undefined && first.path.length + Number(first.code !== "invalid_type") > 0,
  );
  if (meant === undefined) return [issue];
  return meant.flatMap(byTheFormMeant).map((inner) => Object.assign(inner, { path: [...issue.path, ...inner.path] }));
}
