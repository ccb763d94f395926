import type { Workspace } from "../../io/workspace.ts";
import type { EngineName } from "../../schema/agent.ts";
import type { World } from "../../world.ts";
import { build } from "../configuration/build.ts";
import { commandWords } from "../configuration/command-words.ts";
import { makeEngine } from "../connection/make-engine.ts";
import type { Member } from "../execution/ask-engines.ts";
import { checkByCommand } from "../execution/command-check.ts";
import { createExecution, type Execution } from "../execution/execution.ts";
import type { Listen } from "../execution/run-events.ts";
import { createKeeper } from "../execution/run-keeper.ts";
import { sleep } from "../../io/sleep.ts";
import type { OpenDefinition } from "./open-definition.ts";
import type { RunPlace } from "./run-place.ts";

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
  { validated, directory }: OpenDefinition,
  place: RunPlace,
  { engine, listen }: RunWishes,
): Execution {
  const { connection } = validated.definition;
  const { fallback = [], command = [], args = [] } = connection ?? {};
  const words = (given: readonly string[]) => commandWords(validated.directory, given);
  return build<Member, Execution>(validated, {
    engines: engine && [engine, ...fallback.filter((name) => name !== engine)],
    makeMember: (name) => ({
      engine: makeEngine(world, name, place.cwd, words(command)),
      args: name === connection?.engine ? words(args) : [],
    }),
    assemble: ({ members, prompts }) =>
      createExecution(validated, {
        members,
        prompts,
        checkByCommand: (check) => checkByCommand(world, { ...check, words: words(check.words) }),
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
