import { basename, dirname, join, sep } from "node:path";
import type { ClientProfile } from "../clients/client.ts";
import { howToRead } from "../clients/own-names.ts";
import { onePerPath } from "../clients/reached.ts";
import { loadProfiles } from "../clients/registry.ts";
import { diskFacts, factsWithin } from "../clients/tree-facts.ts";
import { counted } from "../lib/words.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { checkLostLink } from "./lost-links.ts";
import { MAX_TEXT_BYTES } from "./instruction-files.ts";
import { isMeantHidden, pointersIn, type Pointers } from "./meant-hidden.ts";
import type { IsDelivered } from "./present-clients.ts";
import { otherProjects } from "./other-projects.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { isLinked, isTaken, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { readText } from "../lib/read-file.ts";
import { compareText, groupBy } from "../lib/sorting.ts";

/**
 * The rules about what clients read of the instruction files. Each file is checked for a session that begins in its
 * directory: a session that begins deeper reads no more of it.
 */
export function checkClients(
  world: World,
  scene: CheckScene,
  clients: readonly ClientProfile[],
  { isDelivered, ofOthers }: { readonly isDelivered: IsDelivered; readonly ofOthers: ReadonlySet<string> },
): FamilyCheck {
  const facts = factsWithin(scene.root, diskFacts(world));
  const place = { home: world.home, env: world.env };
  const isOfAnother = otherProjects(scene.root);
  const pointers = pointersIn(scene);
  const isMeant = (path: string) => !isOfAnother(path) && !ofOthers.has(path);
  const isAsked = (path: string) => scene.asked.some((asked) => isInside(asked, path));
  const findings = clients.flatMap((client) => {
    const found = [...bySession(client, scene)].flatMap(([directory, paths]) => {
      if (isToolsOwn(directory, scene.root)) return [];
      const { files: met, budget } = client.reach(directory, place, facts);
      const files = onePerPath(met);
      return unreadFiles({
        client,
        directory,
        root: scene.root,
        pointers,
        limitBytes: budget?.limitBytes,
        own: files.filter(({ path }) => paths.has(path) && isMeant(path) && !isDelivered(client.name, directory, path)),
        all: files.map(({ path }) => path),
        largest: largestOf(files.filter(({ path }) => isInside(scene.root, path))),
      });
    });
    return [...groupBy(found, ({ lost, by }) => `${lost === undefined} ${by}`).values()].flatMap((group) => {
      const by = group[0]?.by;
      if (by === undefined || group.length === 1 || !isAsked(by)) return group.map(({ finding: each }) => each);
      return [group[0]?.lost === undefined ? shadowedTogether(client, by, group) : lostTogether(client, by, group)];
    });
  });
  return { findings, checked: [] };
}

/** Whether a directory is a tool's own, like `.amp`: what is in it is for that tool, and no session begins there. */
function isToolsOwn(directory: string, root: string): boolean {
  return /[\\/]\./.test(directory.slice(root.length));
}

const MAX_NAMED = 3;

/** "'a', 'b', 'c' and 2 more" */
function named(paths: readonly string[]): string {
  const first = paths.slice(0, MAX_NAMED).map((path) => `'${path}'`);
  return `${first.join(", ")}${paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ""}`;
}

/** One finding for the files that one other file keeps a client from reading. */
function shadowedTogether({ name, title }: ClientProfile, by: string, group: readonly UnreadFile[]): Finding {
  const places = group.map(({ finding: { path } }) => path).toSorted(compareText);
  const [first = ""] = places;
  const stub = `put a '${basename(by)}' beside each that imports it ('@${basename(first)}')`;
  const removal = onlyPointsTo(by, basename(first)) ? `remove it, so that ${title} reads each by itself, or ` : "";
  return finding("instructions-shadowed", {
    path: by,
    about: name,
    message: `it keeps ${title} from reading ${places.length} files: ${named(places)}`,
    remedy: `${removal}${stub}${orInstall(name, "them")}`,
    ...importFix(by, places),
    places,
    concerns: [...places, ...group.flatMap(({ finding: { concerns = [] } }) => concerns)],
  });
}

