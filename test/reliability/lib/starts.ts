import { startCodelia } from "../../support/run-codelia.ts";
import { anyOf, pick, randomFrom } from "./random.ts";
import { START_CLIENTS, type StartClient } from "./start-clients.ts";
import { newStartOracle, readMessage, type Message, type StartOracle } from "./start-oracle.ts";
import { CHAIN, DIRECTORIES, makeStartScene, type StartScene } from "./start-scene.ts";

export interface StartFigures {
  readonly calls: number;
  readonly starts: number;
  /** Calls that told something. */
  readonly messages: number;
  /** Starts whose calls took so long that they may count for several. */
  readonly slow: number;
  readonly faults: readonly string[];
}

const HISTORIES_OF_SEED = 1_000_003;
/** The calls of one start that begin later may count for another. */
const ONE_START_MS = 1500;
const TURNS = 14;
/** The longest chain takes fewer messages. */
const MOST_TURNS = 60;
const MOST_AGENTS = 2;

/** A context of a session, and what it was given since it began. */
interface Context {
  readonly agent: string | undefined;
  cwd: string;
  oracle: StartOracle;
}

/** Plays sessions that begin, are compacted and go on in many ways; an oracle judges what each context was given. */
export async function playStarts(histories: number, seed: number): Promise<StartFigures> {
  const figures = { calls: 0, starts: 0, messages: 0, slow: 0, faults: [] as string[] };
  for (let history = 0; history < histories; history++) {
    const random = randomFrom(seed * HISTORIES_OF_SEED + history);
    using scene = makeStartScene(random);
    const session = newSession(scene, random, `seed ${seed}, history ${history}`);
    const { calls, starts, messages, slow, faults } = await session.play();
    figures.calls += calls;
    figures.starts += starts;
    figures.messages += messages;
    figures.slow += slow;
    figures.faults.push(...faults);
  }
  return figures;
}

