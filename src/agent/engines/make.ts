import { isAbsolute, resolve } from "node:path";
import { findOnPath } from "../../lib/programs.ts";
import type { World } from "../../world.ts";
import { ConfigurationError, ConnectionError } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { claudeEngine } from "./claude.ts";
import { codexEngine } from "./codex.ts";
import type { Engine } from "./engine.ts";
import { readWhole, runEngine } from "./run.ts";

/**
 * @input  tree: what the run is about; command: the words of the engine `command`, of a trusted definition
 * @output the engine; whether its program is installed shows with its first query
 * @error  ConfigurationError where the engine `command` has no words
 */
export function makeEngine(world: World, name: EngineName, tree: string, command: readonly string[] = []): Engine {
  switch (name) {
    case "claude":
      return claudeEngine(world, tree);
    case "codex":
      return codexEngine(world, tree);
    case "command":
      return commandEngine(world, command);
  }
}

/**
 * Any program: the prompt on its standard input, the answer on its standard output, once per query. It has no sessions,
 * and any exit code but 0 is a failure.
 */
function commandEngine(world: World, [first = "", ...words]: readonly string[]): Engine {
  const name = "command";
  if (first === "") {
    throw new ConfigurationError("engine 'command' has nothing to run: set 'connection.command'");
  }
  return {
    name,
    async query(prompt, options) {
      const program = first.includes("/") ? resolve(options.cwd, first) : findOnPath(world, first);
      if (program === undefined || !isAbsolute(program)) {
        const message = `engine '${name}' is not installed: '${first}' is not on PATH; install it, or name another engine`;
        throw new ConnectionError("not_installed", message);
      }
      const reader = readWhole(name);
      const args = [...words, ...options.args];
      const ended = await runEngine(world, prompt, options, { engine: name, program, args, reader });
      if (ended.exitCode !== 0) {
        const message = `engine '${name}' ended with exit code ${ended.exitCode}: ${ended.words}`;
        throw new ConnectionError("failed", message, { exitCode: ended.exitCode });
      }
      return { text: reader.text(), durationMs: ended.durationMs };
    },
  };
}
