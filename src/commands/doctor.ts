import { OUTPUT_ARGS, PLACE_ARGS, TEXT_ARGS, notFound, textFlag, usage, wantsJson } from "../cli/args.ts";
import { unknownClient } from "../clients/choose.ts";
import { clientNamed, clientNames, loadSettings } from "../clients/registry.ts";
import { isInstalled, needsAttention, renderDoctor, type Told } from "../clients/settings/doctor-report.ts";
import { findOwnNamed, ownNamedSentence, ownSkillsSentences } from "../clients/own-names.ts";
import { checkClient } from "../clients/settings/doctor.ts";
import type { ClientSettings } from "../clients/settings/model.ts";
import type { Command, Outcome, Problem } from "../command.ts";
import { gatherBundle } from "../instructions/bundle.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { ownProgram } from "../lib/programs.ts";
import { anyOf } from "../lib/words.ts";
import { gatherCatalogue } from "../skills/catalogue.ts";
import { inWorkspace, isForPeople, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const DEFAULT_CALLS = 10;
const MAX_CALLS = 1000;

/**
 * @effect runs the installed hook in a temporary directory, if it is exactly what we would install
 * @error  not_found for an unknown client; findings if something needs attention
 */
export const command: Command = {
  meta: { name: "doctor", description: "Check that the hooks are installed and work." },
  args: {
    client: {
      type: "positional",
      required: false,
      valueHint: "CLIENT",
      description: `check only this client: ${anyOf(clientNames())}`,
    },
    calls: {
      type: "string",
      valueHint: "N",
      description: "time N calls of the hook; default 10",
    },
    ...TEXT_ARGS,
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  async run(world, invocation) {
    const clients = await chooseClients(invocation.operands[0]);
    if ("code" in clients) return clients;
    const given = textFlag(invocation.flags["calls"]) ?? String(DEFAULT_CALLS);
    const calls = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (!(calls <= MAX_CALLS)) return usage(`'--calls' can't be '${visible(given)}'; a number up to ${MAX_CALLS}`);
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const isJson = wantsJson(invocation.flags);
      const program = ownProgram(world);
      const checkups = clients.map((client) => checkClient(world, workspace, client, { program, calls }));
      const told = await gatherTold(world, workspace);
      const ok = isInstalled(checkups) && !needsAttention(checkups);
      // 'hosts' and 'host' are the former names, kept for scripts.
      const found = checkups.map((checkup) => ({ client: checkup.host, ...checkup }));
      if (isJson) world.write(jsonLine({ clients: found, hosts: found, told, ok }));
      else if (isForPeople(world, invocation)) {
        const { displayOf } = await import("../cli/display.ts");
        const { doctorDisplay } = await import("../clients/settings/doctor-display.ts");
        world.write(doctorDisplay(displayOf(world), renderDoctor(checkups, told)));
      } else world.write(renderDoctor(checkups, told));
      return ok ? "ok" : "findings";
    });
  },
};

async function chooseClients(name: string | undefined): Promise<readonly ClientSettings[] | Problem> {
  const all = await loadSettings();
  if (name === undefined) return all;
  const client = all.find((each) => each.name === clientNamed(name));
  return client === undefined ? notFound(unknownClient(name, clientNames())) : [client];
}

async function gatherTold(world: World, workspace: Workspace): Promise<Told> {
  const { agents, skills } = workspace.settings;
  const bundle = agents.enabled ? await gatherBundle(world, workspace) : { parts: [], leftOut: [] };
  const catalogue = skills.enabled ? await gatherCatalogue(world, workspace, { mayGroup: true }) : undefined;
  const { named = 0, shortened = 0, leftOut: leftOutSkills = 0 } = catalogue?.figures ?? {};
  const own = await findOwnNamed(world, workspace);
  const ownSkills = skills.enabled ? await ownSkillsSentences(world, workspace) : [];
  return {
    cwd: workspace.cwd,
    files: bundle.parts.length,
    bytes: bundle.parts.reduce((sum, part) => sum + part.bytes.length, 0),
    leftOut: bundle.leftOut.length,
    skills: named,
    ...(shortened > 0 && { shortenedSkills: shortened }),
    ...(leftOutSkills > 0 && { leftOutSkills }),
    ...(own === undefined ? {} : { unread: ownNamedSentence(own, workspace) }),
    ...(ownSkills.length > 0 && { ownSkills }),
  };
}
