import { expect, test } from "bun:test";
import { parseConfig } from "../../src/config/parse.ts";
import { messageWithLine } from "../../src/lib/diagnostic.ts";

const CONFIG = {
  agents: { enabled: false, initial: { maxFiles: 3, keep: "nearest-first" }, ignore: ["vendor"] },
  skills: { enabled: false },
};
const FORMATS: [path: string, text: string][] = [
  ["config.json", JSON.stringify({ $schema: "x", ...CONFIG })],
  ["config.jsonc", `// a comment\n${JSON.stringify({ $schema: "x", ...CONFIG }).replaceAll("}", ",}")}`],
  [
    "config.yaml",
    "$schema: x\nagents:\n  enabled: false\n  initial: {maxFiles: 3, keep: nearest-first}\n  ignore: [vendor]\nskills:\n  enabled: false\n",
  ],
  [
    "config.toml",
    '"$schema" = "x"\n[agents]\nenabled = false\nignore = ["vendor"]\n[agents.initial]\nmaxFiles = 3\nkeep = "nearest-first"\n[skills]\nenabled = false\n',
  ],
];
for (const [path, text] of [...FORMATS, ["config.yml", FORMATS[2]?.[1] ?? ""] as const]) {
  test(`parseConfig() reads ${path}`, async () => {
    expect(await parseConfig(`/r/.codelia/${path}`, text)).toEqual({
      kind: "config",
      config: { $schema: "x", ...CONFIG },
    } as never);
  });
}

const EMPTY: [path: string, text: string][] = [
  ["config.json", "{}"],
  ["config.yaml", ""],
  ["config.yaml", "# nothing yet\n"],
  ["config.toml", ""],
];
for (const [path, text] of EMPTY) {
  test(`parseConfig() takes ${JSON.stringify(text)} in ${path} for no settings`, async () => {
    expect(await parseConfig(path, text)).toEqual({ kind: "config", config: {} });
  });
}

