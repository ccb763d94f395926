import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";
import { pluginScript } from "../settings/plugin-script.ts";

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: [{ name: "codelia.ts", timeout: 10, parts: 1 }],
  sampled: "codelia.ts",
  layout: {
    kind: "scripts",
    mode: undefined,
    hasWords: true,
    script: (call, mark) => pluginScript(call, mark, BODY),
  },
  settingsFile(scope, { root, home, env }) {
    if (scope !== "user") return join(root, ".opencode", "plugins");
    return join(namedDirectory(env["XDG_CONFIG_HOME"], join(home, ".config")), "opencode", "plugins");
  },
  sampleEvent: (directory, file) => ({
    event: "tool.execute.after",
    sessionID: "codelia-doctor",
    directory,
    tool: "read",
    args: { filePath: file },
  }),
};

/**
 * The plugin. The text for the start of a session goes into the system prompt, which no compaction removes and which
 * each process makes anew; the text for a tool's files goes after the tool's output, which stays in the session. A
 * process does not know whether a session is new or goes on (`mayGoOn`); codelia does.
 */
const BODY = `export const Codelia = async ({ directory }: { directory: string }) => {
  const begun = new Map<string, Promise<string>>()
  return {
    "experimental.chat.system.transform": async (input: { sessionID?: string }, output: { system: string[] }) => {
      const { sessionID } = input
      if (sessionID === undefined) return
      const start = begun.get(sessionID) ?? ask({ event: "session.start", sessionID, directory, mayGoOn: true })
      begun.set(sessionID, start)
      const text = await start
      if (text !== "") output.system.push(text)
    },
    "tool.execute.after": async (
      { tool, sessionID, args }: { tool: string; sessionID: string; args: unknown },
      output: { output?: unknown },
    ) => {
      const text = await ask({ event: "tool.execute.after", sessionID, directory, tool, args, output: output.output })
      if (text !== "" && typeof output.output === "string") output.output += "\\n\\n" + text
    },
    event: async ({ event }: { event: { type: string; properties: any } }) => {
      if (event.type === "session.compacted") {
        const { sessionID } = event.properties
        begun.set(sessionID, ask({ event: "session.start", sessionID, directory }))
      }
      if (event.type !== "session.deleted") return
      const sessionID = event.properties.info.id
      begun.delete(sessionID)
      await ask({ event: "session.deleted", sessionID, directory })
    },
  }
}
`;
