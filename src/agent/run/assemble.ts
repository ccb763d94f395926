import { sleep } from "../../lib/process.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { assertTrusted, ownWord, type OpenDefinition } from "../definition/open.ts";
import { createPromptResolver, readPrompt, type PromptResolver } from "../definition/prompts.ts";
import type { ValidatedDefinition } from "../definition/validate.ts";
import { promptReferences, viewSteps } from "../definition/view.ts";
import type { Engine } from "../engines/engine.ts";
import { makeEngine, whyMissing } from "../engines/make.ts";
import { ConfigurationError, messageOf } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { trustedChecks } from "./command-check.ts";
import { createExecution, type Execution, type Listen } from "./execution.ts";
import { createKeeper } from "./keeper.ts";
import type { RunLocation } from "./location.ts";
import type { Member } from "./team.ts";

interface RunOptions {
  /** Replaces the definition's engine; the fallback engines stay. */
  readonly engine: EngineName | undefined;
  readonly listen: Listen;
}

/**
 * A run of a definition with everything that it needs.
 *
 * @error ConfigurationError `DependencyError`
 */
export function assembleRun(
  world: World,
  { userDirectories, settings }: Workspace,
  opened: OpenDefinition,
  place: RunLocation,
  { engine, listen }: RunOptions,
): Execution {
  const { validated, directory, commands } = opened;
  const { connection } = validated.definition;
  const { fallback = [], command = [], args = [] } = connection ?? {};
  const engines = engine && [engine, ...fallback.filter((name) => name !== engine)];
  const own = (words: readonly string[]) => words.map((word) => ownWord(validated.directory, word));
  const ofEngine = commands.filter(({ key }) => key.startsWith("connection."));
  const makeMember = (name: EngineName): Member => ({
    engine: guarded(makeEngine(world, name, place.cwd, own(command)), (cwd) =>
      assertTrusted(world, userDirectories, opened, ofEngine, cwd),
    ),
    args: name === connection?.engine ? own(args) : [],
  });
  const { members, prompts } = build(validated, engines, makeMember, (name) =>
    whyMissing(world, name, place.cwd, own(command)),
  );
  return createExecution(validated, {
    members,
    prompts,
    checkByCommand: trustedChecks(world, userDirectories, opened),
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

/**
 * What a run of a valid definition depends on.
 *
 * @input  engines: replaces the definition's own; makeMember: throws if an engine can't be created; whyUnusable: why an
 *          engine can't be used here
 * @error  ConfigurationError `DependencyError` if no engine can be used, or a prompt has been removed since
 */
export function build<Made>(
  { definition, directory }: ValidatedDefinition,
  engines: readonly EngineName[] | undefined,
  makeMember: (name: EngineName) => Made,
  whyUnusable: (name: EngineName) => string | undefined,
): { readonly members: readonly Made[]; readonly prompts: PromptResolver } {
  const { connection, name } = definition;
  const missing = (why: string) =>
    new ConfigurationError(`'${name}' can't be run: ${why}`, { kind: "DependencyError" });
  const named = engines ?? (connection && [connection.engine, ...(connection.fallback ?? [])]) ?? [];
  if (named.length === 0) throw missing("it names no engine; add 'connection', or use '--engine'");
  for (const { reference } of promptReferences(viewSteps(definition))) {
    const read = readPrompt(directory, reference);
    if (read.kind === "not-found") throw missing(read.reason);
  }
  const members = named.map((engine) => {
    try {
      return makeMember(engine);
    } catch (error) {
      throw missing(messageOf(error));
    }
  });
  const reasons = named.flatMap((engine) => whyUnusable(engine) ?? []);
  if (reasons.length === named.length) throw missing(reasons.join("; "));
  return { members, prompts: createPromptResolver(directory) };
}
