import { run } from "../../../src/cli.ts";
import { EXIT, type ExitName } from "../../../src/errors.ts";
import { fakeWorld } from "../../support/fake-world.ts";
import { tempTree, type Entry, type TempTree } from "../../support/temp-tree.ts";
import { isStatePath } from "../../support/tree-entries.ts";
import { ANSWER_LIMIT_MS } from "./aftermath.ts";
import { blowName, blowsOn, faultyDisk, type CallName, type FaultyDisk, type Strike } from "./faulty-disk.ts";
import { keepTree, type RestorableTree } from "./restorable-tree.ts";

/** One call of the program. */
export interface ProgramCall {
  readonly argv: readonly string[];
  /** From the tree's root; default `repo`. */
  readonly cwd?: string;
  readonly stdin?: string;
  /** Lines that someone types at a terminal. */
  readonly typed?: readonly string[];
  /** Another process that lives. */
  readonly alive?: number;
}

/** What must come to the model: any one of these texts. */
export type Due = readonly string[];

export interface FaultScene {
  readonly name: string;
  readonly entries: Readonly<Record<string, Entry>>;
  /** Calls that nothing strikes, and what happens after them. */
  readonly prepare?: (tree: TempTree, play: (call: ProgramCall) => Promise<string>) => Promise<void>;
  readonly call: (tree: TempTree) => ProgramCall;
  /** The call that nothing strikes any more; default the same. */
  readonly follow?: (tree: TempTree) => ProgramCall;
  /** How the struck call may end; default `ok` alone. */
  readonly exits?: readonly ExitName[];
  /** Told by the struck call or by the one that follows, whatever struck. */
  readonly due?: (tree: TempTree) => readonly Due[];
  /** What is due is so only once the struck call has ended like this; it is the next call that tells it. */
  readonly dueAfter?: ExitName;
  /** The call that follows says what it says when nothing struck, to the byte. */
  readonly isSettled?: true;
  /** In no output, whatever struck. */
  readonly never?: readonly string[];
  /** What the call changes of the user's, from the tree's root: it stays as it was or becomes what it becomes when nothing strikes. */
  readonly changes?: readonly string[];
  /**
   * A process that lives, and holds the ledger's lock. Of the calls that wait for it, which are many and alike, only the
   * first and the last are struck.
   */
  readonly alive?: number;
  /** Blows that make this scene another one. */
  readonly except?: (call: { readonly name: CallName; readonly subject: string }, blow: Strike["blow"]) => boolean;
}

export interface FaultFigures {
  /** Calls on the file system and standard output that the scene makes. */
  readonly sites: number;
  /** How many ways there are to strike one of them. */
  readonly possible: number;
  /** How many of those were played. */
  readonly points: number;
  readonly lost: number;
  readonly faults: readonly string[];
}

/** Above what any system gives out: once it was struck, it is not found alive. */
const STRUCK_PID = 2 ** 30 + 1;
/** Calls on the disk before and after those that only wait. */
const [BEFORE_WAITING, AFTER_WAITING] = [50, 70];

interface Played {
  readonly exit: ExitName;
  readonly stdout: string;
  readonly complaints: string;
  readonly elapsedMs: number;
}

type Struck = Played & Pick<FaultyDisk, "calls" | "wasKilled" | "openFiles">;

/**
 * Plays a scene once to count its calls on the disk, then again for each of them with each blow, and judges what
 * became of the promises.
 *
 * @param every only each so-many-th point, beginning with the `first`: for the short form
 */
export async function playFaults(scene: FaultScene, every = 1, first = 0): Promise<FaultFigures> {
  using tree = tempTree({ "home/": { dir: true }, "repo/": { dir: true }, ...scene.entries });
  await scene.prepare?.(tree, async (call) => (await play(tree, call, process.pid)).stdout);
  const kept = keepTree(tree.root);
  const { call, calls, after } = await playUnstruck(scene, tree, kept);
  const faults: string[] = [];
  let [possible, points, lost] = [0, 0, 0];
  for (const [at, site] of calls.entries()) {
    if (scene.alive !== undefined && at >= BEFORE_WAITING && at < calls.length - AFTER_WAITING) continue;
    for (const blow of blowsOn(site.name)) {
      if (scene.except?.(site, blow)) continue;
      if ((first + possible++) % every !== 0) continue;
      points++;
      kept.restore();
      const label = `${scene.name}, ${site.name} ${at} ('${site.subject}') ${blowName(blow)}`;
      const struck = await playStruck(tree, call, { at, blow });
      const found = judgeStruck(scene, struck);
      found.push(...judgeFiles(tree, kept, after.files));
      const next = await play(tree, followed(scene, tree), process.pid);
      if (next.exit !== "ok" && !scene.exits?.includes(next.exit)) found.push(`the next call ends with ${next.exit}`);
      if (next.elapsedMs > ANSWER_LIMIT_MS) found.push(`the next call waits ${next.elapsedMs} ms`);
      if (scene.isSettled && next.stdout !== after.next) found.push(`the next call says\n${next.stdout}`);
      const told = heard(struck.stdout) + heard(next.stdout);
      const isDue = scene.dueAfter === undefined || (!struck.wasKilled && struck.exit === scene.dueAfter);
      for (const texts of isDue ? (scene.due?.(tree) ?? []) : []) {
        if (texts.some((text) => told.includes(text))) continue;
        lost++;
        found.push(`never told: ${texts[0]}`);
      }
      for (const text of scene.never ?? []) if (told.includes(text)) found.push(`said: ${text}`);
      faults.push(...found.map((fault) => `${label}: ${fault}`));
    }
  }
  return { sites: calls.length, possible, points, lost, faults };
}

