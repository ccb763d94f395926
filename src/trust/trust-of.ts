import type { TrustedFile } from "./schema.ts";
import { compareFiles, whyNotTrusted } from "./trust.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { readAll } from "./subject-files.ts";
import { copyOf, readRecord } from "./trust-records.ts";

export type Trust =
  | {
      readonly kind: "trusted";
      /** The verified copy: the same files under the same paths. What runs, and what it reads of the definition, is here. */
      readonly directory: string;
      /** The files of the clone that its commands may name, as they were agreed to. */
      readonly named: readonly TrustedFile[];
    }
  | {
      readonly kind: "untrusted";
      /** A clause for a sentence that ends with the way out, which is `codelia trust <directory>`. */
      readonly reason: string;
    };

/**
 * Whether the user trusts an agent definition just as it is now: every file the one that was shown and agreed to, none
 * more, none less. Ask right before something of it runs, and load it anew from the copy.
 *
 * @input  directory: of the definition, which holds an `agent.json`
 * @output the verified copy, or why there is none
 * @effect reads every file of the definition and of its copy
 * @error  none
 */
export function trustOf(places: UserPlaces, directory: string): Trust {
  let subject: string;
  try {
    subject = disk.realPath(directory);
  } catch (error) {
    return untrusted(`it can't be looked at (${errnoOf(error)})`);
  }
  const record = readRecord(places, "agent", subject);
  if (record === undefined) return untrusted("you have not trusted it");
  const present = readAll(subject);
  if (present.kind === "unusable") return untrusted(present.problem);
  const change = whyNotTrusted(compareFiles(record.files, present.files));
  if (change !== undefined) return untrusted(change);
  const copy = copyOf(places, record);
  const copied = readAll(copy);
  if (copied.kind === "unusable" || whyNotTrusted(compareFiles(record.files, copied.files)) !== undefined) {
    return untrusted("its copy in the trust store is damaged");
  }
  return { kind: "trusted", directory: copy, named: record.named ?? [] };
}

function untrusted(reason: string): Trust {
  return { kind: "untrusted", reason };
}
