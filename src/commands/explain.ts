import { resolve } from "node:path";
import { COMMON_ARGS, textFlag } from "../cli/args.ts";
import type { ClientProfile, TreeFacts } from "../clients/client.ts";
import { CHOICES, chooseProfiles } from "../clients/choose.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { targetsOf } from "../instructions/gather.ts";
import { jsonLine } from "../lib/escape.ts";
import { renderExplanation } from "../report/explanation.ts";
import type { Explanation } from "../report/schema.ts";
import { startDirectory } from "../report/start-directory.ts";
import { toldStates } from "../report/told.ts";
import { visibleSkills } from "../report/visible-skills.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  path: a file or directory, existing or not; without one the working directory
 * @output what each client makes of every instruction file for sessions that begin there, what was told, which skills are
 *         visible
 * @effect with `--html` that file; the ledger is only read
 * @error  usage for an unknown client, unwritable where the page can't be written
 */
export const command: Command = {
  meta: {
    name: "explain",
    description: "Show what each client reads of the instruction files for a path, what it does not, and why.",
  },
  args: {
    path: {
      type: "positional",
      required: false,
      description: "a file or directory; sessions are taken to begin in it; default the working directory",
    },
    as: {
      type: "string",
      valueHint: "CLIENTS",
      description: `with commas, of ${CHOICES.join(", ")}; default all of them`,
    },
    html: {
      type: "string",
      valueHint: "FILE",
      description: "write a page of its own instead, with all of the project",
    },
    ...COMMON_ARGS,
  },
  maxOperands: 1,
  run(world, invocation): Outcome | Promise<Outcome> {
    const [path] = invocation.operands;
    if (path === "") return { code: "usage", message: "'' is no path; an unset variable?" };
    if (path === undefined) return inWorkspace(world, invocation, (workspace) => explain(world, workspace, invocation));
    const { flags } = invocation;
    const asked = resolve(world.cwd(), textFlag(flags["cwd"]) ?? "", path);
    const [target] = targetsOf({ cwd: "/" }, [asked]);
    const placed = { ...invocation, flags: { ...flags, cwd: target?.directory ?? asked } };
    return inWorkspace(world, placed, (workspace) => explain(world, workspace, invocation, asked));
  },
};

async function explain(world: World, workspace: Workspace, { flags }: Invocation, asked?: string): Promise<Outcome> {
  const clients = await chooseProfiles(world, workspace, textFlag(flags["as"]));
  if (typeof clients === "string") return { code: "usage", message: clients };
  const facts = diskFacts(world);
  const named = asked === undefined ? textFlag(flags["cwd"]) : undefined;
  const start = startDirectory(workspace.cwd, named, facts);
  const explanation = await gather(world, workspace, clients, { path: asked ?? workspace.cwd, start }, facts);
  const page = textFlag(flags["html"]);
  if (page !== undefined) {
    const { writeExplanationPage } = await import("../report/page.ts");
    return writeExplanationPage(world, workspace, clients, explanation, page);
  }
  world.write(flags["json"] === true ? jsonLine(explanation) : renderExplanation(explanation));
  return "ok";
}

async function gather(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  { path, start }: { path: string; start: string },
  facts: TreeFacts,
): Promise<Explanation> {
  const place = { home: world.home, env: world.env };
  const reaches = clients.map((client) => ({
    title: client.title,
    client: client.name,
    ...client.reach(client.goesByNames ? workspace.cwd : start, place, facts),
  }));
  const { context, told } = await toldStates(world, workspace, path);
  const skills = await visibleSkills(world, { ...workspace, cwd: start }, clients, facts);
  return { path, directory: workspace.cwd, clients: reaches, context, told: [...told], skills };
}
