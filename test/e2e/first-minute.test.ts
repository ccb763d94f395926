import { describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { CODELIA, REPOSITORY, startProgram } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude, runClaudeCommand } from "./lib/claude.ts";
import { read } from "./lib/claude-tools.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { RULED_FILES, told } from "./lib/codelia-scene.ts";
import { runCodex } from "./lib/codex.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { countSeen } from "./lib/seen.ts";

// From a release's archive in an empty home to the first instruction in a real client's request.

const FILES = { ...RULED_FILES, "CLAUDE.md": "Be brief.\n" };
const PROMISED_MS = 60_000;

/** What a user types, one after the other, in a home with nothing but the archive. */
class NewUser implements Disposable {
  readonly home = tempTree({ ".local/bin": { dir: true } });
  readonly env = { HOME: this.home.root, PATH: `${this.home.path(".local/bin")}:/usr/local/bin:/usr/bin:/bin` };
  commands = 0;
  #startedAt = 0;

  /** As a release has it, but compressed less, which takes a second in the place of half a minute. */
  async download(): Promise<void> {
    const pack = ["-I", "gzip -1", "-cf", this.home.path("codelia.tar.gz"), "-C", dirname(CODELIA), "codelia"];
    expect((await startProgram("tar", pack, { cwd: this.home.root, env: this.env })).stderr).toBe("");
    this.#startedAt = performance.now();
  }

  async type(tree: TempTree, program: string, ...args: readonly string[]): Promise<void> {
    this.commands++;
    const { stderr, exitCode } = await startProgram(program, args, { cwd: tree.root, env: this.env });
    expect([stderr, exitCode]).toEqual([program === "tar" ? "" : expect.any(String), 0]);
  }

  expectPromise(): void {
    expect(this.commands).toBeLessThanOrEqual(3);
    expect(performance.now() - this.#startedAt).toBeLessThan(PROMISED_MS);
  }

  [Symbol.dispose](): void {
    this.home[Symbol.dispose]();
  }
}

const UNPACK = ["-xzf", "codelia.tar.gz", "-C", ".local/bin", "codelia"];

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code, which ignores AGENTS.md beside a CLAUDE.md", () => {
  test(
    "has the instructions in its first request after two commands and its own",
    async () => {
      using tree = tempTree(FILES);
      using user = new NewUser();
      await user.download();
      await user.type(user.home, "tar", ...UNPACK);
      await user.type(tree, "codelia", "install", "claude", "--yes");
      user.commands++;
      const script = { main: [{ toolUses: [read(tree.path("app/main.ts"))] }] };
      const run = await runClaude({ tree, home: user.home, prompt: "Go.", env: { PATH: user.env.PATH }, script });
      user.expectPromise();
      expect(countSeen(run, "Rule of the root.")).toEqual([1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "has them with the plugin too, after three commands of the user",
    async () => {
      using tree = tempTree(FILES);
      using user = new NewUser();
      await user.download();
      await user.type(user.home, "tar", ...UNPACK);
      for (const words of [
        ["marketplace", "add", REPOSITORY],
        ["install", "codelia@codelia"],
      ]) {
        user.commands++;
        expect((await runClaudeCommand(["plugin", ...words], user.home, tree.root)).exitCode).toBe(0);
      }
      const run = await runClaude({ tree, home: user.home, prompt: "Go.", env: { PATH: user.env.PATH } });
      user.expectPromise();
      expect(countSeen(run, "Rule of the root.")).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("Codex, which reads the root's AGENTS.md by itself", () => {
  test(
    "is told of the nested one after two commands and its own",
    async () => {
      using tree = tempTree(FILES);
      using user = new NewUser();
      await user.download();
      await user.type(user.home, "tar", ...UNPACK);
      await user.type(tree, "codelia", "install", "codex", "--yes");
      user.commands++;
      const prompt = `Look at @app/main.ts.`;
      const run = await runCodex({ tree, home: user.home, prompt, env: { PATH: user.env.PATH } });
      user.expectPromise();
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );
});
