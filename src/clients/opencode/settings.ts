import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: [{ name: "codelia.ts", timeout: 10, parts: 1 }],
  sampled: "codelia.ts",
  layout: { kind: "scripts", mode: undefined, hasWords: true, script },
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
 * The plugin. The text for the start of a session goes into the system prompt, which no compaction removes; the text
 * for a tool's files goes after the tool's output.
 */
function script(call: string, mark: string): string {
  return `// ${mark}, and written anew by it: changes are lost.
import { spawn } from "node:child_process"
import { homedir } from "node:os"

const [PROGRAM, ...ARGUMENTS] = [${call}]
const TIMEOUT_MS = 10_000

// What codelia says of an event; nothing where it is not there, fails or takes too long.
function ask(event: object): Promise<string> {
  return new Promise((resolve) => {
    // Windows looks for a program in the working directory first, which is a clone.
    const child = spawn(PROGRAM, ARGUMENTS, {
      cwd: homedir(),
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    })
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve(""))
    child.on("close", () => {
      try {
        resolve(said === "" ? "" : String(JSON.parse(said).context ?? ""))
      } catch {
        resolve("")
      }
    })
    child.stdin.end(JSON.stringify(event))
  })
}

export const Codelia = async ({ directory }: { directory: string }) => {
  const begun = new Map<string, Promise<string>>()
  return {
    "experimental.chat.system.transform": async (input: { sessionID?: string }, output: { system: string[] }) => {
      const { sessionID } = input
      if (sessionID === undefined) return
      const start = begun.get(sessionID) ?? ask({ event: "session.start", sessionID, directory })
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
      if (event.type === "session.compacted") begun.delete(event.properties.sessionID)
      if (event.type !== "session.deleted") return
      const sessionID = event.properties.info.id
      begun.delete(sessionID)
      await ask({ event: "session.deleted", sessionID, directory })
    },
  }
}
`;
}