/** One finding for the files for which one file leaves no room in a client's budget. */
function lostTogether({ name, title }: ClientProfile, by: string, group: readonly UnreadFile[]): Finding {
  const sorted = group.toSorted((left, right) => compareText(left.finding.path, right.finding.path));
  const pathsOf = (rule: Finding["rule"]) =>
    sorted.flatMap(({ finding: each }) => (each.rule === rule ? each.path : []));
  const [cut, out] = [pathsOf("instructions-cut"), pathsOf("instructions-left-out")];
  const { bytes = 0, limit = "" } = group[0]?.lost ?? {};
  const what = [
    ...(cut.length === 0 ? [] : [`cuts ${counted(cut.length, "file")} (${named(cut)})`]),
    ...(out.length === 0 ? [] : [`reads nothing of ${counted(out.length, "file")} (${named(out)})`]),
  ];
  return finding(out.length === 0 ? "instructions-cut" : "instructions-left-out", {
    path: by,
    about: name,
    message: `it is ${counted(bytes, "byte")} long and ${title}'s budget is${limit}, so ${title} ${what.join(" and ")}`,
    remedy: "shorten it",
    places: [...cut, ...out],
    concerns: [...cut, ...out, ...group.flatMap(({ finding: { concerns = [] } }) => concerns)],
  });
}

/** Whether a file is only a link to the one of that name beside it, or imports it and says nothing else. */
function onlyPointsTo(path: string, name: string): boolean {
  const beside = realPathOf(join(dirname(path), name));
  // Where the other one is the link, removing this one would remove both.
  if (beside === undefined || isLinked(join(dirname(path), name))) return false;
  if (isLinked(path)) return realPathOf(path) === beside;
  const read = readText(path, MAX_TEXT_BYTES);
  return (
    realPathOf(path) === beside || (read.kind === "text" && /^@(?:\.\/)?(.*)$/.exec(read.text.trim())?.[1] === name)
  );
}

/** The files that only one client reads, in a project that has no others. */
export async function checkOwnNames(scene: CheckScene): Promise<FamilyCheck> {
  const { workspace, root, asked, walked, instructions, ownNames } = scene;
  const saying = instructions.texts.filter(
    (text) => text.text.trim() !== "" && checkLostLink(text, root) === undefined,
  );
  // A name in another letter case is meant to be read.
  const read = new Set(ownNames.map((name) => name.toLowerCase()));
  const hasOthers = [...walked.found.values()].flat().some((name) => read.has(name.toLowerCase()));
  if (hasOthers || !asked.includes(root) || !workspace.settings.agents.enabled) return { findings: [], checked: [] };
  const findings = (await loadProfiles()).flatMap(({ name: client, title, ownNames: names = [] }) => {
    const [first, ...others] = saying.filter(({ path }) => names.some((name) => path.endsWith(sep + name)));
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const message = `only ${title} reads it${more}; other clients get no instructions`;
    const remedy = howToRead(first.name, workspace);
    return [finding("instructions-own-name", { path: first.path, about: client, message, remedy })];
  });
  return { findings, checked: [] };
}

/** The files by the directory that they apply to: a client may keep them in a subdirectory of its own. */
function bySession({ names }: ClientProfile, { instructions }: CheckScene): Map<string, Set<string>> {
  const sessions = new Map<string, Set<string>>();
  for (const { path } of instructions.candidates) {
    const longest = names
      .filter((name) => path.endsWith(sep + name))
      .toSorted((left, right) => right.length - left.length)[0];
    const directory = longest === undefined ? dirname(path) : path.slice(0, -longest.length - 1);
    sessions.set(directory, (sessions.get(directory) ?? new Set()).add(path));
  }
  return sessions;
}

/** What a client does with the files of a directory when a session begins there. */
interface ReachedDirectory {
  readonly client: { readonly name: string; readonly title: string };
  readonly directory: string;
  readonly root: string;
  readonly pointers: Pointers;
  readonly limitBytes: number | undefined;
  /** Files of the directory itself. */
  readonly own: readonly ReachedFile[];
  /** All files that the client considers. */
  readonly all: readonly string[];
  /** The file that takes the most of the budget. */
  readonly largest: ReachedFile | undefined;
}

