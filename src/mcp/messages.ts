import { isTable, type Table } from "../lib/table.ts";

type RequestId = string | number;

export interface Request {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Table;
}

/** A JSON-RPC 2.0 message. */
type Message =
  | Request
  /** A notification, or a response to a request that we never sent. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly code: number; readonly message: string };

const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

export function readMessage(text: string): Message {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return invalid(null, "the message is not JSON", PARSE_ERROR);
  }
  if (Array.isArray(data)) return invalid(null, "batches are not part of this protocol");
  if (!isTable(data)) return invalid(null, "the message is not an object");
  const id = data["id"];
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  if (data["jsonrpc"] !== "2.0") return invalid(known, "'jsonrpc' must be '2.0'");
  const method = data["method"];
  if (method === undefined && ("result" in data || "error" in data)) return { kind: "unanswered" };
  if (typeof method !== "string") return invalid(known, "'method' must be a string");
  if (!("id" in data)) return { kind: "unanswered" };
  if (known === null) return invalid(null, "'id' must be a string or a number");
  const params = data["params"] ?? {};
  if (!isTable(params)) return invalid(known, "'params' must be an object", INVALID_PARAMS);
  return { kind: "request", id: known, method, params };
}

function invalid(id: RequestId | null, message: string, code = INVALID_REQUEST): Message {
  return { kind: "invalid", id, code, message };
}

export function resultMessage(id: RequestId, result: object): object {
  return { jsonrpc: "2.0", id, result };
}

export function errorMessage(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The protocol versions we speak, oldest first. 2025-03-26 is not among them: it has batches. */
const VERSIONS = ["2024-11-05", "2025-06-18", "2025-11-25"] as const;

/** The client's version, or the newest one before it. Versions are dates. */
export function chooseVersion(asked: unknown): string {
  const [oldest] = VERSIONS;
  if (typeof asked !== "string") return VERSIONS.at(-1) ?? oldest;
  return VERSIONS.findLast((version) => version <= asked) ?? oldest;
}
