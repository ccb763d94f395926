import { makeEngine } from "../engines/make.ts";
import { sleep } from "../../lib/process.ts";
import type { AgentCommand } from "../../trust/agent-commands.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { build, commandWords } from "../definition/build.ts";
import { assertNamesTrusted } from "../definition/named-files.ts";
import type { OpenDefinition } from "../definition/open.ts";
import type { PromptResolver } from "../definition/prompts.ts";
import type { Engine } from "../engines/engine.ts";
import type { StepCheckResult } from "../judge/answer.ts";
import type { AgentRun } from "../run-schema.ts";
import type { EngineName } from "../schema.ts";
import { createExecution, type Execution, type Listen } from "./execution.ts";
import { createKeeper } from "./keeper.ts";
import type { RunPlace } from "./place.ts";
import { checkByCommand, type CommandCheck } from "./questions.ts";
import type { Member, Circumstances } from "./team.ts";

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

export interface StartOptions {
  readonly cwd: string;
  /** Values for the prompts, by the name of their variable. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a run needs of the world. */
export interface Dependencies {
  readonly members: readonly Member[];
  readonly prompts: PromptResolver;
  readonly checkByCommand: (check: CommandCheck) => Promise<StepCheckResult>;
  /** Keeps the record of the run, and the right to run. */
  readonly keeper: Keeper;
  readonly listen: Listen;
  readonly wait: Circumstances["wait"];
  readonly chance: Circumstances["chance"];
  /** Milliseconds that only go forward. */
  readonly ticks: () => number;
}

export interface Keeper {
  /**
   * @output what is recorded of the new run
   * @error  ExecutionError `AlreadyStarted` where another goes on
   */
  begin(options: StartOptions): AgentRun;
  /** @output what is recorded now; where that can't be done, what should be */
  save(run: AgentRun): AgentRun;
  /** The last state of all; where there is no room for it, without what only a run that goes on needs. */
  conclude(run: AgentRun): void;
  /** Gives up the right to run. */
  end(): void;
}
