import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bundle } from "../../.tools/lib/build.mjs";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { RUNTIMES } from "./runtimes.ts";

const TIMEOUT_MS = 60_000;
const SCRIPT = `import { limitParsing } from ${JSON.stringify(join(REPOSITORY, "src/lib/parse-limit.ts"))};
const processorTime = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const endless = () => { for (;;) { try { for (;;); } catch {} } };
console.log(limitParsing({ processorTime })(endless).kind, limitParsing({ processorTime })(() => "read"));
`;

describe.each(RUNTIMES)("in $name", ({ program, args }) => {
  test.skipIf(program === undefined)(
    "a parser that never returns is interrupted, and the program goes on",
    async () => {
      using tree = tempTree({ "script.ts": SCRIPT });
      await bundle({ entry: tree.path("script.ts"), outfile: tree.path("script.mjs") });
      const { stdout, stderr, exitCode } = runCodelia([...args.slice(0, -1), tree.path("script.mjs")], {
        binary: program ?? "",
        cwd: tree.root,
        home: tree.root,
        timeoutMs: TIMEOUT_MS,
      });
      expect([stdout, stderr, exitCode]).toEqual(["unparsed read\n", "", 0]);
    },
    TIMEOUT_MS,
  );
});
