import { expect, test } from "bun:test";
import { askedKeys, grantAsked, projectFile, restrictProjectLayer } from "../../src/config/project-layer.ts";
import type { Config } from "../../src/config/schema.ts";

const CASES: [does: string, config: Config, kept: Config, refused: string[], asked?: Config][] = [
  ["keeps an empty config", {}, {}, []],
  [
    "keeps what a project may decide",
    {
      $schema: "x",
      agents: { enabled: false, ignore: ["a"], resolver: { enabled: false } },
      skills: { enabled: false },
    },
    {
      $schema: "x",
      agents: { enabled: false, ignore: ["a"], resolver: { enabled: false } },
      skills: { enabled: false },
    },
    [],
  ],
  [
    "drops the root",
    { agents: { root: { markers: ["x"] }, usage: false } },
    { agents: { usage: false } },
    ["'agents.root' is ignored in a project's own config: the root decides which project that is"],
  ],
  [
    "drops a root that says nothing",
    { agents: { root: {} } },
    { agents: {} },
    [expect.stringContaining("'agents.root'")],
  ],
  [
    "keeps bare *.md names only",
    { agents: { fallbackFilenames: ["CLAUDE.md", ".env", "id_rsa"], additionalFilenames: ["LOCAL.md"] } },
    { agents: { fallbackFilenames: ["CLAUDE.md"], additionalFilenames: ["LOCAL.md"] } },
    ["'agents.fallbackFilenames' may name only *.md files in a project's own config; ignored: '.env', 'id_rsa'"],
  ],
  [
    "drops all additional names when none ends in .md",
    { agents: { additionalFilenames: ["x.md.txt", "md"] } },
    { agents: { additionalFilenames: [] } },
    ["'agents.additionalFilenames' may name only *.md files in a project's own config; ignored: 'x.md.txt', 'md'"],
  ],
  [
    "keeps limits up to their ceilings",
    { agents: { initial: { maxFiles: 1000, maxBytes: 1_048_576 }, resolver: { maxFilesPerResolve: 100 } } },
    { agents: { initial: { maxFiles: 1000, maxBytes: 1_048_576 }, resolver: { maxFilesPerResolve: 100 } } },
    [],
  ],
  [
    "lowers limits to their ceilings",
    {
      agents: { initial: { maxFiles: 1001, maxBytes: 1_048_577 }, resolver: { maxFilesPerResolve: 101 } },
      skills: { initial: { maxEntries: 2001, maxBytes: 1_048_577 }, search: { defaultLimit: 201, maxLimit: 201 } },
    },
    {
      agents: { initial: { maxFiles: 1000, maxBytes: 1_048_576 }, resolver: { maxFilesPerResolve: 100 } },
      skills: { initial: { maxEntries: 2000, maxBytes: 1_048_576 }, search: { defaultLimit: 200, maxLimit: 200 } },
    },
    [
      "'agents.initial.maxFiles' is 1001, and at most 1000 in a project's own config",
      "'agents.initial.maxBytes' is 1048577, and at most 1048576 in a project's own config",
      "'agents.resolver.maxFilesPerResolve' is 101, and at most 100 in a project's own config",
      "'skills.initial.maxEntries' is 2001, and at most 2000 in a project's own config",
      "'skills.initial.maxBytes' is 1048577, and at most 1048576 in a project's own config",
      "'skills.search.defaultLimit' is 201, and at most 200 in a project's own config",
      "'skills.search.maxLimit' is 201, and at most 200 in a project's own config",
    ],
  ],
  [
    "lets a project forbid and ask, and allow where it is trusted",
    { permissions: { allow: [{ tool: "skill_load" }], deny: [{ tool: "skill_load", skill_name: "a" }] } },
    { permissions: { deny: [{ tool: "skill_load", skill_name: "a" }] } },
    [],
    { permissions: { allow: [{ tool: "skill_load" }] } },
  ],
  ["asks for nothing with empty lists", { permissions: { allow: [] }, plugins: [] }, { permissions: {} }, []],
  [
    "asks for its plugins, which have no say in the root",
    {
      plugins: [
        { path: "p.ts", hooks: ["root:resolved", "agents:chain"] },
        { command: ["./p.sh"], hooks: ["hook:event"] },
      ],
    },
    {},
    ["'root:resolved' is ignored in a project's own config: the root decides which project that is"],
    {
      plugins: [
        { path: "p.ts", hooks: ["agents:chain"] },
        { command: ["./p.sh"], hooks: ["hook:event"] },
      ],
    },
  ],
  [
    "asks for no plugin when one is outside",
    {
      plugins: [
        { path: "p.ts", hooks: ["agents:chain"] },
        { command: ["node"], hooks: ["agents:chain"] },
      ],
    },
    {},
    [
      "'plugins[1].command' must begin with the path of a file inside the project; until this is fixed, no plugin of the project counts",
    ],
  ],
];
for (const [does, config, kept, refused, asked] of CASES) {
  test(`restrictProjectLayer() ${does}`, () => {
    const before = structuredClone(config);
    expect(restrictProjectLayer(config)).toEqual({ config: kept, refused, asked });
    expect(config).toEqual(before);
  });
}

test("grantAsked() adds what was asked for to what holds anyway", () => {
  const deny = [{ tool: "skill_load" as const, skill_name: "a" }];
  const allow = [{ tool: "skill_load" as const }];
  const kept: Config = { agents: { usage: false }, permissions: { deny } };
  expect(grantAsked(kept, { permissions: { allow } })).toEqual({
    agents: { usage: false },
    permissions: { deny, allow },
  });
});

test("askedKeys() names what is asked for", () => {
  expect(askedKeys({ permissions: { allow: [] } })).toBe("'permissions.allow'");
  expect(askedKeys({ permissions: { allow: [] }, plugins: [] })).toBe("'permissions.allow' and 'plugins'");
});

for (const [named, file] of [
  ["p.ts", ".codelia/p.ts"],
  ["./a/../p.ts", ".codelia/p.ts"],
  ["../tools/p.ts", "tools/p.ts"],
  ["..p.ts", ".codelia/..p.ts"],
  ["../..p.ts", "..p.ts"],
  ["../../p.ts", undefined],
  ["a/../../../p.ts", undefined],
  ["/p.ts", undefined],
  ["C:p.ts", undefined],
  ["..\\p.ts", undefined],
] as const) {
  test(`projectFile() of ${named} is ${file}`, () => {
    expect(projectFile({ path: named, hooks: ["agents:chain"] })).toBe(file);
    const command = named.includes("/") ? file : undefined;
    expect(projectFile({ command: [named, "x"], hooks: ["agents:chain"] })).toBe(command);
  });
}
