import type { HarnessClient } from "../e2e/lib/harness-client.ts";
import { harnessClient, runHarness } from "../e2e/lib/harness.ts";
import type { ClientRun } from "../e2e/lib/run-with-model.ts";
import type { ModelRequest, ToolUse, Turn } from "../e2e/lib/script.ts";
import { turnsOf } from "../e2e/lib/seen.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import type { Cell, Sighting } from "./record.ts";
import {
  entriesOf,
  LINE_BYTES,
  manySkills,
  numberedLine,
  skillName,
  type Step,
  type Tree,
  type Watch,
} from "./tree.ts";

/** A real client on one tree: what its model was sent, as far as the tree asks. */
export async function playTree(name: string, tree: Tree): Promise<Cell> {
  const { tools, cannotResume, compacts } = harnessClient(name);
  const steps = tree.steps ?? [];
  if (steps.some((step) => "agent" in step) && tools.spawn === undefined)
    return { sightings: [], cannot: "no sub-agents" };
  if (steps.some((step) => "resume" in step) && cannotResume !== undefined)
    return { sightings: [], cannot: cannotResume };
  const skills = tree.count !== undefined && "skills" in tree.count ? manySkills(tree.count.skills) : {};
  using project = tempTree({ ...entriesOf(tree.files), ...skills });
  using home = tempTree(entriesOf(tree.home));
  const cwd = project.path(tree.cwd ?? ".");
  const agents = Object.fromEntries(steps.flatMap((step) => ("agent" in step ? [[step.agent, []]] : [])));
  const parts = partsOf(steps, compacts?.atPrompt === true);
  let requests: readonly ModelRequest[] = [];
  for (const [index, part] of parts.entries()) {
    if (index > 0 && parts[index - 1]?.some((step) => "compact" in step)) compacts?.prepare?.(home);
    const main = part.flatMap((step) => turnsFor(step, harnessClient(name), project));
    const script = { main, agents, summary: SUMMARY };
    const run = await runHarness(name, { tree: project, home, cwd, script, resume: index > 0 });
    check(run);
    const turns = turnsOf(run, tree.inAgent === true ? Object.keys(agents)[0] : "main");
    if (turns.length === 0) throw new Error("the model was asked nothing");
    const last = part.at(-1);
    // What a process has asked that was ended for a resume is not looked at.
    requests = last !== undefined && "resume" in last ? [] : [...requests, ...turns];
    if (last !== undefined && "resume" in last) {
      for (const [path, text] of Object.entries(last.resume)) project.write(path, text);
    }
  }
  const places = [project.root, home.root];
  if (steps.some((step) => "compact" in step)) {
    requests = requests.map((request) => (isCompacted(request) ? request : { ...request, seen: [] }));
    if (!requests.some(isCompacted)) return { sightings: [], cannot: "did not compact" };
  }
  return {
    sightings: tree.watch.map((watch) => sight(watch, requests, project, places)),
    ...(tree.count !== undefined && { counts: countIn(tree.count, requests) }),
  };
}

/** Stands in every request after a compaction. */
const SUMMARY = "What was said so far, in short.";

function isCompacted({ seen }: ModelRequest): boolean {
  return seen.some(({ text }) => text.includes(SUMMARY));
}

/** What is played by one process each: a new one goes on after a resume, for some clients also after a compaction. */
function partsOf(steps: readonly Step[], compactsAtPrompt: boolean): Step[][] {
  const parts: Step[][] = [[]];
  for (const step of steps) {
    parts.at(-1)?.push(step);
    if ("resume" in step || (compactsAtPrompt && "compact" in step)) parts.push([]);
  }
  return parts;
}

function check({ exitCode, stderr, stdout }: ClientRun): void {
  if (exitCode !== 0) throw new Error(`it ended with ${exitCode}: ${stderr.slice(-500)} ${stdout.slice(-500)}`);
}

/** More than any window. */
const MANY_TOKENS = 5_000_000;

function turnsFor(step: Step, { tools, compacts = {} }: HarnessClient, tree: TempTree): Turn[] {
  const say = (...toolUses: ToolUse[]): Turn => ({ toolUses });
  if ("read" in step) return [say(tools.read(tree.path(step.read)))];
  if ("shell" in step) return [say(tools.shell(step.shell))];
  if ("compact" in step) {
    const { tokens: inputTokens = MANY_TOKENS, says, atPrompt = false } = compacts;
    if (atPrompt) return [{ text: "Done.", inputTokens }];
    return [{ toolUses: [tools.shell("true")], inputTokens, ...(says !== undefined && { text: says }) }];
  }
  if ("edit" in step)
    return tools.replace === undefined ? [] : [say(tools.replace(tree.path(step.edit), step.from, step.to))];
  if (!("agent" in step) || tools.spawn === undefined) return [];
  const { wait } = tools;
  const waiting: Turn[] = wait === undefined ? [] : [({ seen }) => ({ toolUses: [wait(seen.at(-1)?.text ?? "")] })];
  return [say(tools.spawn(step.agent)), ...waiting];
}

