import type { TempTree } from "../../support/temp-tree.ts";

/** What these tests use of the official SDK's client. Written here, because its packages are installed for these tests only. */
export interface McpClient {
  getServerVersion(): unknown;
  getInstructions(): string | undefined;
  ping(): Promise<unknown>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: {
    readonly name: string;
    readonly arguments?: object;
  }): Promise<{ readonly structuredContent?: unknown; readonly content?: unknown }>;
  close(): Promise<void>;
}

/** The official client, connected to a server that it starts. */
export async function connectClient(command: string, args: readonly string[], tree: TempTree, home: TempTree) {
  const sdk = "@modelcontextprotocol/sdk/client";
  const { Client } = await import(`${sdk}/index.js`);
  const { StdioClientTransport } = await import(`${sdk}/stdio.js`);
  const client: McpClient & { connect(transport: unknown): Promise<void> } = new Client({
    name: "test",
    version: "1.0.0",
  });
  const env = { HOME: home.root, PATH: "/usr/bin:/bin" };
  await client.connect(new StdioClientTransport({ command, args, cwd: tree.root, env }));
  return client;
}
