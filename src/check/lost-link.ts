import type { InstructionText } from "./instruction-text.ts";

/** An at sign before it would make it an import. */
const PATH_ALONE = /^(?!@)(?:\.{1,2}\/)*(?:[\w.@-]+\/)*[\w.@-]+$/;
const MAX_LENGTH = 1024;

/**
 * The relative path that is all a file says. So a link looks where it was checked out by someone whose system has
 * none, or was committed by them.
 */
export function pathAlone({
  text,
  textBytes,
  sizeBytes,
}: Pick<InstructionText, "text" | "textBytes" | "sizeBytes">): string | undefined {
  if (sizeBytes > MAX_LENGTH || textBytes < sizeBytes) return undefined;
  const path = text.replace(/\r?\n$/, "");
  return PATH_ALONE.test(path) && path.includes(".") && /\.md$|\//i.test(path) ? path : undefined;
}
