/** Claude Code's transcript of a session whose model writes one file. */
export function recordOfWrite(cwd: string, path: string, name = "Write"): string {
  const call = { type: "tool_use", id: "1", name, input: { file_path: path } };
  const line = { sessionId: "s", type: "assistant", timestamp: name, cwd, message: { content: [call] } };
  return `${JSON.stringify(line)}\n`;
}
