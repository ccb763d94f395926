import type { AgentDefinition } from "../../schema/agent.ts";

/**
 * Where a definition names what is run on the user's machine, or lets an engine run what it likes: words on an engine's
 * command line can name a program too, and a tool that needs no question may be a shell. A clone may not decide that.
 */
export function namedCommands({ connection, steps }: AgentDefinition): string[] {
  const { command, args = [], allowedTools = [] } = connection ?? {};
  const checks = Object.entries(steps).filter(([, { check }]) => check?.type === "command");
  return [
    ...(command === undefined ? [] : ["connection.command"]),
    ...(args.length === 0 ? [] : ["connection.args"]),
    ...(allowedTools.length === 0 ? [] : ["connection.allowedTools"]),
    ...checks.map(([step]) => `steps.${step}.check.command`),
  ];
}
