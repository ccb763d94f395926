import { statOf } from "../lib/path-facts.ts";
import { isBlank } from "../lib/text.ts";
import type { FileVersion, InstructionFile } from "./chain.ts";
import type { ResumeFacts } from "./resume.ts";
import { textDigest } from "../lib/hash.ts";
import type { World } from "../world.ts";
import { identityOf, versionOf } from "../lib/fs.ts";
import { readStart, readText } from "../lib/read-file.ts";

/** A file with nothing but white space in this many bytes is taken to say something further down. */
const BLANK_CHECK_BYTES = 1024 * 1024;
/** Up to this size a file is read the way the ledger was: the first use of another way takes longer than the reading. */
const AT_ONCE_BYTES = 64 * 1024;
/** No digest is made of a longer text. */
const DIGEST_BYTES = 1024 * 1024;

/**
 * The facts a decision may ask for, each looked up once.
 *
 * @effect reads the start of files; a warning for one that can't be read, which then counts as blank
 * @error  none
 */
export function instructionFacts(world: World): ResumeFacts {
  const blank = new Map<string, boolean>();
  const digests = new Map<string, number | undefined>();
  const texts = new Map<string, string>();
  const identities = new Map<string, string | undefined>();
  return {
    isBlank(file) {
      const known = blank.get(file.path);
      if (known !== undefined) return known;
      const answer = saysNothing(world, file, texts);
      blank.set(file.path, answer);
      return answer;
    },
    digestOf(file) {
      if (!digests.has(file.path)) digests.set(file.path, digestOf(file, texts));
      return digests.get(file.path);
    },
    identityAt(path, version) {
      if (!identities.has(path)) identities.set(path, identityAt(path, version));
      return identities.get(path);
    },
    mtimeAt: (path) => presentStats(path)?.version.mtimeMs,
  };
}

/** @input texts: those that were read, by path */
function saysNothing(world: World, file: InstructionFile, texts: Map<string, string>): boolean {
  if (file.version.sizeBytes === 0) return true;
  const whole = readText(file.realPath, AT_ONCE_BYTES);
  if (whole.kind === "text") {
    texts.set(file.path, whole.text);
    return whole.text.trim() === "";
  }
  const read = whole.kind === "too-large" ? readStart(file.realPath, BLANK_CHECK_BYTES) : whole;
  if (read.kind === "read") return isBlank(read.bytes, read.version.sizeBytes);
  if (read.kind === "unusable") world.warn(`'${file.path}' can't be read (${read.reason}) and is passed over`);
  return true;
}

function digestOf(
  { path, realPath }: Pick<InstructionFile, "path" | "realPath">,
  texts: ReadonlyMap<string, string>,
): number | undefined {
  const text = texts.get(path);
  if (text !== undefined) return textDigest(text);
  const read = readText(realPath, DIGEST_BYTES);
  return read.kind === "text" ? textDigest(read.text) : undefined;
}

function identityAt(path: string, version: FileVersion): string | undefined {
  const present = presentStats(path);
  const isSame = present?.version.mtimeMs === version.mtimeMs && present.version.sizeBytes === version.sizeBytes;
  return isSame ? present?.identity : undefined;
}

function presentStats(path: string): { version: FileVersion; identity: string } | undefined {
  const stats = statOf(path);
  return stats && { version: versionOf(stats), identity: identityOf(stats) };
}
