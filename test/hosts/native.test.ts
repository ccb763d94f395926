import { describe, expect, test } from "bun:test";
import type { NativeQuestion } from "../../src/core/hooks/native.ts";
import { host as claude } from "../../src/hosts/claude.ts";
import { host as codex } from "../../src/hosts/codex.ts";

const file = (path: string, sizeBytes = 100) => ({
  path,
  directory: path.slice(0, path.lastIndexOf("/")),
  sizeBytes,
  identity: path,
});
const LADDER = [file("/r/AGENTS.md"), file("/r/p/AGENTS.md"), file("/r/p/q/AGENTS.md")];

function question(more: Partial<NativeQuestion> = {}): NativeQuestion {
  const place = { cwd: "/r/p", root: "/r", home: "/h", env: {} };
  return {
    ...place,
    files: LADDER,
    settings: [],
    speaking: new Set(),
    brought: new Map(),
    marked: new Set(["/r"]),
    ...more,
  };
}

const PLUGIN = "cc-plugin-agents-md@builtin";

describe("what Claude Code loads by itself", () => {
  const starts: [what: string, more: Partial<NativeQuestion>, loaded: string[]][] = [
    ["the working directory's and those above", {}, ["/r/AGENTS.md", "/r/p/AGENTS.md"]],
    ["nothing where a CLAUDE.md speaks above", { speaking: new Set(["/r/CLAUDE.md"]) }, []],
    ["nothing where a CLAUDE.md speaks in it", { speaking: new Set(["/r/p/.claude/CLAUDE.md"]) }, []],
    ["nothing where its plugin is off", { settings: [{ enabledPlugins: { [PLUGIN]: false } }] }, []],
    [
      "them where the nearer settings switch the plugin on again",
      { settings: [{ enabledPlugins: { [PLUGIN]: false } }, undefined, { enabledPlugins: { [PLUGIN]: true } }] },
      ["/r/AGENTS.md", "/r/p/AGENTS.md"],
    ],
    ["nothing where the name is excluded", { settings: [{ claudeMdExcludes: ["x", "**/AGENTS.md"] }] }, []],
    ["nothing that a pattern excludes", { settings: [{ claudeMdExcludes: ["/r/p/**"] }] }, ["/r/AGENTS.md"]],
    ["nothing under a pattern that we can't read", { settings: [{ claudeMdExcludes: ["**/+(A|B).md"] }] }, []],
    [
      "them where the CLAUDE.md that speaks is excluded",
      { speaking: new Set(["/r/CLAUDE.md"]), settings: [{ claudeMdExcludes: ["**/CLAUDE.md"] }] },
      ["/r/AGENTS.md", "/r/p/AGENTS.md"],
    ],
    [
      "the one that a CLAUDE.md above is or imports",
      {
        speaking: new Set(["/r/p/CLAUDE.md"]),
        brought: new Map([["/r/p/CLAUDE.md", [{ path: "/r/p/x.md", identity: "/r/p/AGENTS.md" }]]]),
      },
      ["/r/p/AGENTS.md"],
    ],
    [
      "not what it imports from outside of the working directory",
      {
        speaking: new Set(["/r/CLAUDE.md"]),
        brought: new Map([["/r/CLAUDE.md", [{ path: "/r/AGENTS.md", identity: "/r/AGENTS.md" }]]]),
      },
      [],
    ],
    ["no override", { files: [file("/r/AGENTS.override.md"), file("/r/p/AGENTS.md")] }, ["/r/p/AGENTS.md"]],
  ];
  for (const [what, more, loaded] of starts) {
    test(`at the start: ${what}`, () => expect([...claude.native.atStart(question(more))]).toEqual(loaded));
  }

  test("when a file is read: those below, too; a CLAUDE.md there wins", () => {
    expect([...claude.native.onTouch(question(), "Read")]).toEqual(LADDER.map(({ path }) => path));
    expect([...claude.native.onTouch(question({ speaking: new Set(["/r/p/q/CLAUDE.local.md"]) }), "Read")]).toEqual([
      "/r/AGENTS.md",
      "/r/p/AGENTS.md",
    ]);
  });

  test("a nested CLAUDE.md that is AGENTS.md comes with what reads or writes there", () => {
    const linked = question({
      speaking: new Set(["/r/CLAUDE.md", "/r/p/q/CLAUDE.md"]),
      brought: new Map([["/r/p/q/CLAUDE.md", [{ path: "/r/p/q/CLAUDE.md", identity: "/r/p/q/AGENTS.md" }]]]),
    });
    const came = ["Read", "Edit", "Write", "Bash"].map((tool) => [...claude.native.onTouch(linked, tool)].length);
    expect(came).toEqual([1, 1, 1, 0]);
  });

  test("what its text imports", () => {
    const text = "@a.md and @~/b.md\nnot mail@x.md, `@c.md`\n```\n@d.md\n```\n(@e.md) @with\\ space.md\n";
    expect(claude.native.importsIn?.(text)).toEqual(["a.md", "~/b.md", "with space.md"]);
  });

  test("its settings are where CLAUDE_CONFIG_DIR says", () => {
    const settingsOf = (env: Record<string, string>) =>
      claude.native.settingsOf({ cwd: "/r", root: "/r", home: "/h", env })[0] as string;
    expect([settingsOf({}), settingsOf({ CLAUDE_CONFIG_DIR: "/c" }), settingsOf({ CLAUDE_CONFIG_DIR: "c" })]).toEqual([
      "/h/.claude/settings.json",
      "/c/settings.json",
      "/h/.claude/settings.json",
    ]);
  });

  for (const tool of ["Edit", "Write", "Bash"]) {
    test(`when ${tool} is used: nothing`, () => expect([...claude.native.onTouch(question(), tool)]).toEqual([]));
  }
});

