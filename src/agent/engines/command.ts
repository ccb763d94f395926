import { isAbsolute, resolve } from "node:path";
import { findOnPath } from "../../lib/programs.ts";
import type { World } from "../../world.ts";
import { ConnectionError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import { readWhole } from "./run.ts";
import { lastWords, runEngine } from "./run.ts";

const NAME = "command";

/**
 * Any program: the prompt on its standard input, its answer on standard output, once per query. Exit code 0 is an
 * answer, anything else is a failure. It knows no sessions.
 *
 * @input  command: the program and its words; a program with a slash in it is one of the working directory. It may come
 *         from a definition, so whoever calls this has seen to it that the definition is trusted
 */
export function commandEngine(world: World, command: readonly [string, ...string[]]): Engine {
  return {
    name: NAME,
    async query(prompt, options) {
      const startedAt = world.ticks();
      const [first, ...words] = command;
      const program = first.includes("/") ? resolve(options.cwd, first) : findOnPath(world, first);
      if (program === undefined || !isAbsolute(program)) {
        const message = `engine '${NAME}' is not installed: '${first}' is not on PATH; install it, or name another engine`;
        throw new ConnectionError("not_installed", message);
      }
      const reader = readWhole(NAME);
      const args = [...words, ...options.args];
      const { exitCode, stderr } = await runEngine(world, prompt, options, { engine: NAME, program, args, reader });
      if (exitCode !== 0) {
        const message = `engine '${NAME}' ended with exit code ${exitCode}: ${lastWords(stderr)}`;
        throw new ConnectionError("failed", message, { exitCode });
      }
      return { text: reader.text(), durationMs: Math.round(world.ticks() - startedAt) };
    },
  };
}
