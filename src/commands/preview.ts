import { resolve } from "node:path";
import { OUTPUT_ARGS, PLACE_ARGS, notFound, textFlag, usage } from "../cli/args.ts";
import { unknownClient } from "../clients/choose.ts";
import type { Client } from "../clients/client.ts";
import { UNLIMITED } from "../clients/events.ts";
import { findOwnNamed, ownNamedSentence } from "../clients/own-names.ts";
import { clientNamed, clientNames, loadClient, loadSettings } from "../clients/registry.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { ONLY_PART, type Part } from "../hooks/part.ts";
import { previewSession, type Preview } from "../hooks/preview.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { counted, withThousands } from "../lib/words.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const [FIRST = ""] = clientNames();

/**
 * @output what a session there is given, and what an edit of the path adds, exactly as the model sees it
 * @effect none: nothing is recorded
 * @error  not_found for an unknown client
 */
export const command: Command = {
  meta: {
    name: "preview",
    description: "Show what a session's model is given where it begins, and with the first edit of a path.",
  },
  args: {
    path: { type: "positional", required: false, description: "a file that the session edits; default none" },
    as: { type: "string", valueHint: "CLIENT", description: `${clientNames().join(", ")}; default ${FIRST}` },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, invocation): Promise<Outcome> {
    return inWorkspace(world, invocation, (workspace) => preview(world, workspace, invocation));
  },
};

async function preview(world: World, workspace: Workspace, { flags, operands }: Invocation): Promise<Outcome> {
  const name = clientNamed(textFlag(flags["as"]) ?? FIRST);
  const client = await loadClient(name);
  if (client === undefined) return notFound(unknownClient(name, clientNames()));
  const [path] = operands;
  if (path === "") return usage("'' is not a path; is a variable unset?");
  const part = await partsOf(name);
  const asked = path === undefined ? undefined : resolve(workspace.cwd, path);
  const limited = part.isWhole ? { ...client, limit: UNLIMITED } : client;
  const previewed = await previewSession(world, workspace, limited, part, asked);
  const own = await findOwnNamed(world, workspace);
  if (own !== undefined && own.title !== client.title) world.warn(ownNamedSentence(own, workspace));
  world.write(
    flags["json"] === true ? asJson(client, workspace, previewed) : render(client, workspace, previewed, asked),
  );
  return "ok";
}

/** The number of parts in which the hooks that `install` registers tell a start. */
async function partsOf(name: string): Promise<Part> {
  const settings = (await loadSettings()).find((each) => each.name === name);
  const events = settings?.events ?? [];
  if (events.some(({ isWhole }) => isWhole)) return { ...ONLY_PART, isWhole: true };
  return { index: 1, count: Math.max(1, ...events.map(({ parts }) => parts)) };
}

function asJson(
  { name }: Client,
  { cwd }: Workspace,
  { native, withEdit, namedWithEdit, texts, skills, later }: Preview,
): string {
  const sized = texts.map(({ when, text }) => ({ when, characters: text.length, text }));
  const given = { native, withEdit, namedWithEdit };
  return jsonLine({ client: name, cwd, ...given, texts: sized, ...(skills && { skills }), later });
}

function render(
  { title }: Client,
  { cwd }: Workspace,
  { native, withEdit, namedWithEdit, texts, skills, areSkillsLater, later }: Preview,
  asked: string | undefined,
): string {
  const lines = [`A session of ${title} that begins in ${visible(cwd)}:`];
  for (const { path, given } of native) {
    const what = given === "whole" ? "whole" : `its first ${counted(given, "byte", withThousands)}`;
    lines.push(`- the client itself gives ${visible(path)}: ${what}`);
  }
  for (const path of withEdit) lines.push(`- the client itself gives ${visible(path)} with the edit`);
  for (const path of namedWithEdit) lines.push(`- the client itself names ${visible(path)} with the edit`);
  if (texts.length === 0) lines.push("- codelia gives nothing");
  if (skills !== undefined) {
    const { named, shortened, leftOut } = skills;
    const parts = [`${named} of ${named + leftOut} are named`];
    if (shortened > 0) parts[0] += `, ${shortened} of them without their whole description`;
    if (leftOut > 0) parts.push(`${leftOut} left out`);
    lines.push(`- skills: ${parts.join("; ")}`);
  }
  if (areSkillsLater) lines.push("- comes later: the skill catalogue");
  for (const { path, bytes } of later)
    lines.push(`- comes later: ${counted(bytes, "byte", withThousands)} of ${visible(path)}`);
  if (asked !== undefined && !texts.some(({ when }) => when.endsWith(` the first edit of ${asked}`))) {
    lines.push(
      `- the first edit of ${visible(asked)} adds nothing: all that applies there is given${namedWithEdit.length > 0 ? " or named" : ""} without it`,
    );
  }
  const shown = texts.map(({ when, text }) => {
    const end = text.endsWith("\n") ? "" : "\n";
    return `\n===== ${visible(when)}: ${counted(text.length, "character", withThousands)} =====\n${text}${end}`;
  });
  return `${lines.join("\n")}\n${shown.join("")}`;
}
