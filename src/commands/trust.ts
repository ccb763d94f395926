import { join, resolve } from "node:path";
import { DEFINITIONS } from "../agent/definition/load.ts";
import { OUTPUT_ARGS, PLACE_ARGS, textFlag, usage } from "../cli/args.ts";
import type { Command, Invocation, Outcome, Problem } from "../command.ts";
import { userDirectoriesOf, type UserDirectories } from "../config/user-directories.ts";
import { readAnswer } from "../lib/answer.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { isDirectory, isTaken, realEntry } from "../lib/path-facts.ts";
import { wholeLadder } from "../lib/paths.ts";
import { readRecord, withoutBytes, writeRecord } from "../trust/records.ts";
import { subjectsAbove, subjectsIn, type Subject } from "../trust/subjects.ts";
import { listTrust, renderTrust, revokeTrust } from "../trust/trusted.ts";
import { type SubjectFile, compareFiles, whyNotTrusted } from "../trust/verify.ts";
import type { World } from "../world.ts";

/**
 * @effect the trust store in the user's state directory; shows and asks on a terminal
 * @error  usage if nobody can be asked; not_found if nothing asks for trust; denied if the answer is no;
 *          config_unusable if something can't be trusted as it is
 */
export const command: Command = {
  meta: {
    name: "trust",
    description: "Trust a project's config, an agent definition or git filters, exactly as they are now.",
  },
  args: {
    path: {
      type: "positional",
      required: false,
      description: "a project, an agent definition (also by its name), or a file of one (default: the nearest upwards)",
    },
    list: { type: "boolean", description: "list what is trusted, and what has changed since" },
    revoke: { type: "boolean", description: "withdraw trust" },
    yes: { type: "boolean", description: "trust without asking" },
    cwd: PLACE_ARGS.cwd,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  async run(world, invocation): Promise<Outcome> {
    const { flags, operands } = invocation;
    const userDirectories = userDirectoriesOf(world.env, world.home);
    const json = flags["json"] === true;
    const cwd = resolve(world.cwd(), textFlag(flags["cwd"]) ?? ".");
    const given = operands[0] === undefined ? undefined : placeNamed(cwd, operands[0]);
    if (flags["list"] === true) {
      if (given !== undefined || flags["revoke"] === true) return usage("'--list' takes no path and no '--revoke'");
      return listTrust(world, userDirectories, json);
    }
    if (flags["revoke"] === true)
      return revokeTrust(world, userDirectories, given, cwd, { json, quiet: isQuiet(invocation) });
    const place = realEntry(given ?? cwd);
    if (place === undefined) return { code: "not_found", message: `'${visible(given ?? cwd)}' does not exist` };
    const subjects = place.isDirectory
      ? given === undefined
        ? await subjectsAbove(world, userDirectories, place.path, false, cwd)
        : await subjectsIn(world, userDirectories, place.path, cwd)
      : await subjectsAbove(world, userDirectories, place.path, true, cwd);
    if (subjects.length === 0) return nothingThere(place.path);
    return trustAll(world, userDirectories, invocation, subjects);
  },
};

/** A path, or as `agent run` takes it the name of a definition, of the nearest directory upwards that has it. */
function placeNamed(cwd: string, named: string): string {
  const path = resolve(cwd, named);
  if (/[/\\]/.test(named) || isTaken(path)) return path;
  const places = wholeLadder(cwd).map((directory) => join(directory, DEFINITIONS, named));
  return places.findLast(isDirectory) ?? path;
}

interface Readable extends Subject {
  readonly files: readonly SubjectFile[];
}

/** All or nothing: everything in one directory is asked about together. */
function trustAll(
  world: World,
  userDirectories: UserDirectories,
  invocation: Invocation,
  subjects: readonly Subject[],
): Outcome {
  const readable: Readable[] = [];
  for (const subject of subjects) {
    if (subject.read.kind === "unusable") return unusable(subject, subject.read.problem);
    readable.push({ ...subject, files: subject.read.files });
  }
  const compared = readable.map((subject) => {
    const record = readRecord(userDirectories, subject.kind, subject.directory);
    const files = compareFiles(record?.files ?? [], subject.files);
    const named = compareFiles(record?.named ?? [], subject.named);
    const isTrusted = record !== undefined && whyNotTrusted([...files, ...named]) === undefined;
    return { subject, files, named, isTrusted };
  });
  const wanted = compared.filter(({ isTrusted }) => !isTrusted);
  const shown = wanted.map(({ subject: { kind, directory, asked }, files, named }) =>
    renderTrust({ kind, directory, files, named, asked, problem: null }),
  );
  if (wanted.length > 0) {
    const refusal = permit(world, invocation, readable[0]?.directory ?? "", shown.join(""));
    if (refusal !== undefined) return refusal;
  }
  for (const { subject } of wanted) {
    const failed = writeRecord(world, userDirectories, subject.kind, subject.directory, subject);
    if (failed !== undefined) return unusable(subject, `it can't be recorded (${failed})`);
  }
  return conclude(world, invocation, compared);
}

/** Why it may not be trusted; undefined if it may. */
function permit(world: World, invocation: Invocation, directory: string, shown: string): Problem | undefined {
  const { flags } = invocation;
  const name = visible(directory);
  if (flags["yes"] === true) {
    if (!isQuiet(invocation) && flags["json"] !== true) world.complain(shown);
    return undefined;
  }
  if (flags["json"] === true || !world.isTerminal("stdin") || !world.isTerminal("stderr")) {
    return usage(`'${name}' is not trusted: not a terminal; pass '--yes' to trust it without asking`);
  }
  world.complain(`${shown}Trust this, as it is now? [y]es, [N]o `);
  const line = world.readLine();
  if (line === undefined) world.complain("\n");
  if (readAnswer(line) === "once") return undefined;
  return { code: "denied", message: `'${name}' is not trusted: the answer was no`, details: { path: directory } };
}

function conclude(
  world: World,
  invocation: Invocation,
  done: readonly { subject: Readable; isTrusted: boolean }[],
): Outcome {
  const subjects = done.map(({ subject: { kind, directory, files, named }, isTrusted }) => ({
    kind,
    directory,
    action: isTrusted ? "unchanged" : "trusted",
    files: files.map(withoutBytes),
    ...(named.length > 0 && { named: named.map(withoutBytes) }),
  }));
  if (invocation.flags["json"] === true) world.write(jsonLine({ subjects }));
  else if (!isQuiet(invocation)) {
    for (const { directory, action } of subjects) {
      world.complain(`codelia: '${visible(directory)}' is trusted${action === "unchanged" ? " already" : " now"}\n`);
    }
  }
  return "ok";
}

function nothingThere(path: string): Problem {
  return {
    code: "not_found",
    message: `nothing asks for trust in '${visible(path)}'; a project's config does with 'permissions.allow' or 'plugins', an agent definition with its 'agent.json', a repository with filters in its git config`,
    details: { path },
  };
}

function unusable({ directory }: Subject, problem: string): Problem {
  const message = `'${visible(directory)}' can't be trusted: ${visible(problem)}`;
  return { code: "config_unusable", message, details: { path: directory } };
}

function isQuiet({ flags }: Invocation): boolean {
  return flags["quiet"] === true;
}
