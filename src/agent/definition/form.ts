import type { $ZodIssue } from "zod/v4/core";
import { knownKeys, schemasAt, unknownKey } from "../../lib/schema-problems.ts";
import { isTable, valueAt } from "../../lib/table.ts";
import { AgentDefinitionSchema, type AgentDefinition } from "../schema.ts";
import { error, type Finding, warning } from "./problem.ts";

interface Form {
  readonly problems: readonly Finding[];
  /** The data without unknown keys of a newer version, valid or not. */
  readonly known: unknown;
  readonly definition?: AgentDefinition;
}

/** Checks the data against the schema. In a file of a newer minor version, unknown keys are ignored with a warning. */
export function checkForm(given: unknown, isNewer: boolean): Form {
  const data = withoutNamespaces(given);
  const issues = findIssues(AgentDefinitionSchema, data);
  const known = isNewer ? withoutUnknown(data, issues) : data;
  const unknown = isNewer
    ? describeIssues(issues, AgentDefinitionSchema, data).filter(({ rule }) => rule === "unknown_key")
    : [];
  const warnings = unknown.map(({ rule, pointer, message }): Finding => {
    return { rule, severity: "warning", pointer, message };
  });
  const parsed = AgentDefinitionSchema.safeParse(known);
  if (parsed.success) return { problems: warnings, known, definition: parsed.data };
  // The unknown keys may have hidden other problems from the schema.
  const left = isNewer ? findIssues(AgentDefinitionSchema, known) : issues;
  return { problems: [...describeIssues(left, AgentDefinitionSchema, known), ...warnings], known };
}

/** `$namespace` may be written out if it is the name of its step. */
function withoutNamespaces(data: unknown): unknown {
  const steps = valueAt(data, "steps");
  const names = isTable(steps) ? Object.keys(steps) : [];
  const named = names.filter((name) => valueAt(steps, name, "output", RESERVED) === name);
  if (named.length === 0) return data;
  const rest = structuredClone(data);
  for (const name of named) delete (valueAt(rest, "steps", name, "output") as Record<string, unknown>)[RESERVED];
  return rest;
}

function withoutUnknown(data: unknown, issues: readonly $ZodIssue[]): unknown {
  const rest = structuredClone(data);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], rest);
    for (const key of issue.keys) delete (holder as Record<string, unknown>)[key];
  }
  return rest;
}

/** The schema's issues as sentences, one for each unknown key. */
function describeIssues(issues: readonly $ZodIssue[], schema: unknown, data: unknown): Finding[] {
  return issues.flatMap((issue) => describe(issue, schema, data));
}

function describe(issue: $ZodIssue, schema: unknown, data: unknown): Finding[] {
  const { path } = issue;
  if (isKeyMissing(data, path)) return [error("form", path, `the key '${String(path.at(-1))}' is missing`)];
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = knownKeys(schema, path);
      return issue.keys.map((key) => error("unknown_key", [...path, key], unknownKey(key, key, known)));
    }
    case "invalid_key": {
      const key = String(path.at(-1));
      if (key === RESERVED) {
        return [error("form", path, `'${key}' must be '${String(path.at(-3))}', the name of its step, or be left out`)];
      }
      return [error("form", path, `the name '${key}' ${issue.issues[0]?.message ?? "can't be used"}`)];
    }
    case "invalid_union": {
      const reasons = issue.errors.flatMap(([first]) => first?.message ?? []);
      return [error("form", path, reasons.length === 0 ? issue.message : reasons.join(", or "))];
    }
    default:
      return [error("form", path, issue.message)];
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

/** A field that the loader sets. */
const RESERVED = "$namespace";

interface Schema {
  safeParse(data: unknown): { readonly error?: { readonly issues: readonly $ZodIssue[] } | undefined };
}

/**
 * Everything that a schema finds wrong. For a union, the issues of the member that was meant. Also looks below an
 * invalid key, where zod does not.
 *
 * @param at the path of the data
 */
function findIssues(schema: Schema, data: unknown, at: readonly PropertyKey[] = []): $ZodIssue[] {
  const parsed = schema.safeParse(data);
  const found: $ZodIssue[] = [];
  for (const issue of parsed.error?.issues.flatMap(byMemberMeant) ?? []) {
    const path = at.concat(issue.path);
    found.push({ ...issue, path });
    if (issue.code !== "invalid_key" || path.at(-1) === RESERVED) continue;
    const value = valueAt(data, ...issue.path.map(String));
    for (const form of schemasAt(schema, issue.path)) found.push(...findIssues(form as Schema, value, path));
  }
  return found;
}

/** The intended member is the one that complains about more than the type. */
function byMemberMeant(issue: $ZodIssue): $ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find(
    ([first]) => first !== undefined && first.path.length + Number(first.code !== "invalid_type") > 0,
  );
  if (meant === undefined) return [issue];
  return meant.flatMap(byMemberMeant).map((inner) => Object.assign(inner, { path: [...issue.path, ...inner.path] }));
}

interface FormatVersion {
  readonly major: number;
  readonly minor: number;
}

/** The version that this program reads. */
const FORMAT: FormatVersion = { major: 1, minor: 0 };

interface VersionCheck {
  readonly problems: readonly Finding[];
  /** It may have keys of a later version, which are then warnings. */
  readonly isNewer: boolean;
}

/** Without a version it is 1.0. Another major version is another format; a newer minor version only adds keys. */
export function checkVersion(data: unknown): VersionCheck {
  const given = valueAt(data, "version") ?? "1.0";
  const version = typeof given === "string" ? readVersion(given) : undefined;
  // The schema reports an invalid version.
  if (version === undefined) return { problems: [], isNewer: false };
  const own = `${FORMAT.major}.${FORMAT.minor}`;
  if (version.major !== FORMAT.major) {
    const message = `version '${given}' is not supported: this program reads ${FORMAT.major}.x`;
    return { problems: [error("version", ["version"], message)], isNewer: false };
  }
  if (version.minor <= FORMAT.minor) return { problems: [], isNewer: false };
  const message = `version '${given}' is newer than ${own}, the version this program knows: newer keys are ignored`;
  return { problems: [warning("version", ["version"], message)], isNewer: true };
}

function readVersion(text: string): FormatVersion | undefined {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})$/.exec(text) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
