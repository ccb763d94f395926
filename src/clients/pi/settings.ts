import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";
import { pluginScript } from "../settings/plugin-script.ts";
import { piHome } from "./profile.ts";

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
  settingsFile: (scope, { root, home, env }) =>
    join(scope === "user" ? piHome({ home, env }) : join(root, ".pi"), "extensions"),
  afterInstall: (scope) =>
    scope === "project"
      ? ["pi reads '.pi' only in a project that it trusts, and only in sessions that begin in its root"]
      : [],
  sampleEvent: (directory, file) => ({
    event: "tool_result",
    sessionID: "codelia-doctor",
    directory,
    tool: "read",
    args: { path: file },
    output: "",
  }),
};

/**
 * The extension. What there is to tell of a session and a prompt becomes a message beside the prompt, which stays in the
 * session when it is resumed; the text for a tool's files goes after the tool's result. There is an instance for each
 * session.
 */
const BODY = `export default (pi: any) => {
  let isBegun = false
  const tell = (event: string, ctx: any, about: object = {}) =>
    ask({ event, sessionID: ctx.sessionManager.getSessionId(), directory: ctx.cwd, ...about })

  pi.on("before_agent_start", async ({ prompt }: any, ctx: any) => {
    const texts: string[] = []
    if (!isBegun) {
      isBegun = true
      const isResumed = ctx.sessionManager.getBranch().some(({ type }: any) => type === "message")
      texts.push(await tell("session_start", ctx, { reason: isResumed ? "resume" : "startup" }))
    }
    texts.push(await tell("before_agent_start", ctx, { prompt }))
    const content = texts.filter((text) => text !== "").join("\\n")
    return content === "" ? undefined : { message: { customType: "codelia", content, display: false } }
  })
  pi.on("tool_result", async ({ toolName, input, content }: any, ctx: any) => {
    const output = content.map(({ text }: any) => text ?? "").join("\\n")
    const text = await tell("tool_result", ctx, { tool: toolName, args: input, output })
    return text === "" ? undefined : { content: [...content, { type: "text", text }] }
  })
  for (const event of ["session_compact", "session_tree", "session_shutdown"]) {
    pi.on(event, async (_: any, ctx: any) => {
      await tell(event, ctx)
    })
  }
}
`;