/** What the scene does when nothing strikes; throws where that is not what the scene says. */
async function playUnstruck(scene: FaultScene, tree: TempTree, kept: RestorableTree) {
  const call = withAlive(scene, scene.call(tree));
  const { calls, ...played } = await playStruck(tree, call);
  const isWrong = !(scene.exits ?? ["ok"]).includes(played.exit) || played.complaints.includes("internal");
  const files = new Map((scene.changes ?? []).map((path) => [path, textAt(tree, path)]));
  const next = (await play(tree, followed(scene, tree), process.pid)).stdout;
  const told = heard(scene.dueAfter === undefined ? played.stdout : next);
  const untold = scene.due?.(tree).find((texts) => !texts.some((text) => told.includes(text)));
  if (isWrong || untold !== undefined || calls.length === 0) {
    throw new Error(`${scene.name}: ${played.exit}, without ${untold?.[0]}\n${played.stdout}${played.complaints}`);
  }
  kept.restore();
  return { call, calls, after: { files, next } };
}

function followed(scene: FaultScene, tree: TempTree): ProgramCall {
  return withAlive(scene, (scene.follow ?? scene.call)(tree));
}

function withAlive({ alive }: FaultScene, call: ProgramCall): ProgramCall {
  return alive === undefined ? call : { ...call, alive };
}

async function playStruck(tree: TempTree, call: ProgramCall, strike?: Strike): Promise<Struck> {
  using disk = faultyDisk(strike);
  const played = await play(tree, call, STRUCK_PID, disk.over);
  return { ...played, calls: disk.calls, wasKilled: disk.wasKilled, openFiles: disk.openFiles };
}

async function play(
  tree: TempTree,
  { argv, cwd = "repo", stdin, typed, alive }: ProgramCall,
  pid: number,
  over: ReturnType<typeof faultyDisk>["over"] = (world) => world,
): Promise<Played> {
  const world = over(
    fakeWorld({
      argv,
      cwd: tree.path(cwd),
      home: tree.path("home"),
      env: { HOME: tree.path("home"), NO_COLOR: "1" },
      pid,
      alive: alive === undefined ? [] : [alive],
      epochMs: Date.now() + 1000,
      ...(stdin === undefined ? {} : { stdin }),
      ...(typed === undefined ? {} : { answers: typed, terminals: ["stdin", "stderr"] as const }),
    }),
  );
  const exit = await run(world);
  return { exit, stdout: world.written(), complaints: world.complaints.join(""), elapsedMs: world.clock.ticks };
}

function judgeStruck(scene: FaultScene, struck: Struck): string[] {
  const { openFiles } = struck;
  if (struck.wasKilled) return [];
  const exits: readonly string[] = scene.exits ?? ["ok"];
  const faults: string[] = [];
  if (!exits.includes(struck.exit))
    faults.push(`ends with ${struck.exit} (${EXIT[struck.exit]}): ${struck.complaints}`);
  if (struck.complaints.includes("internal error")) faults.push(struck.complaints);
  if (openFiles > 0) faults.push(`leaves ${openFiles} files open`);
  if (struck.elapsedMs > ANSWER_LIMIT_MS) faults.push(`takes ${struck.elapsedMs} ms`);
  return faults;
}

/** Nothing of the user's is other than it was, or than it was to become. */
function judgeFiles(tree: TempTree, kept: RestorableTree, wanted: ReadonlyMap<string, string | undefined>): string[] {
  const changed = kept.changes().filter((path) => !isStatePath(path));
  return changed.flatMap((path) => {
    const text = textAt(tree, path);
    const isDirectoryOf = [...wanted.keys()].some((other) => other.startsWith(`${path}/`));
    if (isDirectoryOf || (wanted.has(path) && (text === wanted.get(path) || text === kept.contentOf(path)))) return [];
    // A killed process leaves its lock, and what it was about to put in the place of such a file.
    if (wanted.size > 0 && /\.codelia-lock(?:\.\w+\.gone)?$|\.\w+\.tmp$/.test(path)) return [];
    return [`'${path}' is not as it was`];
  });
}

function textAt(tree: TempTree, path: string): string | undefined {
  try {
    return tree.read(path);
  } catch {
    return undefined;
  }
}

/** What comes to the model: a hook's text stands in JSON. */
function heard(stdout: string): string {
  try {
    return JSON.parse(stdout).hookSpecificOutput.additionalContext;
  } catch {
    return stdout;
  }
}
