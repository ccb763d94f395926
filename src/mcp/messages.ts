import { isTable, type Table } from "../lib/table.ts";

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
