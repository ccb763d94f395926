import { join } from "node:path";
import { compareFiles, whyNotTrusted } from "./trust.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { realPlace } from "../lib/real-place.ts";
import { readNamed } from "./subject-files.ts";
import { copyOf, readRecord } from "./trust-records.ts";

export type TrustedCopy =
  | { readonly kind: "trusted"; readonly copy: string; readonly directory: string }
  | { readonly kind: "untrusted"; readonly reason: string };

/**
 * One file of a trusted project, where it still is what its user agreed to.
 *
 * @input  root: the project's directory; path: from there, with slashes
 * @output its verified copy and the directory that copies of the project's files are in, or why there is none
 * @effect reads the file and its copy
 * @error  none
 */
export function trustedCopy(places: UserPlaces, root: string, path: string): TrustedCopy {
  const subject = realPlace(root)?.path ?? root;
  const record = readRecord(places, "project", subject);
  const trusted = record?.files.filter((file) => file.path === path) ?? [];
  if (record === undefined || trusted.length === 0) return untrusted("you have not trusted it");
  const present = readNamed(subject, [path]);
  if (present.kind === "unusable") return untrusted(present.problem);
  const change = whyNotTrusted(compareFiles(trusted, present.files));
  if (change !== undefined) return untrusted(change);
  const directory = copyOf(places, record);
  const copied = readNamed(directory, [path]);
  if (copied.kind === "unusable" || whyNotTrusted(compareFiles(trusted, copied.files)) !== undefined) {
    return untrusted("its copy in the trust store is damaged");
  }
  return { kind: "trusted", copy: join(directory, path), directory };
}

function untrusted(reason: string): TrustedCopy {
  return { kind: "untrusted", reason };
}
