import type { HostEvent } from "./host.ts";

/** The answer that keeps a tool from running, in the shape that Claude Code gave it and other clients took over. */
export function refusalAnswer({ name }: HostEvent, decision: "deny" | "ask", reason: string): string {
  const output = { hookEventName: name, permissionDecision: decision, permissionDecisionReason: reason };
  return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
}
