import { resolve } from "node:path";
import { COMMON_ARGS, TEXT_ARGS, notFound, textFlag, usage, wantsJson } from "../cli/args.ts";
import { CHOICES, chooseProfiles } from "../clients/choose.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { targetsOf } from "../instructions/gather.ts";
import { jsonLine } from "../lib/escape.ts";
import { explain, startDirectory } from "../report/explain.ts";
import { renderExplanation } from "../report/explanation.ts";
import { inWorkspace, isForPeople, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  path: a file or directory, existing or not
 * @effect with `--html` writes that file; only reads the ledger
 * @error  not_found for an unknown client; usage if the page can't be written
 */
export const command: Command = {
  meta: {
    name: "explain",
    description: "Show which instruction files each client reads for a path, and why not the others.",
  },
  args: {
    path: {
      type: "positional",
      required: false,
      description: "the file or directory where a session would begin; default the working directory",
    },
    as: {
      type: "string",
      valueHint: CHOICES.join(","),
      description: "show only these clients; default those in use here",
    },
    html: {
      type: "string",
      valueHint: "FILE",
      description: "write an HTML page about the whole project to FILE instead",
    },
    ...TEXT_ARGS,
    ...COMMON_ARGS,
  },
  maxOperands: 1,
  run(world, invocation): Outcome | Promise<Outcome> {
    const [path] = invocation.operands;
    if (path === "") return usage("'' is not a path; is a variable unset?");
    if (path === undefined)
      return inWorkspace(world, invocation, (workspace) => printExplanation(world, workspace, invocation));
    const { flags } = invocation;
    const asked = resolve(world.cwd(), textFlag(flags["cwd"]) ?? "", path);
    const [target] = targetsOf({ cwd: "/" }, [asked]);
    const placed = { ...invocation, flags: { ...flags, cwd: target?.directory ?? asked } };
    return inWorkspace(world, placed, (workspace) => printExplanation(world, workspace, invocation, asked));
  },
};

async function printExplanation(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
  asked?: string,
): Promise<Outcome> {
  const { flags } = invocation;
  const clients = await chooseProfiles(world, workspace, textFlag(flags["as"]));
  if (typeof clients === "string") return notFound(clients);
  const facts = diskFacts(world);
  const start = startDirectory(workspace.cwd, asked === undefined ? textFlag(flags["cwd"]) : undefined, facts);
  const page = textFlag(flags["html"]);
  if (page !== undefined) {
    const { writeExplanationPage } = await import("../report/page/explain-page.ts");
    return writeExplanationPage(world, workspace, clients, flags["as"] !== undefined, workspace.cwd, page);
  }
  const explanation = await explain(world, workspace, clients, { path: asked ?? workspace.cwd, start }, facts);
  if (wantsJson(flags)) world.write(jsonLine(explanation));
  else if (isForPeople(world, invocation)) {
    const { displayOf, hangingLines } = await import("../cli/display.ts");
    const display = displayOf(world);
    const text = hangingLines(display, renderExplanation(explanation), (line) => {
      const mark = MARKS.find(([pattern]) => pattern.test(line))?.[1];
      return mark === undefined ? line : display[mark](line);
    });
    world.write(text);
  } else world.write(renderExplanation(explanation));
  return "ok";
}

/** For people: in colour, what each client reads and what it doesn't. */
const MARKS: readonly (readonly [line: RegExp, mark: "bold" | "dim" | "good" | "bad"])[] = [
  [/^\S.*/, "bold"],
  [/^ +(?:\S+ +)?loaded /, "good"],
  [/^ +(?:\S+ +)?(?:cut|left out|shadowed|skipped)(?: |:)/, "bad"],
  [/^ +\S+ +-$|^\(-: /, "dim"],
];
