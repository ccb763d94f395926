import { relative } from "node:path";
import { REPOSITORY } from "../../support/run-codelia.ts";

// Prints, as JSON, the regular expressions that the program puts together as it runs: for each file that does, what has it
// do so stands here. A process of its own, because modules that are loaded already have made theirs.

const recorded: { file: string; source: string; flags: string }[] = [];

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args: [string | RegExp, string?], newTarget) {
    const made = Reflect.construct(target, args, newTarget) as RegExp;
    const [, path = ""] = /(\/[^\s()]*\/src\/[^\s():]+\.ts)/.exec(new Error("where").stack ?? "") ?? [];
    if (path !== "")
      recorded.push({ file: relative(`${REPOSITORY}/src`, path), source: made.source, flags: made.flags });
    return made;
  },
});

const { defuse } = await import("../../../src/render/body.ts");
defuse("<agents_context>\nInstructions from: x");
const { visible } = await import("../../../src/render/escape.ts");
visible("\0");
const { quoteForShell } = await import("../../../src/render/shell-quote.ts");
quoteForShell("\0");
const { writtenPaths } = await import("../../../src/core/check/written-paths.ts");
writtenPaths("", ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md"]);
await import("../../../src/core/check/not-now.ts");
console.log(JSON.stringify(recorded));
