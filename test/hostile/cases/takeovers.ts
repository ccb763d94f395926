import type { Entry } from "../../support/temp-tree.ts";
import { EVIDENCE, type HostileCase } from "../lib/hostile-case.ts";

// Files by which a directory takes over the programs that start in it. Ours starts in it.

const ESM = `import { writeFileSync } from "node:fs"; writeFileSync("${EVIDENCE}", "");`;
const CJS = `require("node:fs").writeFileSync("${EVIDENCE}", "");`;
const SHELL: Entry = { text: `#!/bin/sh\ntouch "${EVIDENCE}"\n`, mode: 0o755 };
const OUR_VARIABLES =
  "CODELIA_AGENTS_ROOT=/\nCODELIA_SESSION_ID=stolen\nCODELIA_HOME=/\nCODELIA_DISABLE=1\nCODELIA_TRACE=1\nHOME=/\nBUN_OPTIONS=--preload=./evil.ts\nNODE_OPTIONS=--require=./evil.cjs\nLD_PRELOAD=./evil.so\n";

const FILES: readonly (readonly [what: string, files: Readonly<Record<string, Entry>>])[] = [
  ["a .env", { ".env": OUR_VARIABLES, "evil.ts": ESM, "evil.cjs": CJS }],
  ["a .env.local", { ".env.local": OUR_VARIABLES, "evil.ts": ESM }],
  [
    "a .env.production",
    { ".env.production": OUR_VARIABLES, ".env.development": OUR_VARIABLES, ".env.test": OUR_VARIABLES },
  ],
  [
    "a bunfig.toml",
    { "bunfig.toml": 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\nshell = "bun"\n', "evil.ts": ESM },
  ],
  ["a .bunfig.toml", { ".bunfig.toml": 'preload = ["./evil.ts"]\n', "evil.ts": ESM }],
  [
    "a package.json",
    {
      "package.json": `{"type":"commonjs","main":"./evil.ts","imports":{"#*":"./evil.ts"},"exports":"./evil.ts","codelia":{"agents":{"enabled":false}},"scripts":{"preinstall":"touch ${EVIDENCE}"}}`,
      "evil.ts": ESM,
    },
  ],
  ["a package.json that is no JSON", { "package.json": "{" }],
  [
    "a tsconfig.json",
    {
      "tsconfig.json":
        '{"compilerOptions":{"paths":{"*":["./evil.ts"],"node:fs":["./evil.ts"]},"plugins":[{"name":"./evil.ts"}],"jsxImportSource":"./evil.ts"}}',
      "evil.ts": ESM,
    },
  ],
  ["a tsconfig.json that extends itself", { "tsconfig.json": '{"extends":"./tsconfig.json"}' }],
  ["a jsconfig.json", { "jsconfig.json": '{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}', "evil.ts": ESM }],
  ["a deno.json", { "deno.json": '{"imports":{"zod":"./evil.ts"},"tasks":{}}', "evil.ts": ESM }],
  [
    "packages of ours in node_modules",
    Object.fromEntries(
      [
        "c12",
        "citty",
        "consola",
        "confbox",
        "jsonc-parser",
        "smol-toml",
        "tinyglobby",
        "fdir",
        "picomatch",
        "unbash",
        "jiti",
        "giget",
        "yaml",
        "zod",
      ].map((name) => [`node_modules/${name}/index.js`, ESM]),
    ),
  ],
  [
    "programs in node_modules/.bin",
    Object.fromEntries(
      ["git", "sh", "bun", "node", "codelia", "claude", "codex", "cat"].map((name) => [
        `node_modules/.bin/${name}`,
        SHELL,
      ]),
    ),
  ],
  [
    "programs in the directory itself",
    Object.fromEntries(["git", "sh", "bun", "node", "codelia", "claude", "uname"].map((name) => [name, SHELL])),
  ],
  [
    "an .npmrc and a .yarnrc",
    {
      ".npmrc": "node-options=--require=./evil.cjs\nscript-shell=./sh\n",
      ".yarnrc": "yarn-path ./evil.cjs\n",
      "evil.cjs": CJS,
    },
  ],
  [
    "code beside the config",
    {
      ".codelia/config.ts": ESM,
      ".codelia/config.js": ESM,
      ".codelia/config.json.ts": ESM,
      ".codelia/index.ts": ESM,
      "codelia.config.ts": ESM,
      ".codeliarc": "agents.enabled=false\n",
      ".config/codelia.ts": ESM,
    },
  ],
  [
    "git's own hooks and a monitor",
    {
      ".git/config": `[core]\n\tfsmonitor = touch ${EVIDENCE}\n\thooksPath = .\n\tsshCommand = touch ${EVIDENCE}\n\tpager = touch ${EVIDENCE}\n`,
      ".git/hooks/post-checkout": SHELL,
      ".gitattributes": "* filter=evil\n",
    },
  ],
  ["a .git that leads elsewhere", { ".git": "gitdir: ../outside\n" }],
  ["libraries", { "libc.so.6": "x", "evil.so": "x", "libstdc++.so.6": "x", "ld.so.preload": "./evil.so\n" }],
  [
    "scripts of a skill",
    {
      ".agents/skills/good/scripts/run.sh": SHELL,
      ".agents/skills/good/package.json": '{"main":"./evil.js"}',
      ".agents/skills/good/evil.js": CJS,
    },
  ],
  [
    "a client's settings",
    {
      ".claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ${EVIDENCE}"}]}]},"env":{"CODELIA_DISABLE":"1"}}`,
      ".codex/config.toml": `[hooks]\nx = "touch ${EVIDENCE}"\n`,
      ".codex/hooks.json": "{}",
    },
  ],
];

export const TAKEOVER_CASES: readonly HostileCase[] = FILES.flatMap(([what, files]) => [
  takeover(`${what}, in the root`, "repo", files),
  takeover(`${what}, in a directory below it`, "repo/a", files),
]);

function takeover(what: string, cwd: string, files: Readonly<Record<string, Entry>>): HostileCase {
  const entries = Object.fromEntries(Object.entries(files).map(([path, entry]) => [`${cwd}/${path}`, entry]));
  // A '.git' or '.codelia' below the root is a root of its own.
  const isOwnRoot = cwd !== "repo" && Object.keys(files).some((path) => /^\.(?:git|codelia)\b/.test(path));
  return {
    what,
    entries,
    cwd,
    touched: cwd === "repo" ? "a/x.ts" : "x.ts",
    ...(isOwnRoot ? { isWithoutRules: true } : {}),
    expected: {
      "hook claude, tool": { shows: ["/repo/a/AGENTS.md"] },
      "skills load": { exit: isOwnRoot ? 1 : 0 },
      config: { shows: ["agents.enabled = true  (default)"] },
    },
  };
}