function newSession(scene: StartScene, random: () => number, label: string): { play(): Promise<StartFigures> } {
  const { tree } = scene;
  const client = random() < 0.5 ? (START_CLIENTS[0] as StartClient) : anyOf(START_CLIENTS, random);
  const isChanging = random() < 0.4;
  const main = newContext(undefined);
  const contexts = [main];
  const faults: string[] = [];
  const causes = ["startup", "compact", "clear"];
  let [calls, starts, messages, slow] = [0, 0, 0, 0];

  function newContext(agent: string | undefined): Context {
    return { agent, cwd: anyOf(CHAIN, random), oracle: newStartOracle({ files: [], skills: [] }) };
  }

  /** @param cwd where the agent is now, if not where its context began */
  async function call(context: Context, event: object, args: readonly string[] = [], cwd = context.cwd) {
    const agent = context.agent === undefined ? {} : { agent_id: context.agent, agent_type: "general-purpose" };
    const stdin = JSON.stringify({ session_id: "s", cwd: tree.path(cwd), transcript_path: null, ...agent, ...event });
    const options = { cwd: tree.path(cwd), home: tree.path("home"), stdin };
    const { stdout, stderr, exitCode } = await startCodelia(["hook", client.name, ...args], options);
    if (exitCode !== 0 || stderr !== "") faults.push(`${label}: exit ${exitCode}, ${stderr}`);
    const answer = stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>);
    const text = client.textIn(answer);
    calls++;
    if (stdout !== "") messages++;
    const size = args.includes("whole") || args.includes("--mod") ? 0 : (client.limit?.measure(text) ?? 0);
    if (size > (client.limit?.max ?? 0)) faults.push(`${label}: an answer of ${size}`);
    return readMessage(text, answer["instructionFiles"]);
  }

  async function tell(context: Context, event: object, cwd = context.cwd): Promise<Message> {
    const message = await call(context, event, [], cwd);
    context.oracle.take(message, `${label}, ${JSON.stringify(event).slice(0, 90)}`);
    return message;
  }

  async function begin(context: Context): Promise<void> {
    starts++;
    faults.push(...context.oracle.faults);
    context.oracle = newStartOracle(scene.standing(context.cwd));
    const { start, forget, agentStart } = client;
    const isFirst = context.agent === undefined && causes.length === 3;
    if (context.agent !== undefined) return beginBy(context, agentStart ?? {}, false);
    // A client has such an event once in two seconds.
    const source = causes.shift() ?? `start ${starts}`;
    if (start !== undefined && (isFirst || forget === undefined)) return beginBy(context, start(source), isFirst);
    if (forget !== undefined) await tell(context, isFirst ? client.prompt : forget);
  }

  async function beginBy(context: Context, event: object, isFirst: boolean): Promise<void> {
    const isAlone = random() < 0.4;
    // In one part a start is told from one that follows it only if it is the first.
    const parts = isAlone || isFirst || client.parts.length === 1 ? client.parts : client.parts.slice(2);
    const entries = [partsOf(anyOf(parts, random))];
    if (client.name === "codex" && (isAlone || isFirst) && random() < 0.5) entries[0] = [["--part", "whole"]];
    else if (!isAlone && (isFirst || client.parts.length > 1)) entries.push(partsOf(anyOf(parts, random)));
    const all = entries.flat();
    const kept = isAlone || random() < 0.8 ? all : all.filter((_, index) => index === 0 || random() < 0.8);
    // Where a process is missing, the whole catalogue comes again.
    context.oracle.mayRepeatSkills = kept.length < all.length;
    const hasModule = client.name === "claude" && context.agent === undefined && random() < 0.1;
    if (hasModule) context.oracle.take(await call(context, event, ["--mod"]), `${label}, --mod`);
    const order = isAlone ? kept : pick(kept, kept.length, random);
    const startedAt = performance.now();
    const given: Message[] = [];
    if (isAlone || order.length > 12 || random() < 0.5) {
      given.push(...(await Promise.all(order.map((args) => call(context, event, args)))));
    } else for (const args of order) given.push(await call(context, event, args));
    if (all.length > 1 && performance.now() - startedAt > ONE_START_MS) {
      slow++;
      context.oracle.mayRepeat = true;
    }
    for (const [index, message] of given.entries()) {
      context.oracle.take(message, `${label}, ${JSON.stringify(event)} ${order[index]?.join(" ") ?? ""}`);
    }
    if (isAlone && !hasModule) {
      const isWhole = client.limit === undefined || order[0]?.includes("whole") === true;
      // Of names that no message can hold, the start has as many as it can, before file text.
      const most = scene.hasLongNames ? 0 : (client.limit?.max ?? 0) * order.length;
      const room = isWhole ? Number.POSITIVE_INFINITY : most;
      context.oracle.judgeStart(given, room, `${label}, ${JSON.stringify(event)} in ${order.length}`);
    }
  }

  /** Any tool, of an agent that may be in any directory. */
  function touch(context: Context): Promise<unknown> {
    const path = tree.path(anyOf(DIRECTORIES, random), "x.ts");
    const cwd = random() < 0.3 ? anyOf(DIRECTORIES, random) : context.cwd;
    return tell(context, client.touch(path, random() < 0.4, random() < 0.5), cwd);
  }

  /** The model calls codelia in a shell. */
  async function atShell(): Promise<void> {
    const path = tree.path(anyOf(DIRECTORIES, random), "x.ts");
    const verb = random() < 0.5 ? ["resolve", path] : ["skills", "load", scene.skill()];
    const options = { cwd: tree.path(main.cwd), home: tree.path("home") };
    const { stdout } = await startCodelia([...verb, "--session", "s"], options);
    if (verb[0] === "resolve") main.oracle.take(readMessage(stdout, undefined), `${label}, ${verb.join(" ")}`);
  }

  async function turn(): Promise<void> {
    const number = random();
    const { resume, agentStart } = client;
    if (isChanging && number < 0.1) {
      const changed = scene.change();
      if (changed !== undefined) for (const { oracle } of contexts) oracle.excuse(changed);
    } else if (number < 0.16 && agentStart !== undefined && contexts.length <= MOST_AGENTS) {
      const agent = newContext(`agent-${contexts.length}`);
      contexts.push(agent);
      await begin(agent);
    } else if (number < 0.22) {
      if (client.forget === undefined && random() < 0.5) main.cwd = anyOf(CHAIN, random);
      await begin(main);
    } else if (number < 0.26 && resume !== undefined) await tell(main, resume);
    else if (number < 0.32) await atShell();
    else if (number < 0.6) await tell(anyOf(contexts, random), client.prompt);
    else await touch(anyOf(contexts, random));
  }

  /** Until nothing more comes. */
  async function drain(context: Context): Promise<void> {
    let silent = 0;
    for (let count = 0; count < MOST_TURNS && silent < 2; count++) {
      const event = count % 2 === 0 ? client.prompt : client.touch(tree.path(context.cwd, "x.ts"), true, false);
      silent = (await tell(context, event)).isEmpty ? silent + 1 : 0;
    }
    context.oracle.conclude(label, scene.hasLongNames);
    faults.push(...context.oracle.faults);
  }

  return {
    async play() {
      await begin(main);
      for (let count = 0; count < TURNS; count++) await turn();
      for (const context of contexts) await drain(context);
      return { calls, starts, messages, slow, faults };
    },
  };
}

function partsOf(count: number): string[][] {
  if (count === 0) return [[]];
  return Array.from({ length: count }, (_, index) => ["--part", `${index + 1}/${count}`]);
}
