import { COMMON_ARGS, textFlag, usage } from "../cli/args.ts";
import { measuredText, profileNames } from "../clients/registry.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { gatherBundle, type Bundle } from "../instructions/bundle.ts";
import { instructionFacts } from "../instructions/gather.ts";
import { asTold } from "../instructions/pending.ts";
import { planDelivery, type DueFile } from "../instructions/delivery.ts";
import { renderAgentsUsage, renderLeftOut } from "../instructions/render.ts";
import { warnPassedOver } from "../instructions/tell.ts";
import { keepBeginning, recallBeginning, type Beginning } from "../ledger/beginning.ts";
import { findContext, knownSkills } from "../ledger/contexts.ts";
import { tellOnce } from "../ledger/tell.ts";
import { jsonLine } from "../lib/escape.ts";
import { nameInShell } from "../lib/programs.ts";
import { gatherCatalogue, type Catalogue } from "../skills/catalogue.ts";
import { isTruncated, renderSkillsContext } from "../skills/render.ts";
import { withId } from "../skills/skill.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const PARTS = ["agents", "skills"];

/**
 * @effect the ledger: the context begins anew and covers the files printed; nothing with `--as`, or with `--again` if
 *          the context has begun
 * @error  usage for an unknown part or client, and for flags that contradict each other
 */
export const command: Command = {
  meta: {
    name: "init-context",
    description: "Print the instructions and skills that apply in a directory, and begin a context.",
  },
  args: {
    only: { type: "string", valueHint: "agents,skills", description: "print only these parts" },
    as: {
      type: "string",
      // Only help asks for them.
      get valueHint() {
        return profileNames().join("|");
      },
      get description() {
        return `print exactly what this client reads here by itself instead, as measured on ${measuredText()}`;
      },
    },
    again: { type: "boolean", description: "print what this context began with again, byte for byte" },
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
    const isAgain = invocation.flags["again"] === true;
    if (isAgain && invocation.flags["no-state"] === true) return usage("'--again' and '--no-state' can't be combined");
    return inWorkspace(world, invocation, (workspace) => {
      const isDone = isAgain && tellAgain(world, workspace, invocation, parts);
      return isDone ? "ok" : tellContext(world, workspace, invocation, parts);
    });
  },
};

/** Loaded only here, because beginning a context doesn't need it. */
async function tellAs(world: World, invocation: Invocation, client: string): Promise<Outcome> {
  const other = ["only", "again"].find((flag) => invocation.flags[flag] !== undefined);
  if (other !== undefined) return usage(`'--as' and '--${other}' can't be combined`);
  const { printNative } = await import("../report/native-text.ts");
  return inWorkspace(world, invocation, (workspace) => printNative(world, workspace, invocation, client));
}

/** Prints what the context began with. False if that is not known; the context then begins now. */
function tellAgain(world: World, workspace: Workspace, { flags }: Invocation, parts: readonly string[]): boolean {
  const recalled = recallBeginning(world, workspace, parts);
  if (recalled.kind === "lost") world.warn("what this context began with is not kept, so it begins anew");
  if (recalled.kind !== "kept") return false;
  world.write(flags["json"] === true ? inJson(recalled.answer) : recalled.answer.context);
  return true;
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
  if (bundle) {
    warnPassedOver(world, bundle.passedOver);
    const isProjects = ({ directory }: { directory: string }) => directory !== workspace.userDirectories.global;
    if (!bundle.told.some(isProjects) && bundle.leftOut.length === 0) await warnOfOwnNames(world, workspace);
  }
  const facts = instructionFacts(world, bundle?.texts);
  const given = bundle?.told.map((file) => asTold(file, facts, false, "given")) ?? [];
  const told = [...given, ...(bundle?.named.map((file) => asTold(file, facts, true, "named")) ?? [])];
  let begun: { readonly epoch: number; readonly context: string } | undefined;
  // Decided once more under the lock, usually from the same skills.
  const contexts = new Map<string, string>();
  await tellOnce(world, workspace, (session) => {
    const loaded = Object.keys(knownSkills(session, workspace.key.context)).toSorted();
    const key = loaded.join("\0");
    const context = contexts.get(key) ?? render(world, workspace, bundle, catalogue, loaded);
    contexts.set(key, context);
    begun = { epoch: findContext(session, workspace.key.context).epoch + 1, context };
    const text = flags["json"] === true ? inJson(answerOf(workspace, bundle, catalogue, context)) : context;
    return { text, change: { kind: "begin", told } };
  });
  if (workspace.noState || begun === undefined) return "ok";
  const answer = answerOf(workspace, bundle, catalogue, begun.context);
  keepBeginning(world, workspace, parts, { epoch: begun.epoch, answer });
  if (begun.epoch > 1 && flags["quiet"] !== true && world.isTerminal("stderr")) {
    world.complain("codelia: this context had begun before and now begins anew; '--again' prints the same as before\n");
  }
  return "ok";
}

/** A repository whose instructions have a name that only one client reads gives the others none. */
async function warnOfOwnNames(world: World, workspace: Workspace): Promise<void> {
  const { findOwnNamed, ownNamedSentence } = await import("../clients/own-names.ts");
  const found = await findOwnNamed(world, workspace);
  if (found !== undefined) world.warn(ownNamedSentence(found, workspace));
}

function render(
  world: World,
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
    listed: (bundle?.leftOut.length ?? 0) > 0,
    news: agents.resolver.enabled ? { command: catalogue?.program ?? nameInShell(world, "codelia") } : "none",
  });
  const behind = [
    bundle && bundle.leftOut.length > 0 ? renderLeftOut(bundle.leftOut) : "",
    catalogue ? renderSkillsContext(catalogue, loaded) : "",
  ];
  const companions = {
    before: bundle && agents.usage ? rules : "",
    after: () => [behind.filter((text) => text !== "").join("\n")],
  };
  return planDelivery(files, companions, ANY_LENGTH, "read")?.outputs[0]?.text ?? "";
}

/** A caller of the command reads all of the output. */
const ANY_LENGTH = { count: 1, max: Number.POSITIVE_INFINITY, measure: (text: string) => text.length };

/** What `--json` prints. */
function inJson(answer: Beginning): string {
  return jsonLine({ ...answer, skills: answer.skills.map(withId) });
}

function answerOf(
  workspace: Workspace,
  bundle: Bundle | undefined,
  catalogue: Catalogue | undefined,
  context: string,
): Beginning {
  const files =
    bundle?.parts.map(({ path, bytes, sizeBytes }) => ({ path, shownBytes: bytes.length, sizeBytes })) ?? [];
  return {
    cwd: workspace.cwd,
    root: workspace.root.directory,
    files,
    leftOut: bundle?.leftOut ?? [],
    skills: catalogue?.skills ?? [],
    skillsTruncated: catalogue !== undefined && isTruncated(catalogue),
    context,
  };
}
