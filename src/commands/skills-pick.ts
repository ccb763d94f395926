import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, textFlag } from "../cli/args.ts";
import { withTerminal, type Terminal } from "../cli/terminal.ts";
import { hasColour } from "../cli/colour.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { configOf, readOffNames, switchSkill } from "../skills/toggle.ts";
import { discoverSkills } from "../skills/discover.ts";
import {
  copiedMessage,
  notToggledMessage,
  openingMessage,
  pageSizeOf,
  renderCopy,
  renderFrame,
  renderLoadCommand,
  renderPicker,
  toggledMessage,
} from "../skills/picker-view.ts";
import {
  brokenSkill,
  openPicker,
  placesOff,
  say,
  selectedSkill,
  setOff,
  setPageSize,
  step,
  type OffPlace,
  type PickerState,
} from "../skills/picker.ts";
import { bySignificance, withId, type Skill } from "../skills/skill.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * Prints the command that loads the chosen skill, or nothing. Runs only if standard input and standard error are
 * terminals.
 *
 * @effect draws on standard error; changes the project's or the user's config when a skill is enabled or disabled
 */
export const command: Command = {
  meta: {
    name: "skills",
    description:
      "Search skills as you type, enable or disable them, and print the command that loads one. Needs a terminal.",
  },
  args: { ...PLACE_ARGS, ...CONTEXT_ARGS, ...OUTPUT_ARGS },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const json = invocation.flags["json"] === true;
      const picked = workspace.settings.skills.enabled ? await pick(world, workspace, invocation) : undefined;
      const skill = picked === "interrupted" ? undefined : picked;
      if (!workspace.settings.skills.enabled) world.warn("skills are off: 'skills.enabled' is false");
      const load = skill && commandOf(skill, workspace, invocation);
      if (json) world.write(jsonLine(skill === undefined ? {} : { skill: withId(skill), command: load }));
      else if (load !== undefined) world.write(`${load}\n`);
      return picked === "interrupted" ? picked : "ok";
    });
  },
};

/** Runs the picker until a skill is chosen or the user quits. */
async function pick(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
): Promise<Skill | "interrupted" | undefined> {
  const { book, errors } = await discoverSkills(world, workspace);
  const colour = hasColour(world.env);
  return withTerminal(world, async (terminal) => {
    let size = terminal.size();
    const message = openingMessage(book.size, errors.length);
    const all = [...bySignificance(book.all()), ...errors.map(brokenSkill)];
    let state = openPicker(all, readOffNames(workspace), pageSizeOf(size.rows), message);
    for (;;) {
      if (!terminal.hasNext()) terminal.write(renderFrame(renderPicker(state, { ...size, colour })));
      const event = await terminal.next();
      if (event.kind === "end") return undefined;
      if (event.kind === "resize") {
        size = terminal.size();
        state = setPageSize(state, pageSizeOf(size.rows));
        continue;
      }
      const stepped = step(state, event.key);
      const skill = selectedSkill(stepped.state);
      state = stepped.state;
      if (stepped.effect === "quit") return undefined;
      if (stepped.effect === "interrupt") return "interrupted";
      if (stepped.effect === undefined || skill === undefined) continue;
      if (stepped.effect === "print") return skill;
      if (stepped.effect === "copy") state = copy(terminal, state, commandOf(skill, workspace, invocation));
      else state = await toggle(world, workspace, state, skill, stepped.effect === "toggle-user" ? "user" : "project");
    }
  });
}

function copy(terminal: Terminal, state: PickerState, load: string): PickerState {
  terminal.write(renderCopy(load));
  return say(state, copiedMessage(load));
}

async function toggle(
  world: World,
  workspace: Workspace,
  state: PickerState,
  { name }: Skill,
  place: OffPlace,
): Promise<PickerState> {
  const isOff = !state.off[place].has(name);
  const edited = await switchSkill(world, workspace, place, name, state.off);
  const { path } = edited;
  if (edited.kind === "failed") return say(state, notToggledMessage(name, isOff, path, edited.reason));
  const other = placesOff(state.off, name).find((where) => where !== place);
  const elsewhere = other && { place: other, path: configOf(workspace, other) };
  return say(setOff(state, place, name, isOff), toggledMessage({ name, place, isOff, path, elsewhere }));
}

/** With the flags that the picker was called with, so that it loads the same skill for the same context. */
function commandOf({ path }: Skill, { cwd, root }: Workspace, { flags }: Invocation): string {
  return renderLoadCommand(path, {
    cwd: flags["cwd"] === undefined ? undefined : cwd,
    root: flags["root"] === undefined ? undefined : root.directory,
    session: textFlag(flags["session"]),
    agent: textFlag(flags["agent"]),
  });
}
