import { relative, sep } from "node:path";
import { askedKeys, grantAsked } from "../config/project-layer.ts";
import type { UserPlaces } from "../config/user-places.ts";
import type { LoadedLayer } from "../config/files.ts";
import { unheededConfig } from "../config/problem.ts";
import { disk } from "../lib/fs.ts";
import { readRecord } from "./records.ts";

/**
 * A project's layer with what it asks for, where its file is the very one that the user trusts.
 *
 * @input  root: the project's directory
 * @output the layer with it and nothing asked any more, or the layer and a problem that says so; earlier problems are left out
 * @effect none
 * @error  none
 */
export function judgeAsked(places: UserPlaces, root: string, layer: LoadedLayer): LoadedLayer {
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
  try {
    const record = readRecord(places, "project", disk.realPath(root));
    const name = relative(root, path).replaceAll(sep, "/");
    return record?.files.find((file) => file.path === name)?.sha256;
  } catch {
    return undefined;
  }
}