interface UnreadFile {
  readonly finding: Finding;
  /** The file to blame. */
  readonly by?: string | undefined;
  /** If a budget is the reason: how large that file is, and what the budget is. */
  readonly lost?: { readonly bytes: number; readonly limit: string };
}

/** The files of a directory of which a client gives its model only a part, or nothing. */
function unreadFiles(reached: ReachedDirectory): UnreadFile[] {
  const { client, directory, root, pointers, limitBytes, own, all, largest } = reached;
  return own.flatMap((file): UnreadFile[] => {
    const { path, status, reason, by, bytesShown, bytesTotal } = file;
    const isNamed = largest !== undefined && largest.path !== path && pointers.names(largest.path, path);
    if (status !== "shadowed" && isNamed) return [];
    const place = { path, about: client.name, concerns: all };
    const limit = limitBytes === undefined ? "" : ` of ${counted(limitBytes, "byte")}`;
    const blamed = { by: largest?.path, lost: { bytes: largest?.bytesTotal ?? 0, limit: limit.replace(/^ of/, "") } };
    const shorten =
      largest === undefined || largest.path === path
        ? "shorten it"
        : `shorten '${largest.path}', whose ${counted(largest.bytesTotal, "byte")} take the most of it`;
    switch (status) {
      case "cut": {
        const message = `${client.title} reads ${bytesShown} of its ${counted(bytesTotal, "byte")}: its budget${limit} ends here`;
        const isLittle = bytesTotal - bytesShown <= LITTLE_BYTES;
        const what = { ...place, message, remedy: shorten, ...(isLittle ? { severity: "note" as const } : {}) };
        return [{ finding: finding("instructions-cut", what), ...blamed }];
      }
      case "left-out": {
        const why = reason === "file-limit" ? "it reads no more files" : `its budget${limit} is spent before`;
        const message = `${client.title} reads none of its ${counted(bytesTotal, "byte")}: ${why}`;
        return [{ finding: finding("instructions-left-out", { ...place, message, remedy: shorten }), ...blamed }];
      }
      case "shadowed": {
        // A duplicate is read under its other name, and a fallback name is meant to be overridden.
        if (by === undefined || reason === "duplicate" || reason === "earlier-name") return [];
        const beside = isInside(directory, by) ? by : join(dirname(path), basename(by));
        if (isMeantHidden(beside, by, path, root) || (beside !== by && pointers.sendOn(by, path))) return [];
        const name = basename(path);
        const isBeside = dirname(by) === dirname(path);
        const message = `'${by}'${isBeside ? "" : ", further up,"} keeps ${client.title} from reading it`;
        const remedy = isBeside
          ? `import it there ('@${name}'), or make one of them a link to the other`
          : `put a '${basename(by)}' beside it that imports it ('@${name}')`;
        const shadow = { ...place, message, remedy: remedy + orInstall(client.name, "it"), ...importFix(by, [path]) };
        return [{ finding: finding("instructions-shadowed", shadow), by }];
      }
      case "loaded":
      case "skipped":
        return [];
    }
  });
}

/** A cut of so little is worth a note. */
const LITTLE_BYTES = 1024;

function largestOf(files: readonly ReachedFile[]): ReachedFile | undefined {
  return files.toSorted((left, right) => right.bytesShown - left.bytesShown || right.bytesTotal - left.bytesTotal)[0];
}

/** Hooks tell what the client does not read by itself. */
function orInstall(client: string, what: string): string {
  return `, or run 'codelia install ${client}', whose hooks tell ${what}`;
}

/** The fix that imports files where one keeps a client from reading them: in that file, or in one like it beside each. */
function importFix(by: string, paths: readonly string[]): Pick<Finding, "fix"> {
  // A user's own file mends nothing for others.
  if (basename(by).includes(".local.")) return {};
  const places = paths
    .map((path) => ({ path: join(dirname(path), basename(by)), line: `@${basename(path)}` }))
    // A link leads to a text with another purpose.
    .filter(({ path }) => (path === by ? !isLinked(path) : !isTaken(path)));
  return places.length === 0 ? {} : { fix: { kind: "import", places } };
}
