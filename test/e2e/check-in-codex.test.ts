import { describe, expect, test } from "bun:test";
import { largeMonorepo } from "../support/large-monorepo.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { CODEX_CONFIG, codexPromptInput } from "./lib/codex.ts";

// What `check --as codex` names in a tree shaped like a large monorepo, against what Codex gives its model there.

const LIMIT = 32_768;
const MARK = "-- end of this file --\n";

describe.skipIf(CODEX.missing !== undefined)("codelia check and Codex", () => {
  test("a session in a directory reads nothing of the file that is left out there, and a part of the one that is cut", async () => {
    const { files, shares } = largeMonorepo(LIMIT);
    // Each file says its own name first and ends with a mark.
    const marked = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        typeof text === "string" && text !== ""
          ? `<${path}>\n${text}`.slice(0, text.length - MARK.length) + MARK
          : text,
      ]),
    );
    using tree = tempTree({ ".git/": { dir: true }, ...marked });
    using home = tempTree({ ".codex/config.toml": CODEX_CONFIG });
    const { stdout } = runCodelia(["check", "--as", "codex", "--json"], { cwd: tree.root, home: home.root });
    // Files for which one other leaves no room are one finding, by the graver of the two rules.
    const found = new Map<string, { readonly rule: string; readonly isMerged: boolean }>(
      JSON.parse(stdout).findings.flatMap(({ path, rule, places }: { path: string; rule: string; places?: string[] }) =>
        (places ?? [path]).map((place) => [place, { rule, isMerged: places !== undefined }]),
      ),
    );
    expect(found.size).toBeGreaterThan(10);
    for (const { path } of shares.filter((_, index) => index % 3 === 0 || found.has(tree.path(shares[index]!.path)))) {
      const cwd = tree.path(path, "..");
      const { agentsMd = "" } = await codexPromptInput({ tree, home, cwd, trust: undefined }, "Go.");
      const own = agentsMd.split(`<${path}>\n`)[1];
      const reads = own === undefined ? "instructions-left-out" : own.includes(MARK) ? undefined : "instructions-cut";
      const { rule, isMerged = false } = found.get(tree.path(path)) ?? {};
      const expected = isMerged && reads !== undefined ? "instructions-left-out" : reads;
      expect([path, rule]).toEqual([path, expected]);
    }
  }, 180_000);
});
