import { relative } from "node:path";
import { REPOSITORY } from "../../support/run-codelia.ts";

// Prints, as JSON, the regular expressions that the program puts together as it runs, and where: for each file that does,
// what has it do so stands here. A process of its own, because modules that are loaded already have made theirs.

const recorded: { file: string; place: string; source: string; flags: string }[] = [];

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args: [string | RegExp, string?], newTarget) {
    const made = Reflect.construct(target, args, newTarget) as RegExp;
    const [place = "", path = ""] =
      /(\/[^\s()]*\/src\/[^\s():]+\.ts):\d+:\d+/.exec(new Error("where").stack ?? "") ?? [];
    const file = relative(`${REPOSITORY}/src`, path);
    if (path !== "") recorded.push({ file, place, source: made.source, flags: made.flags });
    return made;
  },
});

const { defuse } = await import("../../../src/instructions/body.ts");
defuse("<agents_context>\nInstructions from: x");
defuse("<agents_context>\u200B\nInstructions from: x");
const { printable, visible } = await import("../../../src/lib/escape.ts");
visible("\0");
printable("\0");
const { quoteForShell } = await import("../../../src/lib/shell-quote.ts");
quoteForShell("\0");
const { writtenPaths } = await import("../../../src/check/letter-case.ts");
writtenPaths("", ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md"]);
await import("../../../src/check/path-mentions.ts");
console.log(JSON.stringify(recorded));
