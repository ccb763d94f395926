import { relative } from "node:path";
import { askedKeys, grantAsked } from "../config/project-layer.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import type { LoadedLayer } from "../config/files.ts";
import { unheededConfig } from "../config/problem.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { withSlashes } from "../lib/paths.ts";
import { readRecord } from "./records.ts";

/**
 * A project's config layer together with what it asks for, if the user trusts this very file; otherwise with a problem
 * that says why not. Earlier problems are not repeated.
 */
export function grantTrusted(userDirectories: UserDirectories, root: string, layer: LoadedLayer): LoadedLayer {
  const { path, config, asked } = layer;
  if (asked === undefined || config === undefined || path === undefined) return layer;
  const trusted = trustedHash(userDirectories, root, path);
  if (trusted === asked.sha256) return { path, config: grantAsked(config, asked.config), problems: [] };
  const why =
    trusted === undefined ? "you have not trusted this project" : "this file has changed since you trusted the project";
  const message = `${askedKeys(asked.config)} is not in force: ${why}; run 'codelia trust' in '${root}' to review it`;
  return { ...layer, problems: [unheededConfig(path, message)] };
}

function trustedHash(userDirectories: UserDirectories, root: string, path: string): string | undefined {
  const subject = realPathOf(root);
  const record = subject === undefined ? undefined : readRecord(userDirectories, "project", subject);
  const name = withSlashes(relative(root, path));
  return record?.files.find((file) => file.path === name)?.sha256;
}
