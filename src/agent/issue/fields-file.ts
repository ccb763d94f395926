import { resolve } from "node:path";
import { readText } from "../../lib/read-file.ts";
import { realPathOf } from "../../lib/same-place.ts";
import { IssueFieldsSchema } from "../issue-fields.ts";
import { ExecutionError } from "../errors.ts";
import type { IssueFieldsSource } from "./issue-fields.ts";

const MAX_BYTES = 64 * 1024;

/**
 * The fields as a file has them, for machines without `gh`:
 * `{ "issue": { "base_branch": "develop" }, "project": { "Target Branch": "release/2" } }`.
 *
 * @effect reads
 * @error  ExecutionError where the file is not there or not of this form
 */
export function fieldsFromFile(cwd: string, path: string): IssueFieldsSource {
  const text = textOf(resolve(cwd, path), path);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw unusable(path, (error as Error).message);
  }
  const fields = IssueFieldsSchema.safeParse(data);
  if (!fields.success) {
    const issue = fields.error.issues[0];
    throw unusable(path, `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
  }
  const { issue, project } = fields.data;
  return { baseBranch: () => issue?.base_branch, targetBranch: () => project?.["Target Branch"] };
}

/** The user names the file, so a link is followed. */
function textOf(path: string, named: string): string {
  const real = realPathOf(path);
  if (real === undefined) throw unusable(named, "there is no such file");
  const read = readText(real, MAX_BYTES);
  if (read.kind === "text") return read.text;
  throw unusable(named, read.kind === "too-large" ? `it is larger than ${MAX_BYTES} bytes` : "it can't be read");
}

function unusable(path: string, why: string): ExecutionError {
  const message = `fields file '${path}' can't be used: ${why}`;
  return new ExecutionError(message, { recoverable: false, details: { path } });
}
