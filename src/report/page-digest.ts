import { createHash } from "node:crypto";

/** By which a page's policy knows its own style and script: nothing else runs in it. */
export function pageDigest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
