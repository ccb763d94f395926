import type { World } from "../../world.ts";
import { ConfigurationError } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { claudeEngine } from "./claude.ts";
import { codexEngine } from "./codex.ts";
import { commandEngine } from "./command.ts";
import type { Engine } from "./engine.ts";

/**
 * @input  tree: what the run is about; command: the words of the engine `command`, of a trusted definition
 * @output the engine; whether its program is there shows with its first query
 * @effect none
 * @error  ConfigurationError where the engine `command` has no words
 */
export function makeEngine(world: World, name: EngineName, tree: string, command: readonly string[] = []): Engine {
  switch (name) {
    case "claude":
      return claudeEngine(world, tree);
    case "codex":
      return codexEngine(world, tree);
    case "command": {
      const [program, ...words] = command;
      if (program !== undefined && program !== "") return commandEngine(world, [program, ...words]);
      throw new ConfigurationError("engine 'command' has nothing to run: name its words under 'connection.command'");
    }
  }
}
