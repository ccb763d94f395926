import type { Client, ClientEvent } from "../clients/client.ts";
import { loadNative } from "../clients/registry.ts";
import { carefulFacts } from "../clients/tree-facts.ts";
import { AFTER, AROUND } from "../instructions/delivery.ts";
import { instructionFacts } from "../instructions/gather.ts";
import { applyChange } from "../ledger/changes.ts";
import { emptyLedger, findContext, surroundingsOf } from "../ledger/contexts.ts";
import { owedTo } from "../ledger/delivery.ts";
import type { Context, Session } from "../ledger/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Catalogue, CatalogueFigures } from "../skills/catalogue.ts";
import { countShown } from "../skills/shown-catalogue.ts";
import type { Part } from "./part.ts";
import { beginningOf, chainOf, planStart, type Start } from "./start.ts";
import { weighTool } from "./tool.ts";

const EDIT = "Edit";

/** What the model is given, and when. */
export interface PreviewedText {
  readonly when: string;
  readonly text: string;
}

export interface Preview {
  /** The files that the client gives by itself: `whole`, or how many bytes of it. */
  readonly native: readonly { readonly path: string; readonly given: "whole" | number }[];
  /** The files that the client gives with the edit, and those of which it gives the path. */
  readonly withEdit: readonly string[];
  readonly namedWithEdit: readonly string[];
  readonly texts: readonly PreviewedText[];
  /** Of the skills that the client does not list by itself; undefined if there are none. */
  readonly skills: CatalogueFigures | undefined;
  /** The catalogue comes whole with a later event. */
  readonly areSkillsLater: boolean;
  /** What later events deliver of files that did not fit at the start. */
  readonly later: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * What a session of a client that starts here is given, and what a first edit of a file adds.
 *
 * @input  part: how many parts the client asks for
 * @effect reads; records nothing
 */
export async function previewSession(
  world: World,
  workspace: Workspace,
  client: Client,
  part: Part,
  path: string | undefined,
): Promise<Preview> {
  const event: ClientEvent = {
    name: "SessionStart",
    session: workspace.key.session,
    context: workspace.key.context,
    cwd: workspace.cwd,
    what: { kind: "begin", inherits: false },
  };
  const facts = instructionFacts(world);
  const chain = await chainOf(world, workspace, client, event, facts);
  const start = await planStart(world, workspace, client, chain, part.count, facts);
  const session = sessionAfter(world, workspace, start);
  const context = findContext(session, workspace.key.context);
  const areSkillsLater = Object.hasOwn(owedTo(context) ?? {}, AFTER);
  const { outputs } = start;
  const count = outputs.length;
  const texts = outputs.map(({ text }, index) => {
    const when = client.startsUntold ? "with its first tool call" : "at its start";
    return { when: count === 1 ? when : `${when}, part ${index + 1} of ${count}`, text };
  });
  const edit = path === undefined ? undefined : await editText(world, workspace, client, event, session, path);
  const whenEdited = `${edit?.isKeptBack === true ? "in place of" : "with"} the first edit of ${path}`;
  return {
    native: [
      ...Array.from(chain.native.whole, (file) => ({ path: file, given: "whole" as const })),
      ...[...chain.native.cut].map(([cut, given]) => ({ path: cut, given })),
    ],
    ...(await givenWith(world, workspace, client, path, chain.native.whole)),
    texts: edit === undefined ? texts : [...texts, { when: whenEdited, text: edit.text }],
    skills: start.skills && shownFigures(start.skills, areSkillsLater ? undefined : texts),
    areSkillsLater,
    later: count === 0 ? [] : owedBytes(context),
  };
}

/** What the client does with files as a session edits one, besides those of its start. */
async function givenWith(
  world: World,
  { cwd, root }: Workspace,
  client: Client,
  path: string | undefined,
  atStart: ReadonlySet<string>,
): Promise<Pick<Preview, "withEdit" | "namedWithEdit">> {
  if (path === undefined) return { withEdit: [], namedWithEdit: [] };
  const { onTouch, namesOn } = await loadNative(client);
  const { facts } = carefulFacts(world, root.directory);
  const touch = { tool: EDIT, path };
  const given = onTouch(cwd, touch, world, facts).flatMap((file) => (file.status === "loaded" ? file.path : []));
  const named = namesOn?.(cwd, touch, world, facts) ?? [];
  const later = (files: readonly string[]) => [...new Set(files)].filter((file) => !atStart.has(file));
  return { withEdit: later(given), namedWithEdit: later(named) };
}

function sessionAfter(world: World, workspace: Workspace, start: Start): Session | undefined {
  const change = beginningOf(start, start.outputs, "preview", workspace.cwd, world);
  const ledger = applyChange(emptyLedger(""), workspace.key, surroundingsOf(workspace), change, world.now());
  return ledger.sessions[workspace.key.session];
}

/** The channel may have less room than the catalogue needs. Without texts, the catalogue is still to come. */
function shownFigures(
  { skills, figures }: Catalogue,
  texts: readonly PreviewedText[] | undefined,
): CatalogueFigures | undefined {
  const total = figures.named + figures.leftOut;
  if (total === 0) return undefined;
  if (texts === undefined) return figures;
  const { named, described } = countShown(
    texts.map(({ text }) => text),
    skills,
  );
  const whole = Math.max(0, described - figures.shortened);
  return { named, shortened: named - whole, leftOut: total - named };
}

function owedBytes({ delivery }: Context): { path: string; bytes: number }[] {
  if (delivery === undefined) return [];
  return Object.entries(delivery.due).flatMap(([path, due]) => {
    if (AROUND.includes(path)) return [];
    const size = (ranges: readonly (readonly number[])[]) =>
      ranges.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0);
    const bytes = size(due) - size(delivery.given[path] ?? []);
    return bytes > 0 ? [{ path, bytes }] : [];
  });
}

/** What the session is told as it edits a file, and whether the edit is kept back. */
async function editText(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  session: Session | undefined,
  path: string,
): Promise<{ readonly text: string; readonly isKeptBack: boolean } | undefined> {
  let isKeptBack = false;
  const plain: Client = {
    ...client,
    tell: (_, text) => text,
    ...(client.refuse && {
      refuse(_: ClientEvent, reason: string) {
        isKeptBack = true;
        return reason;
      },
    }),
  };
  const use = { tool: EDIT, input: { file_path: path } };
  const about = await weighTool(world, workspace, plain, event, use);
  if (about?.decide(session) === undefined) return undefined;
  isKeptBack = false;
  await about.lookCloser?.(session);
  const text = about.decide(session)?.text ?? "";
  return text === "" ? undefined : { text, isKeptBack };
}
