import { isTable, valueAt } from "../../lib/table.ts";
import type { RestoredFile } from "../client.ts";

const BOUNDARY = '"subtype":"compact_boundary"';
const ATTACHMENT = '"type":"attachment"';

/**
 * The files that Claude Code gives its model again after a compaction, and those that it has added to prompts and tool
 * results since, according to its transcript; none if the transcript has no compaction.
 */
export function restoredIn(transcript: string): readonly RestoredFile[] {
  const boundary = transcript.lastIndexOf(BOUNDARY);
  if (boundary < 0) return [];
  return transcript
    .slice(boundary)
    .split("\n")
    .flatMap((line) => (line.includes(ATTACHMENT) ? attachedIn(line) : []));
}

function attachedIn(line: string): readonly RestoredFile[] {
  const record = parsed(line);
  if (!isTable(record) || record["isSidechain"] === true || !isTable(record["attachment"])) return [];
  const { attachment } = record;
  const path = attachment["filename"] ?? attachment["path"];
  const text =
    attachment["type"] === "file"
      ? wholeText(valueAt(attachment, "content", "file"))
      : attachment["type"] === "nested_memory"
        ? valueAt(attachment, "content", "content")
        : undefined;
  return typeof path === "string" && typeof text === "string" ? [{ path, text }] : [];
}

/** A file may be restored in part. */
function wholeText(file: unknown): unknown {
  const isWhole = valueAt(file, "startLine") === 1 && valueAt(file, "numLines") === valueAt(file, "totalLines");
  return isWhole ? valueAt(file, "content") : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
