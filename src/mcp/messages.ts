import { isTable, type Table } from "../lib/table.ts";

/** A line without its end, or that there was one of more bytes than it may have. */
export type Line = { readonly kind: "line"; readonly bytes: Uint8Array } | { readonly kind: "too-long" };

const LINE_FEED = 10;

/** Cuts a stream into its lines, and never keeps more than `maxBytes` and a chunk of it. */
export interface LineCutter {
  push(chunk: Uint8Array): Line[];
  /** What stands after the last line end. */
  end(): Line[];
}

export function lineCutter(maxBytes: number): LineCutter {
  let kept: Uint8Array[] = [];
  let size = 0;
  let isTooLong = false;

  const keep = (bytes: Uint8Array) => {
    size += bytes.length;
    isTooLong ||= size > maxBytes;
    if (isTooLong) kept = [];
    else if (bytes.length > 0) kept.push(bytes);
  };
  const take = (): Line => {
    const line: Line = isTooLong ? { kind: "too-long" } : { kind: "line", bytes: join(kept, size) };
    kept = [];
    size = 0;
    isTooLong = false;
    return line;
  };
  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end));
        lines.push(take());
        start = end + 1;
      }
      keep(chunk.subarray(start));
      return lines;
    },
    end: () => (size === 0 ? [] : [take()]),
  };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** A message of JSON-RPC 2.0, as far as a server has to tell them apart. */
export type Message =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Table }
  /** A notification, or an answer to what we never asked: nothing comes back. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly code: number; readonly message: string };

export type RequestId = string | number;

export const PARSE_ERROR = -32_700;

export const INVALID_REQUEST = -32_600;

export const METHOD_NOT_FOUND = -32_601;

export const INVALID_PARAMS = -32_602;

export const INTERNAL_ERROR = -32_603;

export function readMessage(text: string): Message {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { kind: "invalid", id: null, code: PARSE_ERROR, message: "the message is no JSON" };
  }
  if (Array.isArray(data)) return invalid(null, "batches are not part of this protocol");
  if (!isTable(data)) return invalid(null, "the message is no object");
  const id = data["id"];
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  if (data["jsonrpc"] !== "2.0") return invalid(known, "'jsonrpc' must be '2.0'");
  const method = data["method"];
  if (method === undefined && ("result" in data || "error" in data)) return { kind: "unanswered" };
  if (typeof method !== "string") return invalid(known, "'method' must be a string");
  if (!("id" in data)) return { kind: "unanswered" };
  if (known === null) return invalid(null, "'id' must be a string or a number");
  const params = data["params"] ?? {};
  if (!isTable(params))
    return { kind: "invalid", id: known, code: INVALID_PARAMS, message: "'params' must be an object" };
  return { kind: "request", id: known, method, params };
}

export function resultMessage(id: RequestId, result: object): object {
  return { jsonrpc: "2.0", id, result };
}

export function errorMessage(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function invalid(id: RequestId | null, message: string): Message {
  return { kind: "invalid", id, code: INVALID_REQUEST, message };
}

/** The versions of the Model Context Protocol that we speak, oldest first. 2025-03-26 is not one: it has batches. */
const VERSIONS = ["2024-11-05", "2025-06-18", "2025-11-25"] as const;

/** The client's own version, else the newest that it can know: versions are dates. */
export function chooseVersion(asked: unknown): string {
  const [oldest] = VERSIONS;
  if (typeof asked !== "string") return VERSIONS.at(-1) ?? oldest;
  return VERSIONS.findLast((version) => version <= asked) ?? oldest;
}
