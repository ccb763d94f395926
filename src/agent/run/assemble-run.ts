import type { Workspace } from "../../workspace.ts";
import type { EngineName } from "../schema.ts";
import type { World } from "../../world.ts";
import { build } from "../definition/build.ts";
import { commandWords } from "../definition/command-words.ts";
import type { AgentCommand } from "../../trust/agent-commands.ts";
import type { Engine } from "../engines/engine.ts";
import { assertNamesTrusted } from "../definition/named-files.ts";
import { makeEngine } from "../engines/make-engine.ts";
import type { Member } from "./team.ts";
import { checkByCommand } from "./command-check.ts";
import { createExecution, type Execution } from "./execution.ts";
import type { Listen } from "./run-events.ts";
import { createKeeper } from "./run-keeper.ts";
import { sleep } from "../../lib/sleep.ts";
import type { OpenDefinition } from "../definition/open-definition.ts";
import type { RunPlace } from "./place.ts";

export interface RunWishes {
  /** In place of the definition's engine; those it falls back on stay. */
  readonly engine: EngineName | undefined;
  readonly listen: Listen;
}

/**
 * @output the run, with all that it needs
 * @effect none
 * @error  ConfigurationError `DependencyError`
 */
export function assembleRun(
  world: World,
  workspace: Workspace,
  { validated, directory, commands, trusted }: OpenDefinition,
  place: RunPlace,
  { engine, listen }: RunWishes,
): Execution {
  const { connection } = validated.definition;
  const { fallback = [], command = [], args = [] } = connection ?? {};
  const words = (given: readonly string[]) => commandWords(validated.directory, given);
  const ofEngine = commands.filter(({ key }) => key.startsWith("connection."));
  const assertTrusted = (named: readonly AgentCommand[], cwd: string) =>
    assertNamesTrusted(world, workspace.places, trusted, named, cwd);
  return build<Member, Execution>(validated, {
    engines: engine && [engine, ...fallback.filter((name) => name !== engine)],
    makeMember: (name) => ({
      engine: guarded(makeEngine(world, name, place.cwd, words(command)), (cwd) => assertTrusted(ofEngine, cwd)),
      args: name === connection?.engine ? words(args) : [],
    }),
    assemble: ({ members, prompts }) =>
      createExecution(validated, {
        members,
        prompts,
        checkByCommand: async (check) => {
          const own = { ...check, words: words(check.words) };
          const key = "the check's command";
          assertTrusted([{ key, words: own.words, behind: [], kind: "command" }], check.cwd);
          return checkByCommand(world, own);
        },
        keeper: createKeeper(world, validated.definition, {
          ...place,
          definition: directory,
          markers: workspace.settings.agents.root.markers,
          listen,
        }),
        listen,
        wait: sleep,
        chance: Math.random,
        ticks: world.ticks,
      }),
  });
}

/** The engine, but nothing is asked of it before `assertTrusted` has passed. */
function guarded(engine: Engine, assertTrusted: (cwd: string) => void): Engine {
  return {
    name: engine.name,
    async query(prompt, options) {
      assertTrusted(options.cwd);
      return engine.query(prompt, options);
    },
  };
}
