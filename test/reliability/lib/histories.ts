import { startCall, type Call, type Ending } from "./call.ts";
import { newHistoryCast, type PlannedCall } from "./history-cast.ts";
import { newHistoryOracle, type PlayedCall } from "./history-oracle.ts";
import { asidesIn, openHistoryWorld, type HistoryWorld } from "./history-world.ts";
import type { Interposer } from "./interpose.ts";
import { randomFrom } from "./random.ts";

export interface HistoryPlan {
  readonly roots: number;
  readonly calls: number;
  readonly seed: number;
  /** Whether processes are killed and stopped, directories disappear, and clocks jump. */
  readonly isWild: boolean;
  readonly interposer: Interposer;
}

export interface HistoryFigures {
  readonly calls: number;
  readonly kills: number;
  readonly stops: number;
  readonly happenings: number;
  /** Tellings of a file to a context. */
  readonly told: number;
  readonly repeated: number;
  /** Tellings that were repeated without an excuse. */
  readonly unexcused: readonly string[];
  readonly lost: readonly string[];
  /** Resets that failed and said so. */
  readonly refused: number;
  readonly slowestMs: number;
  /** The most set-aside ledgers in one root. */
  readonly mostAside: number;
  readonly seconds: number;
  /** Calls that ended as none may. */
  readonly faults: readonly string[];
}

const ROUNDS_OF_SEED = 1_000_003;
const KILLED = 0.08;
const STOPPED = 0.01;
const HAPPENS = 0.25;
/** Most calls take no longer; blows fall at random within it. */
const LIFE_MS = 25;

/** Plays sessions over several roots, with all that may go wrong; an oracle judges what each context was told. */
export async function playHistories(plan: HistoryPlan): Promise<HistoryFigures> {
  using world = openHistoryWorld(plan.roots, plan.isWild && plan.interposer.why === undefined);
  // Seeded anew for each round, because a round takes more or fewer numbers depending on where its blows fall.
  let ofRound = randomFrom(plan.seed);
  const random = () => ofRound();
  const oracle = newHistoryOracle();
  const cast = newHistoryCast(world, random);
  const startedAt = performance.now();
  const faults: string[] = [];
  let [calls, kills, stops, happenings, refused, slowestMs, mostAside] = [0, 0, 0, 0, 0, 0, 0];

  for (let round = 0; calls < plan.calls; round++) {
    ofRound = randomFrom(plan.seed * ROUNDS_OF_SEED + round);
    while (random() < HAPPENS) {
      const happened = plan.isWild || random() < 0.5 ? world.happen(plan.isWild ? random : calmly(random)) : undefined;
      if (happened === undefined) continue;
      happenings++;
      if (happened.excuses) oracle.disturb();
    }
    const planned = cast.plan();
    const blows = planned.map(() => (plan.isWild ? blowOf(random) : undefined));
    const endings = await playRound(world, plan.interposer, planned, blows, random);
    const played: PlayedCall[] = [];
    for (const [index, call] of planned.entries()) {
      const ending = endings[index] as Ending;
      const blow = blows[index];
      calls++;
      if (blow === "kill") kills++;
      if (blow === "stop") stops++;
      if (blow === undefined) slowestMs = Math.max(slowestMs, ending.elapsedMs);
      const isDone = ending.exit === 0;
      const isRefused = call.kind === "reset" && ending.exit === 1;
      if (isRefused) refused++;
      const label = `seed ${plan.seed}, round ${round}, ${call.args.join(" ")} ${JSON.stringify(call.event ?? {})}`;
      if (!isDone && !isRefused && blow === undefined) faults.push(`exit ${ending.exit}: ${label} ${ending.stderr}`);
      cast.settle(call, isDone);
      const { touches } = call;
      const applying = touches === undefined ? [] : world.applying(touches.root, touches.path);
      played.push({ ...call, applying, stdout: wholeOf(ending), isDone, label });
    }
    oracle.judge(played, world.standing());
    for (const root of world.roots()) mostAside = Math.max(mostAside, asidesIn(root).length);
  }
  const { lost, unexcused, told, repeated } = oracle;
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    calls,
    kills,
    stops,
    happenings,
    told,
    repeated,
    unexcused,
    lost,
    refused,
    slowestMs,
    mostAside,
    seconds,
    faults,
  };
}

type Blow = "kill" | "stop" | undefined;

function blowOf(random: () => number): Blow {
  const number = random();
  return number < KILLED ? "kill" : number < KILLED + STOPPED ? "stop" : undefined;
}

/** Random numbers that make no disturbance happen. */
function calmly(random: () => number): () => number {
  let isFirst = true;
  return () => {
    const number = isFirst ? 1 : random();
    isFirst = false;
    return number;
  };
}

/** Starts all calls at once. Those that are stopped go on, or are killed, once the others have ended. */
async function playRound(
  world: HistoryWorld,
  interposer: Interposer,
  planned: readonly PlannedCall[],
  blows: readonly Blow[],
  random: () => number,
): Promise<Ending[]> {
  const env = { HOME: world.home, ...interposer.env(world.shift()) };
  const calls = planned.map(({ args, event, root }, index): Call => {
    const call = startCall(args, { cwd: root, env, waitsForInput: event !== undefined });
    if (event !== undefined) call.feed(JSON.stringify(event));
    const blow = blows[index];
    const delay = random() * LIFE_MS;
    if (blow !== undefined) setTimeout(() => call.signal(blow === "kill" ? "SIGKILL" : "SIGSTOP"), delay);
    return call;
  });
  await Promise.all(calls.filter((_, index) => blows[index] !== "stop").map(({ ending }) => ending));
  for (const [index, call] of calls.entries()) {
    if (blows[index] !== "stop") continue;
    if (random() < 0.5) call.signal("SIGKILL");
    else setTimeout(() => call.signal("SIGCONT"), LIFE_MS);
  }
  return Promise.all(calls.map(({ ending }) => ending));
}

/** A client can't read an answer that was cut off. */
function wholeOf({ stdout, exit }: Ending): string {
  if (exit === 0 || !stdout.startsWith("{")) return stdout;
  try {
    JSON.parse(stdout);
    return stdout;
  } catch {
    return "";
  }
}
