import { expect, test } from "bun:test";
import { command as initContext } from "../../src/commands/init-context.ts";
import { command as skillsLoad } from "../../src/commands/skills-load.ts";
import type { Command } from "../../src/command.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

const MARK = "\uFEFF";
const SKILL = `${MARK}---\nname: marked\ndescription: d\n---\nthe skill's text\n`;

const BODIES: [name: string, command: Command, operands: string[], text: string][] = [
  ["init-context", initContext, [], "the instructions' text"],
  ["skills load", skillsLoad, ["marked"], "the skill's text"],
];
for (const [name, command, operands, text] of BODIES) {
  test(`${name} leaves out a file's byte order mark`, async () => {
    using tree = tempTree({
      "r/.git/": dir,
      "r/AGENTS.md": `${MARK}the instructions' text\n`,
      "r/.agents/skills/marked/SKILL.md": SKILL,
    });
    const env = { XDG_STATE_HOME: tree.path("state"), XDG_CACHE_HOME: tree.path("cache") };
    const world = fakeWorld({ cwd: tree.path("r"), home: tree.path("home"), env });
    expect(await command.run(world, { flags: { "no-state": true }, operands })).toBe("ok");
    expect(world.written()).toContain(text);
    expect(world.written()).not.toContain(MARK);
  });
}
