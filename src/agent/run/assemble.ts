import { sleep } from "../../lib/process.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { build } from "../definition/build.ts";
import { assertTrusted, ownWord, type OpenDefinition } from "../definition/open.ts";
import type { Engine } from "../engines/engine.ts";
import { makeEngine } from "../engines/make.ts";
import type { EngineName } from "../schema.ts";
import { trustedChecks } from "./command-check.ts";
import { createExecution, type Execution, type Listen } from "./execution.ts";
import { createKeeper } from "./keeper.ts";
import type { RunPlace } from "./place.ts";
import type { Member } from "./team.ts";

interface RunOptions {
  /** In place of the definition's engine; the engines it falls back on stay. */
  readonly engine: EngineName | undefined;
  readonly listen: Listen;
}

/**
 * A run of a definition with all that it needs.
 *
 * @error ConfigurationError `DependencyError`
 */
export function assembleRun(
  world: World,
  { places, settings }: Workspace,
  opened: OpenDefinition,
  place: RunPlace,
  { engine, listen }: RunOptions,
): Execution {
  const { validated, directory, commands } = opened;
  const { connection } = validated.definition;
  const { fallback = [], command = [], args = [] } = connection ?? {};
  const engines = engine && [engine, ...fallback.filter((name) => name !== engine)];
  const own = (words: readonly string[]) => words.map((word) => ownWord(validated.directory, word));
  const ofEngine = commands.filter(({ key }) => key.startsWith("connection."));
  const { members, prompts } = build<Member>(validated, engines, (name) => ({
    engine: guarded(makeEngine(world, name, place.cwd, own(command)), (cwd) =>
      assertTrusted(world, places, opened, ofEngine, cwd),
    ),
    args: name === connection?.engine ? own(args) : [],
  }));
  return createExecution(validated, {
    members,
    prompts,
    checkByCommand: trustedChecks(world, places, opened),
    keeper: createKeeper(world, validated.definition, {
      ...place,
      definition: directory,
      markers: settings.agents.root.markers,
      listen,
    }),
    listen,
    wait: sleep,
    chance: Math.random,
    ticks: world.ticks,
  });
}

/** Calls `assert` with the working directory before each query. */
function guarded(engine: Engine, assert: (cwd: string) => void): Engine {
  return {
    name: engine.name,
    async query(prompt, options) {
      assert(options.cwd);
      return engine.query(prompt, options);
    },
  };
}