describe("what Codex loads by itself", () => {
  const trusted = { projects: { "/r": { trust_level: "trusted" } } };
  const starts: [what: string, more: Partial<NativeQuestion>, loaded: string[]][] = [
    ["those from its root down", { files: LADDER.slice(0, 2) }, ["/r/AGENTS.md", "/r/p/AGENTS.md"]],
    ["them in a project that nothing is said of", { settings: [] }, ["/r/AGENTS.md", "/r/p/AGENTS.md"]],
    ["nothing in one that is not trusted", { settings: [{ projects: { "/r": { trust_level: "untrusted" } } }] }, []],
    [
      "nothing in a directory that is not, inside one that is",
      { settings: [{ projects: { "/r": { trust_level: "trusted" }, "/r/p": { trust_level: "untrusted" } } }] },
      [],
    ],
    ["only what is below its own root", { marked: new Set(["/r/p"]) }, ["/r/p/AGENTS.md"]],
    ["only the working directory's without a marker", { marked: new Set() }, ["/r/p/AGENTS.md"]],
    ["what fits whole", { files: [file("/r/AGENTS.md", 32_000), file("/r/p/AGENTS.md", 800)] }, ["/r/AGENTS.md"]],
    ["less under a lower limit", { settings: [{ ...trusted, project_doc_max_bytes: 150 }] }, ["/r/AGENTS.md"]],
    ["none of another name", { files: [file("/r/RULES.md"), file("/r/p/AGENTS.md")] }, ["/r/p/AGENTS.md"]],
    [
      "another name that its settings have",
      { files: [file("/r/RULES.md")], settings: [{ ...trusted, project_doc_fallback_filenames: ["RULES.md"] }] },
      ["/r/RULES.md"],
    ],
  ];
  for (const [what, more, loaded] of starts) {
    test(`at the start: ${what}`, () => {
      const files = LADDER.slice(0, 2);
      expect([...codex.native.atStart(question({ files, settings: [trusted], ...more }))]).toEqual(loaded);
    });
  }

  test("what it cuts, or gives no bytes of", () => {
    const long = [file("/r/AGENTS.md", 32_000), file("/r/p/AGENTS.md", 800), file("/r/p/q/AGENTS.md", 5)];
    const { cutAtStart } = codex.native;
    expect([...(cutAtStart?.(question({ files: long })) ?? [])]).toEqual([
      ["/r/p/AGENTS.md", 768],
      ["/r/p/q/AGENTS.md", 0],
    ]);
    expect([...(cutAtStart?.(question({ files: long.slice(0, 1) })) ?? [])]).toEqual([]);
  });

  test("never later", () => expect([...codex.native.onTouch(question(), "Bash")]).toEqual([]));

  test("its settings are where CODEX_HOME says", () => {
    expect(codex.native.settingsOf({ cwd: "/r", root: "/r", home: "/h", env: {} })).toEqual(["/h/.codex/config.toml"]);
    expect(codex.native.settingsOf({ cwd: "/r", root: "/r", home: "/h", env: { CODEX_HOME: "/c" } })).toEqual([
      "/c/config.toml",
    ]);
  });
});