/** Where the text first stands in what the model is sent; the file's path, if only that does. */
function sight(
  { label, text, path, name }: Watch,
  requests: readonly ModelRequest[],
  tree: TempTree,
  places: readonly string[],
): Sighting {
  const whole = find(text, requests, places);
  if (whole !== undefined) return { label, given: "text", ...whole };
  const named = path === undefined ? undefined : findAgain(tree.path(path), laterThanCalls(requests), places);
  if (named !== undefined) return { label, given: "path", ...named };
  const said = name === undefined ? [] : requests.map((request) => ofTheClient(request, name));
  const listed = name === undefined ? undefined : find(name, said, places);
  return listed === undefined ? { label, given: "no" } : { label, given: "name", ...listed };
}

/** What the client says of a skill of its own accord: a listing of directories, which it may give too, has its name. */
function ofTheClient(request: ModelRequest, name: string): ModelRequest {
  const own = request.seen.filter(({ role }) => role === "system" || role === "developer");
  const seen = own.map(({ role, kind, text }) => ({ role, kind, text: text.replaceAll(`${name}/`, "") }));
  return { ...request, seen };
}

/** Without what the model itself has said. */
function laterThanCalls(requests: readonly ModelRequest[]): readonly ModelRequest[] {
  return requests.map(({ thread, purpose, model, seen }) => {
    return { thread, purpose, model, seen: seen.filter(({ kind }) => kind !== "tool_use") };
  });
}

function find(text: string, requests: readonly ModelRequest[], places: readonly string[]) {
  const inJson = JSON.stringify(text).slice(1, -1);
  for (const [request, { seen, body }] of requests.entries()) {
    const part = seen.find((each) => each.kind !== "tool_use" && each.text.includes(text));
    if (part !== undefined) {
      const times = seen.reduce((sum, each) => sum + each.text.split(text).length - 1, 0);
      return { request, where: `${part.role} ${part.kind}`, times, excerpt: excerpt(part.text, text, places) };
    }
    const said = JSON.stringify(body?.["tools"] ?? []);
    if (said.includes(inJson))
      return { request, where: "a tool's description", times: 1, excerpt: excerpt(said, inJson, places) };
  }
  return undefined;
}

/** A path may stand beside a text that was given at the start: what counts is that it comes, or comes again. */
function findAgain(path: string, requests: readonly ModelRequest[], places: readonly string[]) {
  const count = ({ seen }: ModelRequest) => seen.reduce((sum, { text }) => sum + text.split(path).length - 1, 0);
  const before = requests[0] === undefined ? 0 : count(requests[0]);
  const request = requests.findIndex((each) => count(each) > before);
  const found = request < 0 ? undefined : find(path, requests.slice(request), places);
  return found && { ...found, request };
}

const AROUND = 160;

function excerpt(all: string, text: string, places: readonly string[]): string {
  const named = (words: string) =>
    places.reduce((rest, place, index) => rest.replaceAll(place, index === 0 ? "TREE" : "~"), words);
  const [whole, wanted] = [named(all), named(text)];
  const at = whole.indexOf(wanted);
  return whole.slice(Math.max(0, at - AROUND), at + wanted.length + AROUND / 2);
}

function countIn(count: NonNullable<Tree["count"]>, requests: readonly ModelRequest[]): NonNullable<Cell["counts"]> {
  const [first] = requests;
  const all = `${first?.seen.map(({ text }) => text).join("\n")}${JSON.stringify(first?.body?.["tools"] ?? [])}`;
  if ("skills" in count) {
    const names = Array.from({ length: count.skills }, (_, index) => skillName(index));
    return {
      of: count.skills,
      named: names.filter((name) => all.includes(name)).length,
      whole: names.filter((name) => all.includes(`End of ${name}`)).length,
    };
  }
  const lines = new Set(
    [...all.matchAll(new RegExp(`^.*(${count.numbered} \\d{${LINE_BYTES - count.numbered.length - 3}}\\.)`, "gm"))].map(
      ([, line]) => line,
    ),
  );
  let start = 0;
  while (lines.has(numberedLine(count.numbered, start + 1))) start++;
  return { bytes: lines.size * LINE_BYTES, fromStart: start * LINE_BYTES };
}
