import { checkRepository } from "../check/repository.ts";
import { HELP_ARGS, PLACE_ARGS } from "../cli/args.ts";
import { chooseProfiles } from "../clients/choose.ts";
import type { ClientProfile } from "../clients/client.ts";
import { findOwnNamed, ownNamedSentence } from "../clients/own-names.ts";
import { loadSettings } from "../clients/registry.ts";
import { presenceOf } from "../clients/settings/doctor-report.ts";
import { checkClient } from "../clients/settings/doctor.ts";
import type { Command, LoadVerb, Outcome } from "../command.ts";
import { ownProgram } from "../lib/programs.ts";
import { surveyProject } from "../report/explain.ts";
import { overviewOf, renderOverview, type Overview, type Surroundings } from "../report/overview.ts";
import { gatherCatalogue } from "../skills/catalogue.ts";
import { inWorkspace, isForPeople, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** @effect on a terminal what `install` writes, for each client whose hooks are missing, if the user agrees */
export const command: Command = {
  meta: {
    name: "init",
    description: "Show what agents read here and what they miss, and offer to install hooks.",
  },
  args: {
    show: { type: "boolean", description: "only show; offer nothing" },
    ...PLACE_ARGS,
    ...HELP_ARGS,
  },
  maxOperands: 0,
  async run(world, invocation, loadVerb): Promise<Outcome> {
    const seen = await inWorkspace(world, invocation, async (workspace) => {
      const clients = await chooseProfiles(world, workspace, undefined);
      if (typeof clients === "string") return undefined;
      const overview = overviewOf(surveyProject(world, workspace, clients).places);
      return { overview, surroundings: await surroundingsOf(world, workspace, overview, clients) };
    });
    if (seen === undefined) return "internal";
    const text = renderOverview(seen.overview, seen.surroundings);
    if (isForPeople(world, invocation)) {
      const { displayOf, hangingLines } = await import("../cli/display.ts");
      world.write(hangingLines(displayOf(world), text));
    } else world.write(text);
    const isAsked = invocation.flags["show"] !== true && world.isTerminal("stdin") && world.isTerminal("stderr");
    if (!isAsked || loadVerb === undefined) return "ok";
    return offerHooks(world, seen.surroundings, invocation.flags, loadVerb);
  },
};

async function surroundingsOf(
  world: World,
  workspace: Workspace,
  { files }: Overview,
  shown: readonly ClientProfile[],
): Promise<Surroundings> {
  const { root, settings } = workspace;
  // The same clients as 'codelia check' without '--as', which is named as the next step.
  const { findings } = await checkRepository(world, workspace, [root.directory], undefined, true);
  const catalogue = settings.skills.enabled ? await gatherCatalogue(world, workspace, { mayGroup: true }) : undefined;
  const ownNamed = files === 0 ? await findOwnNamed(world, workspace) : undefined;
  const program = ownProgram(world);
  const hooks = (await loadSettings()).map((client) => {
    const checkup = checkClient(world, workspace, client, { program, calls: 0 });
    return { name: client.name, title: client.title, state: presenceOf(checkup) };
  });
  return {
    root: root.directory,
    skills: catalogue?.skills.length ?? 0,
    hooks: hooks.filter(({ name, state }) => shown.some((client) => client.name === name) || state !== "not installed"),
    errors: findings.filter(({ severity }) => severity === "error").length,
    warnings: findings.filter(({ severity }) => severity === "warning").length,
    ownNamed: ownNamed && ownNamedSentence(ownNamed, workspace),
  };
}

/** `install` itself shows each change and asks before writing it. */
async function offerHooks(
  world: World,
  { hooks }: Surroundings,
  flags: Parameters<Command["run"]>[1]["flags"],
  loadVerb: LoadVerb,
): Promise<Outcome> {
  const install = await loadVerb("install");
  for (const { name } of hooks.filter(({ state }) => state === "not installed")) {
    world.complain("\n");
    const outcome = await install?.command.run(world, { flags, operands: [name] });
    const isRefused = typeof outcome === "object" && outcome.code === "denied";
    if (outcome !== undefined && outcome !== "ok" && !isRefused) return outcome;
  }
  return "ok";
}
