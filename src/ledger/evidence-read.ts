import { basename, join } from "node:path";
import { isLinked, namesIn } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { isOfLedger } from "./format.ts";
import { inodeOf, type LedgerLocation } from "./location.ts";
import { EVIDENCE_FILE, evidencePath } from "./read.ts";
import { EvidenceSchema, type Evidence } from "./schema.ts";

/** More than is ever appended. A longer file is not ours. */
const MAX_BYTES = 512 * 1024;
/** Sessions. */
const MAX_FILES = 5000;

/**
 * The evidence of all sessions of a ledger, in the order of each session.
 *
 * @input  tree: of the ledger: lines of another one don't count, so none that came with a clone does
 */
export function readEvidence(location: LedgerLocation, tree: string): Evidence[] {
  const directory = join(location.directory, "sessions");
  const names = isLinked(directory) ? [] : namesIn(directory).filter((name) => EVIDENCE_FILE.test(name));
  const inode = inodeOf(location);
  const all: Evidence[] = [];
  for (const name of names.toSorted().slice(0, MAX_FILES)) {
    const read = readText(join(directory, name), MAX_BYTES);
    if (read.kind !== "text") continue;
    for (const line of read.text.split("\n")) {
      const evidence = line === "" ? undefined : parse(line);
      if (evidence === undefined || !isOfLedger(evidence.tree, tree, inode)) continue;
      if (basename(evidencePath(location, evidence.session)) === name) all.push(evidence);
    }
  }
  return all;
}

function parse(line: string): Evidence | undefined {
  try {
    const { success, data } = EvidenceSchema.safeParse(JSON.parse(line));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}
