import type { $ZodIssue } from "zod/v4/core";
import { AgentDefinitionSchema, type AgentDefinition } from "../schema.ts";
import { describeIssues } from "./describe-issues.ts";
import { findIssues } from "./find-issues.ts";
import type { Finding } from "./problem.ts";

export interface Form {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** What is heeded of the data, whether it is well-formed or not. */
  readonly heeded: unknown;
  readonly definition?: AgentDefinition;
}

/** In a file of a newer minor version, a key that is unknown here came later: it is left out. */
export function judgeForm(data: unknown, isNewer: boolean): Form {
  const issues = findIssues(AgentDefinitionSchema, data);
  const heeded = isNewer ? withoutUnknown(data, issues) : data;
  const warnings = isNewer ? describeIssues(issues, AgentDefinitionSchema, data).filter(isUnknownKey) : [];
  const parsed = AgentDefinitionSchema.safeParse(heeded);
  if (parsed.success) return { errors: [], warnings, heeded, definition: parsed.data };
  // What was left out may have kept the schema from looking further.
  const left = isNewer ? findIssues(AgentDefinitionSchema, heeded) : issues;
  return { errors: describeIssues(left, AgentDefinitionSchema, heeded), warnings, heeded };
}

function isUnknownKey({ code }: Finding): boolean {
  return code === "unknown_key";
}

function withoutUnknown(data: unknown, issues: readonly $ZodIssue[]): unknown {
  const known = structuredClone(data);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], known);
    for (const key of issue.keys) delete (holder as Record<string, unknown>)[key];
  }
  return known;
}
