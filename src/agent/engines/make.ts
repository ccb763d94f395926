import { isAbsolute, resolve } from "node:path";
import { isThere } from "../../lib/path-facts.ts";
import { findOnPath, findProgram } from "../../lib/programs.ts";
import type { World } from "../../world.ts";
import { ConfigurationError, ConnectionError } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { claudeEngine } from "./claude.ts";
import { codexEngine } from "./codex.ts";
import type { Engine } from "./engine.ts";
import { notInstalled, readWhole, runEngine } from "./run.ts";

/**
 * @input  tree: the directory of the run; command: the words of the engine `command`, of a trusted definition
 * @error  ConfigurationError if the engine `command` has no words
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
 * Why an engine's program can't be run; undefined if it is installed.
 *
 * @input as makeEngine
 */
export function whyMissing(
  world: World,
  name: EngineName,
  tree: string,
  [first = ""]: readonly string[],
): string | undefined {
  if (name !== "command") {
    const isInstalled = findProgram(world, name, tree) !== undefined;
    return isInstalled ? undefined : notInstalled(name, "it is not on PATH outside the clone");
  }
  const program = commandProgram(world, tree, first);
  if (program === undefined) return notInstalled(name, `'${first}' is not on PATH`);
  return isThere(program) ? undefined : notInstalled(name, `there is no '${program}'`);
}

function commandProgram(world: World, cwd: string, first: string): string | undefined {
  const program = first.includes("/") ? resolve(cwd, first) : findOnPath(world, first);
  return program !== undefined && isAbsolute(program) ? program : undefined;
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
      const program = commandProgram(world, options.cwd, first);
      if (program === undefined) {
        throw new ConnectionError("not_installed", notInstalled(name, `'${first}' is not on PATH`));
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
