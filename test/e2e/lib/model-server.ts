import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import {
  playScript,
  type Answer,
  type ModelRequest,
  type Refusal,
  type Script,
  type UnnamedRequest,
} from "./script.ts";

/** What every request of a client leaves behind, asked of the model or not. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Json;
}

export interface Json {
  readonly [key: string]: unknown;
}

/** What a vendor's protocol adds to the server. */
export interface Protocol {
  /** Undefined: this doesn't ask the model. */
  understand(request: RecordedRequest): UnnamedRequest | undefined;
  /** Server-sent events, or one JSON value. */
  speak(answer: Answer, purpose: ModelRequest["purpose"], request: RecordedRequest): Reply;
  /** The reply to what doesn't ask the model. */
  otherwise(request: RecordedRequest): Reply;
}

export type Reply =
  | { readonly events: readonly Json[]; readonly hangs?: boolean }
  /** The same without names. `end`: what stands after the last. */
  | { readonly chunks: readonly Json[]; readonly end?: string }
  | { readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  readonly seenByModel: readonly ModelRequest[];
  /** What went wrong in the script or the server: a client would only tell that its model is down. */
  readonly failures: readonly unknown[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A model on 127.0.0.1 that says what the script says, and keeps what it was asked. */
export async function startModelServer(protocol: Protocol, script: Script): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const seenByModel: ModelRequest[] = [];
  const failures: unknown[] = [];
  const player = playScript(script);

  const reply = (request: RecordedRequest): Reply => {
    requests.push(request);
    const asked = protocol.understand(request);
    if (asked === undefined) return protocol.otherwise(request);
    const named = { ...player.name(asked), body: request.body };
    seenByModel.push(named);
    const answer = player.answer(named);
    if (answer.refusal !== undefined) return toRefusal(answer.refusal);
    const spoken = protocol.speak(answer, named.purpose, request);
    return "events" in spoken && answer.hangs === true ? { events: spoken.events.slice(0, -2), hangs: true } : spoken;
  };
  const server = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then((request) => send(outgoing, reply(request)))
      .catch((error: unknown) => {
        failures.push(error);
        send(outgoing, { status: 400, json: { error: { type: "invalid_request_error", message: String(error) } } });
      });
  });
  // A client that sends everything through its proxy gets to this server by it, and nowhere else.
  server.on("connect", ({ url }, socket, head) => {
    const { port } = server.address() as AddressInfo;
    socket.on("error", () => {});
    if (url !== `127.0.0.1:${port}`) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const through = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    return through.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    seenByModel,
    failures,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const text = Buffer.concat(chunks).toString("utf8");
  return {
    method: incoming.method ?? "",
    path: (incoming.url ?? "").replace(/\?.*$/s, ""),
    headers: incoming.headers as RecordedRequest["headers"],
    body: text === "" ? {} : (JSON.parse(text) as Json),
  };
}

function send(outgoing: ServerResponse, reply: Reply): void {
  if ("json" in reply) {
    const headers = { "content-type": "application/json", ...reply.headers };
    outgoing.writeHead(reply.status ?? 200, headers).end(JSON.stringify(reply.json));
    return;
  }
  const lines =
    "chunks" in reply
      ? [...reply.chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), reply.end ?? ""]
      : reply.events.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  if ("hangs" in reply && reply.hangs === true) outgoing.write(lines.join(""));
  else outgoing.end(lines.join(""));
}

/** Both vendors' services put what is wrong under `error`. */
function toRefusal({ status, headers = {}, error }: Refusal): Reply {
  return { status, headers, json: { type: "error", error } };
}
