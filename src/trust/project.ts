import { relative } from "node:path";
import { askedKeys, grantAsked } from "../config/project-layer.ts";
import type { UserPlaces } from "../config/user-places.ts";
import type { LoadedLayer } from "../config/files.ts";
import { unheededConfig } from "../config/problem.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { withSlashes } from "../lib/paths.ts";
import { readRecord } from "./records.ts";

/**
 * A project's config layer with what it asks for put in force, if its file is the very one that the user trusts; else with
 * a problem that says why not. Earlier problems are left out.
 */
export function grantTrusted(places: UserPlaces, root: string, layer: LoadedLayer): LoadedLayer {
  const { path, config, asked } = layer;
  if (asked === undefined || config === undefined || path === undefined) return layer;
  const trusted = trustedHash(places, root, path);
  if (trusted === asked.sha256) return { path, config: grantAsked(config, asked.config), problems: [] };
  const why =
    trusted === undefined ? "you have not trusted this project" : "this file has changed since you trusted the project";
  const message = `${askedKeys(asked.config)} is not in force: ${why}; run 'codelia trust' in '${root}' to review it`;
  return { ...layer, problems: [unheededConfig(path, message)] };
}

function trustedHash(places: UserPlaces, root: string, path: string): string | undefined {
  const subject = realPathOf(root);
  const record = subject === undefined ? undefined : readRecord(places, "project", subject);
  const name = withSlashes(relative(root, path));
  return record?.files.find((file) => file.path === name)?.sha256;
}
