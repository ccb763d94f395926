import type { FileRead } from "../lib/read-file.ts";

/** Why a file could not be read, as the end of a sentence about it. */
export function whyUnread(read: Exclude<FileRead, { kind: "read" }>): string {
  if (read.kind === "absent") return "it has gone";
  switch (read.reason) {
    case "not-a-regular-file":
      return "it is not a regular file";
    case "no-permission":
      return "it may not be read; let its readers read it";
    case "unreadable":
      return "it can't be read; see whether its disk is in order";
  }
}
