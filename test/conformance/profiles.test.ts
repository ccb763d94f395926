import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { NativeClient } from "../../src/clients/client.ts";
import { loadProfiles, measuredClients } from "../../src/clients/registry.ts";
import { diskFacts } from "../../src/clients/tree-facts.ts";
import { COLUMNS } from "./columns.ts";
import { readRecord, type RecordedCell } from "./record.ts";
import { entriesOf, LINE_BYTES, loadTrees, type Step, type Tree } from "./tree.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// Our profiles, on the trees of the record: they say of each file what the client itself has done with it.

const record = readRecord();
const profiles = await loadProfiles();
/** The steps after which a file may be given; what a session does later is not a profile's affair. */
const TREES = loadTrees().filter(
  ({ group, name }) => group !== "Skills" && group !== "Later in a session" && name !== "changed",
);

describe.each(COLUMNS)("the profile of $title", ({ name, client, home }) => {
  const profile = profiles.find((each) => each.name === client.name)!;

  test.each(TREES.filter((tree) => record.cells[tree.name]?.[name] !== undefined))("agrees on $name", (tree) => {
    const cell = record.cells[tree.name]![name]!;
    const asked = { ...tree, watch: tree.watch.filter(({ label }) => isInProfile(tree, label, name)) };
    expect(asProfiled(profile, { ...asked, home: { ...home, ...tree.home } }, client.tools)).toEqual(
      asRecorded(asked, cell),
    );
  });

  test("names the version that it was compared with", () => {
    const measured = measuredClients().find((each) => each.name === client.name)?.measured;
    expect(measured).toBe(record.clients[name]?.version);
  });
});

/** The labels of what is given at the start, those of what comes later, and how much of a long file. */
interface Given {
  readonly start: readonly string[];
  readonly later: readonly string[];
  readonly bytes?: number;
}

function asRecorded(tree: Tree, { sightings, counts }: RecordedCell): Given {
  const asked = new Set(tree.watch.map(({ label }) => label));
  const files = sightings.filter(({ given, label }) => given === "text" && asked.has(label));
  return {
    start: files.filter(({ request }) => request === 0).map(({ label }) => label),
    later: files.filter(({ request }) => request !== 0).map(({ label }) => label),
    ...(counts !== undefined && "fromStart" in counts && { bytes: counts.fromStart }),
  };
}

/** Of the rules for some files, profiles know only those of Claude Code. */
function isInProfile({ group }: Tree, label: string, client: string): boolean {
  return group !== "Rules for some files" || (client === "claude" && label === ".claude/rules");
}

function asProfiled(profile: NativeClient, tree: Tree, tools: (typeof COLUMNS)[number]["client"]["tools"]): Given {
  using project = tempTree(entriesOf(tree.files));
  using home = tempTree(entriesOf(tree.home));
  const user = { home: home.root, env: {} };
  const cwd = project.path(tree.cwd ?? ".");
  const facts = diskFacts({ processorTime: () => 0 });
  const reach = profile.reach(cwd, user, facts);
  const shown = reach.files.filter(({ bytesShown }) => bytesShown > 0);
  const later = (tree.steps ?? []).flatMap((step) => {
    const touch = touchOf(step, tools, project);
    return touch === undefined
      ? []
      : profile.onTouch(cwd, touch, user, facts).filter(({ bytesShown }) => bytesShown > 0);
  });
  const text = profile.text(reach, facts);
  const holding = (paths: readonly { readonly path: string }[], label: string) => {
    const { text: mark } = tree.watch.find((watch) => watch.label === label)!;
    return paths.some(({ path }) => readFileSync(path, "utf8").includes(mark));
  };
  const labels = tree.watch.map(({ label }) => label);
  const start = labels.filter(
    (label) => holding(shown, label) && text.includes(tree.watch.find((watch) => watch.label === label)!.text),
  );
  const numbered = tree.count !== undefined && "numbered" in tree.count ? tree.count.numbered : undefined;
  return {
    start,
    later: labels.filter((label) => !start.includes(label) && holding(later, label)),
    ...(numbered !== undefined && { bytes: linesOf(text, numbered) * LINE_BYTES }),
  };
}

function linesOf(text: string, label: string): number {
  return text.match(new RegExp(`^${label} \\d{${LINE_BYTES - label.length - 3}}\\.$`, "gm"))?.length ?? 0;
}

/** The tool as the client's model calls it, and the file; for a shell, if it only reads this file. */
function touchOf(step: Step, tools: (typeof COLUMNS)[number]["client"]["tools"], tree: TempTree) {
  if ("read" in step) return { tool: tools.read("").name, path: tree.path(step.read) };
  if ("edit" in step) {
    const tool = tools.replace?.("", "", "").name;
    return tool === undefined ? undefined : { tool, path: tree.path(step.edit) };
  }
  if (!("shell" in step)) return undefined;
  const [, read] = /^cat (\S+)$/.exec(step.shell) ?? [];
  const path = tree.path(read ?? /\S+$/.exec(step.shell)?.[0] ?? "");
  return { tool: tools.shell("").name, path, ...(read !== undefined && { how: "reading" as const }) };
}
