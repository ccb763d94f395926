import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { tempTree } from "../../support/temp-tree.ts";
import type { StandingFile } from "./history-oracle.ts";
import type { Shift } from "./interpose.ts";
import { anyOf } from "./random.ts";

/** Some repositories, and what happens to them between calls. */
export interface HistoryWorld extends Disposable {
  readonly home: string;
  /** Those that exist at the moment. */
  roots(): string[];
  /** A path in a root for a tool to touch. */
  sourceIn(root: string, random: () => number): string;
  /** The instruction files that apply to a path, root first. */
  applying(root: string, path: string): StandingFile[];
  /** The version of each instruction file, by path. */
  standing(): Map<string, string>;
  /** How far a call's clock and device numbers are off. */
  shift(): Shift;
  /** Makes something happen. `excuses`: tellings may be repeated after it. */
  happen(random: () => number): { readonly what: string; readonly excuses: boolean } | undefined;
}

const DIRECTORIES = ["", "a", "a/b", "c"];
const HOUR_S = 3600;
const CLOCKS = [0, 0, HOUR_S, 26 * HOUR_S, 45 * 24 * HOUR_S, -26 * HOUR_S, -800 * 24 * HOUR_S];
const DEVICES = [0, 1, 7];
/** So that all texts have the same length. */
const NUMBER_DIGITS = 9;

type Event = (root: string, random: () => number) => boolean | undefined;

export function openHistoryWorld(count: number, isShifting: boolean): HistoryWorld {
  const tree = tempTree({ "home/": { dir: true }, "away/": { dir: true } });
  const roots = Array.from({ length: count }, (_, index) => tree.path(`root-${index}`));
  let written = 0;
  let shift: Shift = {};

  /** With a text and a time that no file had before. */
  function write(path: string): void {
    written++;
    writeFileSync(path, `Rules ${String(written).padStart(NUMBER_DIGITS, "0")}.\n`);
    const seconds = Date.UTC(2027, 0, 1) / 1000 + written;
    utimesSync(path, seconds, seconds);
  }
  function make(root: string): void {
    mkdirSync(join(root, ".git"), { recursive: true });
    for (const directory of DIRECTORIES) {
      mkdirSync(join(root, directory), { recursive: true });
      write(join(root, directory, "AGENTS.md"));
      // Beside it the client reads no AGENTS.md by itself.
      writeFileSync(join(root, directory, "CLAUDE.md"), "Be brief.\n");
    }
  }
  const away = (root: string, what: string) => tree.path("away", `${what}-${roots.indexOf(root)}`);
  const state = (root: string) => join(root, ".codelia");
  const anyFile = (root: string, random: () => number) => join(root, anyOf(DIRECTORIES, random), "AGENTS.md");

  /** Each returns false if it could not happen. */
  const changes: Record<string, Event> = {
    "a file is written"(root, random) {
      write(anyFile(root, random));
      return true;
    },
    "a file gets another text of the same size and time"(root, random) {
      const path = anyFile(root, random);
      if (!existsSync(path)) return false;
      const { atimeMs, mtimeMs } = statSync(path);
      written++;
      writeFileSync(path, `Rules ${String(written).padStart(NUMBER_DIGITS, "0")}.\n`);
      utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
      return true;
    },
    "a file's mode changes and nothing else"(root, random) {
      const path = anyFile(root, random);
      if (existsSync(path)) chmodSync(path, random() < 0.5 ? 0o600 : 0o644);
      return true;
    },
    "a file goes"(root, random) {
      rmSync(anyFile(root, random), { force: true });
      return true;
    },
  };
  const upheavals: Record<string, Event> = {
    "a root is moved away"(root) {
      if (roots.length === 1 || existsSync(away(root, "root"))) return false;
      renameSync(root, away(root, "root"));
      return true;
    },
    "another root is made in its place"(root) {
      if (existsSync(root)) return false;
      make(root);
      return true;
    },
    "a root comes back"(root) {
      if (!existsSync(away(root, "root"))) return false;
      rmSync(root, { recursive: true, force: true });
      renameSync(away(root, "root"), root);
      return true;
    },
    "a root's state is removed": (root) => void rmSync(state(root), { recursive: true, force: true }),
    "a root's state is stashed"(root) {
      if (!existsSync(state(root)) || existsSync(away(root, "stash"))) return false;
      renameSync(state(root), away(root, "stash"));
      return true;
    },
    "a root's stash is popped"(root) {
      if (!existsSync(root) || !existsSync(away(root, "stash"))) return false;
      // As git does it: a directory of its own, and nothing that stands is overwritten.
      cpSync(away(root, "stash"), state(root), { recursive: true, force: false });
      rmSync(away(root, "stash"), { recursive: true });
      return true;
    },
    "a root's state is backed up"(root) {
      if (!existsSync(state(root))) return false;
      rmSync(away(root, "backup"), { recursive: true, force: true });
      cpSync(state(root), away(root, "backup"), { recursive: true });
      return false;
    },
    "a root's state is restored"(root) {
      if (!existsSync(root) || !existsSync(away(root, "backup"))) return false;
      rmSync(state(root), { recursive: true, force: true });
      cpSync(away(root, "backup"), state(root), { recursive: true });
      return true;
    },
    "a root's ledger is spoilt"(root) {
      if (!existsSync(join(state(root), "session.json"))) return false;
      writeFileSync(join(state(root), "session.json"), "no ledger");
      return true;
    },
    "the clock jumps"(_root, random) {
      shift = { ...shift, clockSeconds: anyOf(CLOCKS, random) };
      return isShifting;
    },
    "the device has another number"(_root, random) {
      shift = { ...shift, device: anyOf(DEVICES, random) };
      return isShifting;
    },
  };

  for (const root of roots) make(root);
  const standingRoots = () => roots.filter((root) => existsSync(root));
  return {
    home: tree.path("home"),
    roots: standingRoots,
    sourceIn: (root, random) => join(root, anyOf(DIRECTORIES, random), `new-${Math.floor(random() * 3)}.ts`),
    applying(root, path) {
      const directories = DIRECTORIES.filter((directory) => path.startsWith(join(root, directory, "/")));
      return directories.flatMap((directory) => standingAt(join(root, directory, "AGENTS.md")));
    },
    standing() {
      const files = standingRoots().flatMap((root) => DIRECTORIES.map((name) => join(root, name, "AGENTS.md")));
      return new Map(files.flatMap(standingAt).map(({ path, version }) => [path, version]));
    },
    shift: () => (isShifting ? shift : {}),
    happen(random) {
      const excuses = random() < 0.25;
      const events = Object.entries(excuses ? upheavals : changes);
      const [what, event] = anyOf(events, random);
      const root = anyOf(roots, random);
      if (!excuses && !existsSync(root)) return undefined;
      return event(root, random) === false ? undefined : { what, excuses };
    },
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}

/** The text is part of the version: another may have the same size and time. */
function standingAt(path: string): StandingFile[] {
  if (!existsSync(path)) return [];
  return [{ path, version: `${Math.floor(statSync(path).mtimeMs)} ${readFileSync(path, "utf8")}` }];
}

/** The ledgers that were set aside in a root. */
export function asidesIn(root: string): string[] {
  const directory = join(root, ".codelia");
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".aside")) : [];
}
