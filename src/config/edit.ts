import { dirname, join } from "node:path";
import { strictText } from "../lib/bytes.ts";
import { joinMessages } from "../lib/diagnostic.ts";
import { editLocated, JSON_NOTATION, YAML_NOTATION } from "../lib/edit/lists.ts";
import { isSameData, planEdit, type ListEdit, type Step } from "../lib/edit/plan.ts";
import { editToml } from "../lib/edit/toml.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { acquireLock } from "../lib/lock.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { readStart } from "../lib/read-file.ts";
import { BOM, withoutBom } from "../lib/text.ts";
import { writeWhole, type Written } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { findConfigFile } from "./files.ts";
import { locateByEnding, parseConfig } from "./parse.ts";
import { MAX_CONFIG_BYTES } from "./problem.ts";

export type ConfigEdited =
  | { readonly kind: "written"; readonly path: string }
  | { readonly kind: "unchanged"; readonly path: string }
  /** `reason` completes "config … can't be changed: ". */
  | { readonly kind: "failed"; readonly path: string; readonly reason: string };

const NEW_FILE = "config.yaml";
const LOCK_FILE = ".config.lock";
const LOCK_WAIT_MS = 2_000;

/**
 * Adds a value to a list of the user's config, or removes one. Comments, order, indentation, line ends and the file's
 * mode stay; a link is followed to its file. Concurrent edits lose nothing.
 *
 * @input  directories: of the user, never of a clone; the first with a config file, or the first, which gets a new one;
 *          edit: plain data that the schema allows there
 * @effect the config file, its directory, and temporarily a lock file beside it
 * @ensures a file that can't be used, or would not have exactly the intended data, is not changed
 */
export async function editConfigList(
  world: World,
  directories: readonly string[],
  edit: ListEdit,
): Promise<ConfigEdited> {
  const first = await prepare(directories, edit);
  if (first.kind !== "ready") return first;
  const { path } = first;
  const directory = dirname(path);
  try {
    disk.makeDirectory(directory);
  } catch (error) {
    return failed(path, `'${directory}' can't be made (${errnoOf(error)})`);
  }
  const attempt = acquireLock(world, { path: join(directory, LOCK_FILE), waitMs: LOCK_WAIT_MS });
  if (attempt.kind !== "locked") {
    return failed(path, `it can't be locked (${attempt.kind === "failed" ? attempt.reason : attempt.kind})`);
  }
  // The file may have changed before the lock was taken.
  const ready = await prepare(directories, edit);
  if (ready.kind !== "ready") {
    attempt.lock.release();
    return ready;
  }
  let written: Written = { kind: "failed", errno: "the lock was lost" };
  attempt.lock.finish(() => {
    written = writeWhole(world, ready.realPath, ready.text, { exactMode: ready.mode });
  });
  return outcomeOf(ready.path, written);
}

type Ready = {
  readonly kind: "ready";
  readonly path: string;
  readonly realPath: string;
  readonly mode: number | undefined;
  readonly text: string;
};

async function prepare(directories: readonly string[], edit: ListEdit): Promise<Ready | ConfigEdited> {
  const found = findConfigFile(directories, true);
  if (found.kind === "unusable") return failed(found.path, found.problem);
  const path = found.kind === "file" ? found.path : join(directories[0] ?? "", NEW_FILE);
  const target = found.kind === "file" ? readTarget(found.realPath) : { text: "", mode: undefined };
  if (typeof target === "string") return failed(path, target);
  const before = withoutBom(target.text);
  const edited = await editText(path, before, edit);
  if (edited.kind !== "edited") return edited;
  const text = (before === target.text ? "" : BOM) + edited.text;
  if (new TextEncoder().encode(text).length > MAX_CONFIG_BYTES) {
    return failed(path, `it would be larger than ${MAX_CONFIG_BYTES} bytes`);
  }
  return { kind: "ready", path, realPath: found.kind === "file" ? found.realPath : path, mode: target.mode, text };
}

/** The text, with its byte order mark, and the mode; or why it can't be read. */
function readTarget(realPath: string): { text: string; mode: number | undefined } | string {
  const read = readStart(realPath, MAX_CONFIG_BYTES + 1);
  if (read.kind !== "read") return "it can't be read";
  if (read.bytes.length > MAX_CONFIG_BYTES) return `it is larger than ${MAX_CONFIG_BYTES} bytes`;
  const text = strictText(read.bytes);
  const mode = lstatOf(realPath)?.mode;
  return text === undefined ? "it is not UTF-8" : { text, mode: mode === undefined ? undefined : mode & 0o7777 };
}

async function editText(
  path: string,
  before: string,
  edit: ListEdit,
): Promise<{ kind: "edited"; text: string } | ConfigEdited> {
  const parsed = await parseConfig(path, before);
  if (parsed.kind !== "config") return failed(path, `it can't be used as it is: ${joinMessages(parsed.problems)}`);
  const steps = planEdit(parsed.config, edit);
  if (steps === undefined) return failed(path, `'${edit.path.join(".")}' is not a list`);
  if (steps.length === 0) return { kind: "unchanged", path };
  let text = before;
  for (const step of steps) {
    const next = await takeStep(path, text, step);
    if (next.kind === "failed") return failed(path, next.reason);
    ({ text } = next);
  }
  return { kind: "edited", text };
}

async function takeStep(
  path: string,
  text: string,
  step: Step,
): Promise<{ kind: "edited"; text: string } | { kind: "failed"; reason: string }> {
  let reason = `it is written in a way that can only be changed by hand: ${byHand(step)}`;
  for (const candidate of candidatesFor(path, text, step)) {
    const read = await parseConfig(path, candidate);
    if (read.kind === "config" && isSameData(read.config, step.expected)) return { kind: "edited", text: candidate };
    if (read.kind !== "config" && read.problems[0]?.message.startsWith(`'${step.path.join(".")}`)) {
      reason = read.problems.map(({ message }) => message).join("; ");
    }
  }
  return { kind: "failed", reason };
}

function* candidatesFor(path: string, text: string, step: Step): Generator<string> {
  if (path.endsWith(".toml")) return yield* editToml(text, step);
  const notation = /\.ya?ml$/.test(path) ? YAML_NOTATION : JSON_NOTATION;
  const edited = editLocated(text, locateByEnding(path, text), step, notation);
  if (edited !== undefined) yield edited;
}

function byHand(step: Step): string {
  const list = `'${step.path.join(".")}'`;
  return step.kind === "insert"
    ? `add ${JSON.stringify(step.value)} to ${list}`
    : `remove item ${step.index} from ${list}`;
}

function outcomeOf(path: string, written: Written): ConfigEdited {
  return written.kind === "written"
    ? { kind: "written", path }
    : failed(path, `it can't be written (${written.errno})`);
}

function failed(path: string, reason: string): ConfigEdited {
  return { kind: "failed", path, reason };
}
