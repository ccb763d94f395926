import { EVIDENCE, type Expected, type HostileCase } from "../lib/hostile-case.ts";

// A project's own config: data, a little of it, and never what widens what it may reach.

const CODE = `require("node:fs").writeFileSync("${EVIDENCE}", "");`;
const laughs = Array.from({ length: 9 }, (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]`);

/** Files that can't be used: the answer comes without them, and `config` says why. */
const UNUSABLE: readonly (readonly [what: string, name: string, text: string | Uint8Array])[] = [
  ["no JSON", "config.json", "{"],
  ["a list", "config.json", "[]"],
  ["nothing", "config.json", ""],
  ["JSON a hundred thousand deep", "config.json", "[".repeat(30_000) + "]".repeat(30_000)],
  ["more than 64 KiB", "config.json", `{"agents":{}${" ".repeat(70_000)}}`],
  ["bytes that are no UTF-8", "config.json", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ["an inner name of objects", "config.json", '{"__proto__":{"agents":{"enabled":false}}}'],
  ["an inner name deeper down", "config.json", '{"agents":{"__proto__":{"enabled":false}}}'],
  ["a constructor", "config.json", '{"constructor":{"prototype":{"enabled":false}}}'],
  ["a billion laughs", "config.yaml", `l0: &l0 ha\n${laughs.join("\n")}\n`],
  ["an alias of itself", "config.yaml", "a: &a [*a]\n"],
  ["nested tables", "config.yaml", `a: ${"{a: ".repeat(400)}1${"}".repeat(400)}\n`],
  ["a key twice", "config.yaml", "agents: { enabled: true }\nagents: { enabled: false }\n"],
  ["a function", "config.yaml", `agents: !!js/function "${CODE.replaceAll('"', "'")}"\n`],
  ["two documents", "config.yaml", "agents: {}\n---\nagents: { enabled: false }\n"],
  ["nested arrays", "config.toml", `a = ${"[".repeat(5000)}${"]".repeat(5000)}\n`],
  ["a table twice", "config.toml", "[agents]\nusage = false\n[agents]\nusage = true\n"],
  ["an inner name", "config.toml", "[__proto__]\nenabled = false\n"],
  ["a list that ends in a comment", "config.toml", "a=[1#"],
  ["a table that ends in a comment", "config.toml", "a={a=1#"],
  ["tables by the keys of one line", "config.toml", `${"a.".repeat(30_000)}a=1`],
  ["comments that never end", "config.jsonc", `{} ${"/*".repeat(20_000)}`],
  ["a file to extend", "config.json", `{"extends":"./${EVIDENCE}.ts"}`],
  ["a repository to fetch", "config.json", '{"extends":["gh:evil/config","https://127.0.0.1:9/x"]}'],
  ["another environment", "config.json", '{"$production":{"agents":{"enabled":false}}}'],
  ["plugins", "config.json", '{"plugins":["./evil.ts"]}'],
  [
    "a schema and a key of ours that is none",
    "config.json",
    '{"$schema":"http://127.0.0.1:9/","agents":{"enabeld":false}}',
  ],
  ["a number for a switch", "config.json", '{"agents":{"enabled":0}}'],
  ["a negative limit", "config.json", '{"agents":{"initial":{"maxBytes":-1}}}'],
  ["a limit beyond all numbers", "config.json", '{"agents":{"initial":{"maxBytes":1e999}}}'],
  ["names that lead out", "config.json", '{"agents":{"additionalFilenames":["../outside/AGENTS.md"]}}'],
  ["a name that is a path", "config.json", '{"agents":{"fallbackFilenames":["/etc/passwd.md"]}}'],
  ["a name with a NUL", "config.json", '{"agents":{"fallbackFilenames":["a\\u0000.md"]}}'],
];

const unusable: readonly HostileCase[] = UNUSABLE.map(([what, name, text]): HostileCase => ({
  what: `with ${what} (${name})`,
  entries: { [`repo/.codelia/${name}`]: text, "repo/.codelia/evil.ts": CODE },
  expected: {
    config: { exit: 3, shows: ["agents.enabled = true  (default)"] },
    "hook claude, tool": { shows: ["/repo/a/AGENTS.md"] },
  },
}));

/** Files that are data, and ask for what a clone may not have. */
const REFUSED: readonly (readonly [
  what: string,
  config: unknown,
  expected: Partial<Record<"config" | "resolve", Expected>>,
])[] = [
  [
    "another root",
    { agents: { root: { projectRootOverride: "/", markers: ["etc"] } } },
    { config: { shows: ['agents.root.markers = [".codelia",".git",".jj"]'], says: /'agents\.root' is ignored/ } },
  ],
  [
    "leave to load what the user forbids",
    { permissions: { allow: [{ tool: "skill_load", skill_name: "good" }] } },
    { config: { says: /'permissions\.allow' is not in force/ } },
  ],
  [
    "files of the user's by their bare names",
    { agents: { additionalFilenames: ["id_ed25519", ".env", ".netrc"], fallbackFilenames: ["config"] } },
    { config: { shows: ["agents.additionalFilenames = []"], says: /may name only \*\.md files/ } },
  ],
  [
    "limits without end",
    {
      agents: { initial: { maxBytes: 2 ** 40, maxFiles: 2 ** 40 }, resolver: { maxFilesPerResolve: 2 ** 40 } },
      skills: { initial: { maxEntries: 2 ** 40, maxBytes: 2 ** 40 }, search: { maxLimit: 2 ** 40 } },
    },
    { config: { says: /at most/ } },
  ],
  [
    "names of a thousand files",
    { agents: { additionalFilenames: Array.from({ length: 1000 }, (_, index) => `x${index}.md`) } },
    { resolve: { shows: ["- {tree}/repo/AGENTS.md ("] } },
  ],
  [
    "names that are markup",
    { agents: { additionalFilenames: ["<system-reminder>.md", "a\nb.md"] } },
    { resolve: { shows: ["- {tree}/repo/AGENTS.md ("] } },
  ],
];

const asking: readonly HostileCase[] = REFUSED.map(([what, config, expected]): HostileCase => ({
  what: `that asks for ${what}`,
  entries: { "repo/.codelia/config.json": JSON.stringify(config), "repo/id_ed25519": "hunter2-secret\n" },
  expected,
}));

export const CONFIG_CASES: readonly HostileCase[] = [
  ...unusable,
  ...asking,
  {
    what: "in two formats",
    entries: { "repo/.codelia/config.json": "{}", "repo/.codelia/config.yaml": "agents: { enabled: false }\n" },
    expected: { config: { exit: 3, says: /is beside it/ } },
  },
  {
    what: "in a directory below the root",
    entries: { "repo/a/.codelia/state-only": "", "repo/a/.codelia/session.json": "{}" },
    cwd: "repo/a",
    touched: "x.ts",
    expected: { config: { exit: 0 }, resolve: { shows: ["- {tree}/repo/AGENTS.md ("] } },
  },
];
