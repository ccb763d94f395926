import type { Explanation, ToldState } from "./explanation.ts";
import type { ReachedFile } from "./reach.ts";
import { visible } from "../lib/escape.ts";
import { ladderOf, type LadderFile, type LadderRung } from "./explanation-ladder.ts";
import { count, extentOf, reasonOf } from "./reach-reason.ts";

/** For a person: the ladder with what each client makes of each file, budgets, what was told, skills. */
export function renderExplanation(explanation: Explanation): string {
  const { directory, clients } = explanation;
  const rungs = ladderOf(explanation);
  return [
    `what is read by sessions that begin in ${visible(directory)}\n\n`,
    ...rungs.map((rung, index) => renderRung(rung, rungs.slice(0, index), explanation)),
    rungs.length === 0 ? "no instruction file applies here\n" : "",
    isUnread(rungs) ? "(-: the client reads no file of this name there)\n" : "",
    `\nbudgets:\n${clients.map(renderBudget).join("")}`,
    renderContext(explanation),
    renderSkills(explanation),
  ].join("");
}

function isUnread(rungs: readonly LadderRung[]): boolean {
  return rungs.some(({ files }) => files.some(({ reached }) => reached.includes(undefined)));
}

/** Below the rungs that it is inside of, by its name from the nearest of them. */
function renderRung({ directory, files }: LadderRung, before: readonly LadderRung[], explanation: Explanation): string {
  const above = before.map((rung) => rung.directory).filter((rung) => directory.startsWith(`${rung}/`));
  const name = directory.slice((above.at(-1)?.length ?? -1) + 1);
  const gap = "  ".repeat(above.length);
  const lines = files.flatMap((file) => renderFile(file, directory, explanation));
  return [`${visible(name)}/`, ...lines].map((line) => `${gap}${line}\n`).join("");
}

function renderFile({ path, reached }: LadderFile, directory: string, { clients, told }: Explanation): string[] {
  const name = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
  const width = Math.max(...clients.map(({ client }) => client.length));
  const lines = clients.map(({ client }, index) => {
    const state = client === "raw" ? told.find((one) => one.path === path) : undefined;
    return `${client.padEnd(width)}  ${describe(reached[index])}${state === undefined ? "" : `; ${toldText(state)}`}`;
  });
  if (lines.length === 1) return [`  ${visible(name)}  ${lines[0]}`];
  return [`  ${visible(name)}`, ...lines.map((line) => `    ${line}`)];
}

function describe(file: ReachedFile | undefined): string {
  if (file === undefined) return "-";
  const extent = extentOf(file);
  const reason = reasonOf(file);
  const by = file.by === undefined ? "" : ` (${file.status === "loaded" ? "imported by " : ""}${visible(file.by)})`;
  const status = file.status === "left-out" ? "left out" : file.status;
  return `${status}${extent === "" ? "" : ` ${extent}`}${reason === "" ? "" : `: ${reason}`}${by}`;
}

function toldText({ state, mtimeMs, n }: ToldState): string {
  switch (state) {
    case "pending":
      return "pending: not told yet";
    case "told":
      return `told (mtime: ${mtimeMs}, record ${n})`;
    case "changed":
      return `pending: another version was told (mtime: ${mtimeMs}, record ${n})`;
  }
}

function renderBudget({ client, title, budget, root }: Explanation["clients"][number]): string {
  const from = root === null ? "" : `, from ${visible(root)}`;
  const used = budget === null ? "no limit" : `${count(budget.usedBytes)} of ${count(budget.limitBytes)} bytes`;
  return `  ${client}  ${used}${from}${title.toLowerCase() === client ? "" : ` (${title})`}\n`;
}

function renderContext({ context }: Explanation): string {
  if (context === null) return "";
  const { session, context: name, epoch, updatedAt } = context;
  const when = updatedAt === null ? "told nothing yet" : `last told ${new Date(updatedAt).toISOString()}`;
  return `\ntold by codelia: session ${visible(session)}, context ${visible(name)}, epoch ${epoch}, ${when}\n`;
}

function renderSkills({ skills }: Explanation): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, path, visibleTo }) => {
    return `  ${visible(name)}  visible to ${visibleTo.join(", ") || "none"}  ${visible(path)}\n`;
  });
  return `\nskills:\n${lines.join("")}`;
}