const PROBLEMS: [does: string, path: string, text: string, problems: (string | RegExp)[]][] = [
  [
    "names an unknown key with the nearest",
    "config.json",
    '{"agent": {}}',
    ["line 1: unknown key 'agent', did you mean 'agents'?"],
  ],
  [
    "names an unknown key deeper",
    "config.yaml",
    "agents:\n  initial:\n    maxfiles: 1\n",
    ["line 3: unknown key 'agents.initial.maxfiles', did you mean 'maxFiles'?"],
  ],
  [
    "names what is known when nothing is near",
    "config.toml",
    "[skills.search]\nzzzzzz = 1\n",
    ["unknown key 'skills.search.zzzzzz'; known here: defaultLimit, maxLimit"],
  ],
  [
    "names several",
    "config.json",
    '{"agents": {"enabld": true}, "skils": {}}',
    [
      "line 1: unknown key 'agents.enabld', did you mean 'enabled'?",
      "line 1: unknown key 'skils', did you mean 'skills'?",
    ],
  ],
  [
    "names an unknown key in an item of a list",
    "config.yaml",
    "permissions:\n  deny:\n    - { tool: skill_load, skil_name: x }\n",
    ["line 3: unknown key 'permissions.deny.0.skil_name', did you mean 'skill_name'?"],
  ],
  [
    "names what an item of a list may have",
    "config.toml",
    '[[permissions.confirm]]\ntool = "skill_load"\npattern = "x"\n',
    ["unknown key 'permissions.confirm.0.pattern'; known here: tool, skill_name, scope"],
  ],
  [
    "names a rule without its tool",
    "config.json",
    '{"permissions": {"deny": [{}]}}',
    ["line 1: 'permissions.deny.0.tool' is missing"],
  ],
  [
    "names a rule for a name that no skill has",
    "config.json",
    '{"permissions": {"deny": [{"tool": "skill_load", "skill_name": "Repo_Review"}]}}',
    [/^line 1: 'permissions\.deny\.0\.skill_name' must be a skill's name/],
  ],
  [
    "names a value of the wrong type",
    "config.json",
    '{"agents": {"enabled": 1}}',
    ["line 1: 'agents.enabled' must be true or false, got 1"],
  ],
  [
    "names a limit of 0",
    "config.json",
    '{"agents": {"initial": {"maxFiles": 0}}}',
    ["line 1: 'agents.initial.maxFiles' must be more than 0, got 0"],
  ],
  [
    "names a limit that is no number",
    "config.yaml",
    "agents: {initial: {maxFiles: .nan}}",
    ["line 1: 'agents.initial.maxFiles' must be a number, got NaN"],
  ],
  [
    "names a choice that is none",
    "config.json",
    '{"agents": {"initial": {"keep": "x"}}}',
    [`line 1: 'agents.initial.keep' must be "root-first" or "nearest-first", got "x"`],
  ],
  [
    "names a file name with a directory",
    "config.json",
    '{"agents": {"ignore": ["a/b"]}}',
    [/^line 1: 'agents\.ignore\.0' .*bare file name/],
  ],
  [
    "names a way up",
    "config.json",
    '{"agents": {"additionalFilenames": [".."]}}',
    [/^line 1: 'agents\.additionalFilenames\.0' must/],
  ],
  [
    "refuses c12's own keys",
    "config.json",
    '{"extends": "./x", "$env": {}, "$test": {}, "$meta": {}}',
    [/'\$env'/, /'\$meta'/, /'\$test'/, /'extends'/],
  ],
  [
    "refuses names of every object's properties",
    "config.json",
    '{"constructor": 1, "toString": {}}',
    [/'constructor'/, /'toString'/],
  ],
  [
    "names a table that should be a list",
    "config.json",
    '{"plugins": {}}',
    ["line 1: 'plugins' must be a list, got a table"],
  ],
  [
    "names a list that should be a table",
    "config.json",
    '{"agents": []}',
    ["line 1: 'agents' must be a table, got a list"],
  ],
  [
    "names an empty list",
    "config.json",
    '{"plugins": [{"path": "a.js", "hooks": []}]}',
    ["line 1: 'plugins.0.hooks' must not be empty"],
  ],
  [
    "names half a number",
    "config.json",
    '{"skills": {"suggest": 1.5}}',
    ["line 1: 'skills.suggest' must be a whole number, got 1.5"],
  ],
  [
    "names a long list",
    "config.json",
    JSON.stringify({ agents: { additionalFilenames: Array(17).fill("a.md") } }),
    ["line 1: 'agents.additionalFilenames' must have at most 16 items"],
  ],
  [
    "shortens a long value",
    "config.json",
    `{"agents": {"enabled": "${"x".repeat(100)}"}}`,
    [`line 1: 'agents.enabled' must be true or false, got "${"x".repeat(59)}…`],
  ],
  [
    "names no line in TOML for a value",
    "config.toml",
    "[agents]\nenabled = 1\n",
    ["'agents.enabled' must be true or false, got 1"],
  ],
  ["refuses a list", "config.json", "[]", ["the file must hold a table of settings"]],
  ["refuses a text", "config.yaml", "hello", ["the file must hold a table of settings"]],
  [
    "names the line in JSON",
    "config.json",
    '{\n"agents": }',
    ["line 2: missing value; write one, or remove the comma or colon before it"],
  ],
  ["names the line in YAML", "config.yaml", "agents: {}\nagents: {}\n", [/^line 2: /]],
  ["names the line in TOML", "config.toml", "[agents]\nenabled = \n", [/^line 2: /]],
  ["refuses a key that stands twice in TOML", "config.toml", "[agents]\nusage = true\nusage = false\n", [/^line 3: /]],
  ["refuses deep nesting in TOML", "config.toml", `a = ${"[".repeat(30_000)}${"]".repeat(30_000)}`, [/nested/]],
  ["refuses a long way of keys in TOML", "config.toml", `${"a.".repeat(30_000)}a = 1`, [/nested too deeply/]],
  ["refuses deep nesting in JSON", "config.json", '{"a":'.repeat(10_000), [/nested too deeply/]],
  ["refuses '__proto__' in JSON", "config.json", '{"__proto__": {"agents": {}}}', [/__proto__/]],
  ["refuses '__proto__' in YAML", "config.yaml", "__proto__: {agents: {}}", [/__proto__/]],
  ["refuses '__proto__' in TOML", "config.toml", "[__proto__.agents]\nenabled = false\n", [/__proto__/]],
  [
    "refuses '__proto__' in TOML, escaped",
    "config.toml",
    '["__pro\\u0074o__".agents]\nenabled = false\n',
    [/__proto__/],
  ],
  ["refuses a date for a table", "config.yaml", "%YAML 1.1\n---\nagents: 2001-01-01\n", [/agents/]],
];
for (const [does, path, text, problems] of PROBLEMS) {
  test(`parseConfig() ${does}`, async () => {
    const read = await parseConfig(path, text);
    const found = read.kind === "config" ? read : read.problems.map(messageWithLine).toSorted();
    expect(found).toEqual(
      problems.map((problem) => (typeof problem === "string" ? problem : expect.stringMatching(problem))),
    );
  });
}

const DENY = { tool: "skill_load", skill_name: "deploy" };

/** What is left of a config with mistakes; undefined where a mistake may be about what it forbids. */
const LEFT: [what: string, config: object, left: object | undefined][] = [
  ["an unknown key", { agents: { intial: {}, usage: false } }, { agents: { usage: false } }],
  ["an unknown key at the top", { chek: {}, agents: { usage: false } }, { agents: { usage: false } }],
  [
    "an unknown key deeper",
    { agents: { initial: { maxFile: 1, maxBytes: 2 } } },
    { agents: { initial: { maxBytes: 2 } } },
  ],
  ["a wrong value", { agents: { initial: { maxFiles: 0, maxBytes: 2 } } }, { agents: { initial: { maxBytes: 2 } } }],
  ["a wrong table", { agents: [], permissions: { deny: [DENY] } }, { permissions: { deny: [DENY] } }],
  ["a wrong item of a list", { agents: { ignore: ["a", "a/b"], usage: false } }, { agents: { usage: false } }],
  [
    "an unknown key in a rule",
    { permissions: { deny: [{ ...DENY, reason: "x" }] } },
    { permissions: { deny: [DENY] } },
  ],
  [
    "a mistake in a rule that allows",
    { permissions: { allow: [{ ...DENY, on: 1 }, DENY], deny: [DENY] } },
    { permissions: { deny: [DENY] } },
  ],
  [
    "a plugin of which too much is named",
    { plugins: [{ path: "a.js", command: ["a"], hooks: ["hook:event"] }], agents: {} },
    { agents: {} },
  ],
  ["mistakes of two kinds", { agents: { a: 1, usage: 1 }, plugins: [{ hooks: ["hook:event"] }] }, { agents: {} }],
  ["a misspelt rule that forbids", { permissions: { deny: [{ tool: "skill_load", skil_name: "x" }] } }, undefined],
  ["a wrong rule that forbids", { permissions: { confirm: [{ tool: "skill_load", skill_name: "X" }] } }, undefined],
  ["misspelt rules that forbid", { permissions: { dney: [DENY] } }, undefined],
  ["misspelt permissions", { permision: { deny: [DENY] } }, undefined],
  ["rules under another name", { permissions: { block: [DENY] } }, undefined],
  ["rules in another table", { skills: { permissions: { deny: [DENY] } } }, undefined],
  ["rules without their table", { deny: [DENY], agents: {} }, undefined],
  ["rules in a table of its own", { policy: [{ "denied-skills": ["deploy"] }] }, undefined],
  ["names to disable in another table", { agents: { disabled: ["deploy"] } }, undefined],
  ["permissions that are none", { permissions: [DENY] }, undefined],
  ["names to disable that are none", { skills: { disabled: "deploy" } }, undefined],
  ["skills that are neither on nor off", { skills: { enabled: "no" } }, undefined],
];
for (const [what, config, left] of LEFT) {
  test(`parseConfig() leaves ${left === undefined ? "nothing" : "the rest"} of a file with ${what}`, async () => {
    const read = await parseConfig("config.json", JSON.stringify(config));
    expect(read.kind === "partly" ? read.config : read.kind === "unusable" ? undefined : read).toEqual(left as never);
  });
}

test("parseConfig() says what is wrong, and does not throw, when nesting is hidden from its check", async () => {
  const text = `// ${"}".repeat(20_000)}\n${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  expect(await parseConfig("config.json", text)).toMatchObject({ kind: "unusable" });
});
