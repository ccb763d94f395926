import { expect, test } from "bun:test";
import type { ListEdit } from "../../src/lib/edit/plan.ts";
import { editConfigList } from "../../src/config/edit.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree } from "../support/temp-tree.ts";

const ALLOW: ListEdit = { path: ["permissions", "allow"], add: { tool: "skill_load", skill_name: "x" } };
const DISABLE: ListEdit = { path: ["skills", "disabled"], add: "x" };
const ENABLE: ListEdit = { path: ["skills", "disabled"], remove: "x" };

const CASES: [does: string, file: string, before: string, edit: ListEdit, after: string][] = [
  [
    "begins an empty file",
    "config.yaml",
    "",
    ALLOW,
    "permissions:\n  allow:\n    - { tool: skill_load, skill_name: x }\n",
  ],
  ["keeps a file's only comment", "config.yml", "# mine", DISABLE, "# mine\nskills:\n  disabled:\n    - x\n"],
  [
    "adds to the end of a list with dashes",
    "config.yaml",
    `# mine
permissions:
    allow:   # what may be
    - tool: skill_load   # first
      skill_name: "a"
    # and now
    - {tool:  skill_load, skill_name: b}   # second
    # the end
    deny: []
skills: {enabled:   true}
`,
    ALLOW,
    `# mine
permissions:
    allow:   # what may be
    - tool: skill_load   # first
      skill_name: "a"
    # and now
    - {tool:  skill_load, skill_name: b}   # second
    - { tool: skill_load, skill_name: x }
    # the end
    deny: []
skills: {enabled:   true}
`,
  ],
  [
    "adds a key to an indented table, by its own indentation",
    "config.yaml",
    "permissions:\n    deny:\n        - tool: skill_load # all\n\n# more\nskills:\n    enabled: true",
    ALLOW,
    "permissions:\n    deny:\n        - tool: skill_load # all\n    allow:\n        - { tool: skill_load, skill_name: x }\n\n# more\nskills:\n    enabled: true",
  ],
  [
    "adds a table after a last line without an end",
    "config.yaml",
    "skills:\n  enabled: true # on",
    ALLOW,
    "skills:\n  enabled: true # on\npermissions:\n  allow:\n    - { tool: skill_load, skill_name: x }",
  ],
  [
    "adds to a list between brackets",
    "config.yaml",
    "skills: { disabled: [ a,  'b' ] } # c\n",
    DISABLE,
    "skills: { disabled: [ a,  'b', x ] } # c\n",
  ],
  [
    "fills an empty list",
    "config.yaml",
    "skills:\n  disabled: [] # none\n",
    DISABLE,
    "skills:\n  disabled: [x] # none\n",
  ],
  ["fills an empty table", "config.yaml", "skills: {}\n", DISABLE, "skills: { disabled: [x] }\n"],
  [
    "adds to brackets over many lines",
    "config.yaml",
    "skills:\n  disabled: [\n    a, # one\n    b, # two\n  ]\n",
    DISABLE,
    "skills:\n  disabled: [\n    a, # one\n    b, # two\n    x,\n  ]\n",
  ],
  [
    "keeps a document's marks",
    "config.yaml",
    "%YAML 1.2\n---\nskills:\n  disabled:\n    - a\n...\n",
    DISABLE,
    "%YAML 1.2\n---\nskills:\n  disabled:\n    - a\n    - x\n...\n",
  ],
  [
    "keeps Windows' line ends and a byte order mark",
    "config.yaml",
    "\uFEFF# mine\r\nskills:\r\n  disabled:\r\n    - a # one\r\n  enabled: true\r\n",
    DISABLE,
    "\uFEFF# mine\r\nskills:\r\n  disabled:\r\n    - a # one\r\n    - x\r\n  enabled: true\r\n",
  ],
  [
    "quotes what would be read as something else",
    "config.yaml",
    "skills: { disabled: [a] }",
    { path: ["skills", "disabled"], add: "yes" },
    'skills: { disabled: [a, "yes"] }',
  ],
  [
    "takes an item out of a list with dashes",
    "config.yaml",
    "skills:\n  disabled:\n    # one\n    - a # a\n    # two\n    - x # why\n    # three\n    - b\n",
    ENABLE,
    "skills:\n  disabled:\n    # one\n    - a # a\n    # two\n    # three\n    - b\n",
  ],
  [
    "takes the only item out of a list with dashes",
    "config.yaml",
    "skills:\n  disabled: # why\n    # slow\n    - x\n  enabled: true\n",
    ENABLE,
    "skills:\n  disabled: [] # why\n    # slow\n  enabled: true\n",
  ],
  [
    "takes out what stands twice",
    "config.yaml",
    "skills: {disabled: [x, a, x]}\n",
    ENABLE,
    "skills: {disabled: [a]}\n",
  ],
  [
    "takes out and adds at once",
    "config.yaml",
    "skills:\n  disabled:\n    - x\n",
    { ...ENABLE, add: "z" },
    "skills:\n  disabled: [z]\n",
  ],
  [
    "takes a rule out",
    "config.yaml",
    "permissions:\n  allow:\n    - tool: skill_load\n      skill_name: x\n    - tool: skill_load\n      skill_name: y",
    { path: ALLOW.path, remove: ALLOW.add },
    "permissions:\n  allow:\n    - tool: skill_load\n      skill_name: y",
  ],
  [
    "adds to JSON as it is indented",
    "config.json",
    '{\n\t"permissions": {\n\t\t"deny": [ {"tool":"skill_load"} ]\n\t},\n\t"skills": {}\n}\n',
    ALLOW,
    '{\n\t"permissions": {\n\t\t"deny": [ {"tool":"skill_load"} ],\n\t\t"allow": [{ "tool": "skill_load", "skill_name": "x" }]\n\t},\n\t"skills": {}\n}\n',
  ],
  [
    "adds to JSON in one line",
    "config.json",
    '{"skills":{"disabled":["a"]}}',
    DISABLE,
    '{"skills":{"disabled":["a", "x"]}}',
  ],
  ["fills empty JSON", "config.json", "{}", DISABLE, '{ "skills": { "disabled": ["x"] } }'],
  ["fills empty JSON over two lines", "config.json", "{\n}\n", DISABLE, '{\n  "skills": { "disabled": ["x"] }\n}\n'],
  [
    "keeps comments in JSON, and a last comma",
    "config.jsonc",
    '// mine\r\n{\r\n    "skills": {\r\n        "disabled": [\r\n            "a", // one\r\n            "b", /* two */ // 2\r\n        ], // end\r\n    },\r\n}\r\n',
    DISABLE,
    '// mine\r\n{\r\n    "skills": {\r\n        "disabled": [\r\n            "a", // one\r\n            "b", /* two */ // 2\r\n            "x",\r\n        ], // end\r\n    },\r\n}\r\n',
  ],
  [
    "puts a comma before the comment",
    "config.jsonc",
    '{"skills": {"disabled": [\n  "a" // one\n  // end\n]}}\n',
    DISABLE,
    '{"skills": {"disabled": [\n  "a", // one\n  "x"\n  // end\n]}}\n',
  ],
  [
    "adds to a list that holds a comment only",
    "config.jsonc",
    '{"skills": {"disabled": [ /* none */ ], "enabled": true}}',
    DISABLE,
    '{"skills": {"disabled": [ /* none */ "x" ], "enabled": true}}',
  ],
  [
    "adds to a list that holds a line of comment only",
    "config.jsonc",
    '{\n  "skills": {\n    "disabled": [\n      // none\n    ]\n  }\n}',
    DISABLE,
    '{\n  "skills": {\n    "disabled": [\n      // none\n      "x"\n    ]\n  }\n}',
  ],
  [
    "takes an item out of JSON with its comma",
    "config.jsonc",
    '{"skills": {"disabled": [\n  "a", // one\n  "x" // two\n]}}',
    ENABLE,
    '{"skills": {"disabled": [\n  "a" // one\n  // two\n]}}',
  ],
  [
    "takes the first item out of JSON",
    "config.json",
    '{"skills": {"disabled": [\n  "x",\n  "a"\n]}}',
    ENABLE,
    '{"skills": {"disabled": [\n  "a"\n]}}',
  ],
  [
    "takes the last item out of JSON in one line",
    "config.json",
    '{"skills":{"disabled":["a","x"]}}',
    ENABLE,
    '{"skills":{"disabled":["a"]}}',
  ],
  [
    "takes the only item out of JSON",
    "config.json",
    '{"skills":{"disabled":["x"]}}',
    ENABLE,
    '{"skills":{"disabled":[]}}',
  ],
  [
    "begins an empty TOML file",
    "config.toml",
    "",
    ALLOW,
    '[[permissions.allow]]\ntool = "skill_load"\nskill_name = "x"\n',
  ],
  [
    "adds a table to the end of TOML",
    "config.toml",
    '# mine\n[[permissions.allow]] # a\ntool = "skill_load"\nskill_name = "a"\n\n[skills] # s\nenabled = true',
    ALLOW,
    '# mine\n[[permissions.allow]] # a\ntool = "skill_load"\nskill_name = "a"\n\n[skills] # s\nenabled = true\n\n[[permissions.allow]]\ntool = "skill_load"\nskill_name = "x"\n',
  ],
  [
    "adds to a list in TOML that is written in brackets",
    "config.toml",
    '[agents]\nignore = ["allow = [", "]"] # allow = []\n[permissions]\nallow = [\n  { tool = "skill_load", skill_name = "a" }, # one\n]\n',
    ALLOW,
    '[agents]\nignore = ["allow = [", "]"] # allow = []\n[permissions]\nallow = [\n  { tool = "skill_load", skill_name = "a" }, # one\n  { tool = "skill_load", skill_name = "x" },\n]\n',
  ],
  [
    "adds a key below its header in TOML",
    "config.toml",
    "[skills] # mine\nenabled = true\n[skills.search]\nmaxLimit = 9\n",
    DISABLE,
    '[skills] # mine\ndisabled = ["x"]\nenabled = true\n[skills.search]\nmaxLimit = 9\n',
  ],
  [
    "adds a header to TOML",
    "config.toml",
    "[agents]\r\nusage = true\r\n",
    DISABLE,
    '[agents]\r\nusage = true\r\n\r\n[skills]\r\ndisabled = ["x"]\r\n',
  ],
  [
    "adds beside dotted keys in TOML",
    "config.toml",
    "skills.enabled = true\n",
    DISABLE,
    'skills.disabled = ["x"]\nskills.enabled = true\n',
  ],
  [
    "takes an item out of TOML",
    "config.toml",
    "[skills]\ndisabled = ['a', 'x'] # two\n",
    ENABLE,
    "[skills]\ndisabled = ['a'] # two\n",
  ],
];
for (const [does, file, before, edit, after] of CASES) {
  test(`editConfigList() ${does} (${file})`, async () => {
    using tree = tempTree({ [`a/${file}`]: before });
    const path = tree.path("a", file);
    const directories = [tree.path("a"), tree.path("b")];
    expect(await editConfigList(fakeWorld(), directories, edit)).toEqual({ kind: "written", path });
    expect(tree.read(`a/${file}`)).toBe(after);
    expect(await editConfigList(fakeWorld(), directories, edit)).toEqual({ kind: "unchanged", path });
  });
}
