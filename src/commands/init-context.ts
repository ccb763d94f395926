import { COMMON_ARGS, textFlag, usage } from "../cli/args.ts";
import { PROFILE_NAMES } from "../clients/registry.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { gatherBundle, type Bundle } from "../instructions/bundle.ts";
import { instructionFacts } from "../instructions/gather.ts";
import { asTold } from "../instructions/pending.ts";
import { planDelivery, type DueFile } from "../instructions/delivery.ts";
import { renderAgentsUsage, renderLeftOut } from "../instructions/render.ts";
import { warnPassedOver } from "../instructions/tell.ts";
import { knownSkills } from "../ledger/contexts.ts";
import { tellOnce } from "../ledger/tell.ts";
import { jsonLine } from "../lib/escape.ts";
import { anyOf } from "../lib/text.ts";
import { gatherCatalogue, type Catalogue } from "../skills/catalogue.ts";
import { renderSkillsContext } from "../skills/render.ts";
import { withId } from "../skills/skill.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const PARTS = ["agents", "skills"];

/**
 * @effect the ledger: the context begins anew and covers the files printed; with `--as` none
 * @error  usage for an unknown part or client
 */
export const command: Command = {
  meta: {
    name: "init-context",
    description: "Print the instructions and skills that apply in a directory, and begin a context.",
  },
  args: {
    only: { type: "string", valueHint: "PARTS", description: "only these parts, separated by commas: agents, skills" },
    as: {
      type: "string",
      valueHint: "CLIENT",
      description: `print exactly what this client reads here by itself instead: ${anyOf(PROFILE_NAMES)}`,
    },
    ...COMMON_ARGS,
  },
  maxOperands: 0,
  run(world, invocation): Outcome | Promise<Outcome> {
    const client = textFlag(invocation.flags["as"]);
    if (client !== undefined) return tellAs(world, invocation, client);
    const parts = textFlag(invocation.flags["only"])?.split(",") ?? PARTS;
    const unknown = parts.find((part) => !PARTS.includes(part));
    if (unknown !== undefined) {
      return usage(`'--only' can't be '${unknown}'; one of ${PARTS.join(", ")}`);
    }
    return inWorkspace(world, invocation, (workspace) => tellContext(world, workspace, invocation, parts));
  },
};

/** Loads what it needs here, because a context that begins doesn't need it. */
async function tellAs(world: World, invocation: Invocation, client: string): Promise<Outcome> {
  if (invocation.flags["only"] !== undefined) return usage("'--as' and '--only' can't be combined");
  const { printNative } = await import("../report/native-text.ts");
  return inWorkspace(world, invocation, (workspace) => printNative(world, workspace, invocation, client));
}

async function tellContext(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  parts: readonly string[],
): Promise<Outcome> {
  const { agents, skills } = workspace.settings;
  const bundle = parts.includes("agents") && agents.enabled ? await gatherBundle(world, workspace) : undefined;
  const catalogue = parts.includes("skills") && skills.enabled ? await gatherCatalogue(world, workspace) : undefined;
  if (bundle) warnPassedOver(world, bundle.passedOver);
  const facts = instructionFacts(world);
  const told = bundle?.told.map((file) => asTold(file, facts)) ?? [];
  await tellOnce(world, workspace, (session) => {
    const loaded = Object.keys(knownSkills(session, workspace.key.context)).toSorted();
    const context = render(workspace, bundle, catalogue, loaded);
    return {
      text: flags["json"] === true ? renderJson(workspace, bundle, catalogue, context) : context,
      change: { kind: "begin", told },
    };
  });
  return "ok";
}

function render(
  workspace: Workspace,
  bundle: Bundle | undefined,
  catalogue: Catalogue | undefined,
  loaded: readonly string[],
): string {
  const { agents } = workspace.settings;
  const files = (bundle?.parts ?? []).map(({ path, bytes, sizeBytes }): DueFile => {
    return { path, bytes, sizeBytes, due: bytes.length > 0 ? [[0, bytes.length]] : [] };
  });
  const rules = renderAgentsUsage("system-reminder", {
    below: files.length > 0,
    native: false,
    news: agents.resolver.enabled ? "command" : "none",
  });
  const behind = [
    bundle && bundle.leftOut.length > 0 ? renderLeftOut(bundle.leftOut) : "",
    catalogue ? renderSkillsContext(catalogue, loaded) : "",
  ];
  const companions = {
    before: bundle && agents.usage ? rules : "",
    after: () => [behind.filter((text) => text !== "").join("\n")],
  };
  return planDelivery(files, companions, ANY_LENGTH, "read")?.[0]?.text ?? "";
}

/** Whoever calls the command reads all of it. */
const ANY_LENGTH = { count: 1, max: Number.POSITIVE_INFINITY, measure: (text: string) => text.length };

function renderJson(
  workspace: Workspace,
  bundle: Bundle | undefined,
  catalogue: Catalogue | undefined,
  context: string,
): string {
  const files = bundle?.parts.map(({ path, shownBytes, sizeBytes }) => ({ path, shownBytes, sizeBytes })) ?? [];
  const object = {
    cwd: workspace.cwd,
    root: workspace.root.directory,
    files,
    leftOut: bundle?.leftOut ?? [],
    skills: catalogue?.skills.map(withId) ?? [],
    skillsTruncated: catalogue?.truncated ?? false,
    context,
  };
  return jsonLine(object);
}
