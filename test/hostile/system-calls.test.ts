import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { constants } from "node:fs";
import { join } from "node:path";
import { WORTH_GOING } from "../../src/lib/working-directory.ts";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { COMMANDS } from "./lib/commands.ts";
import { SECRET } from "./lib/hostile-case.ts";
import { makeTracer, type SystemCall } from "./lib/trace.ts";
import { TAKEOVER_CASES } from "./cases/takeovers.ts";

setDefaultTimeout(60_000);

// What the built binary asks of the system in a clone that holds all that could make it ask for more.

const IS_WHOLE = process.env["CODELIA_TEST_ALL"] === "1";
const tracer = makeTracer();
afterAll(() => tracer[Symbol.dispose]());
const SKIPPED = tracer.why === undefined ? "" : ` (skipped: ${tracer.why})`;
const traceTest = test.skipIf(tracer.why !== undefined);

const CLONE: Readonly<Record<string, Entry>> = {
  ...Object.assign({}, ...TAKEOVER_CASES.filter(({ cwd }) => cwd === "repo").map(({ entries }) => entries)),
  ".git": { dir: true },
  "home/": { dir: true },
  "home/.ssh/id_ed25519": `${SECRET}\n`,
  "home/.netrc": `${SECRET}\n`,
  "outside/AGENTS.md": `${SECRET}\n`,
  "repo/CLAUDE.md": "@/etc/passwd @b/AGENTS.md\n",
  "repo/CLAUDE.local.md": { link: "../outside/AGENTS.md" },
  "repo/.claude/rules/r.md": "@/etc/hostname @../../../home/.netrc\n",
  "repo/.claude/rules/out.md": { link: "../../../outside/AGENTS.md" },
  "repo/a/CLAUDE.md": { link: "../../outside/AGENTS.md" },
  "repo/AGENTS.md": "@../home/.netrc\nSee [this](../home/.ssh/id_ed25519).\n",
  "repo/a/AGENTS.md": "Rules of a.\n",
  "repo/a/x.ts": "import './y';\n",
  "repo/b/AGENTS.md": { link: "../../outside/AGENTS.md" },
  "repo/.codelia/config.yaml": "agents: { additionalFilenames: [NOTES.md], fallbackFilenames: [.env] }\n",
  "repo/.codelia/session.json": "garbage",
  "repo/.agents/skills/good/SKILL.md": skillFile("good", "A good thing", "[x](../../../../outside/AGENTS.md)\n"),
  "repo/.agents/skills/good/references/x.md": "x\n",
  "repo/.agents/skills/out": { link: "../../../outside" },
};
delete (CLONE as Record<string, Entry>)["repo/.git"];

/** What may be opened: in a project and its directories, and with the user. Paths from the tree's root. */
const NAMED: readonly RegExp[] = [
  // Instruction files, by the names that are in force; clients' own, to know what they load.
  /^repo\/(?:[ab]\/)?(?:AGENTS\.override|AGENTS|NOTES)\.md$/,
  /^repo\/(?:[ab]\/)?(?:CLAUDE\.md|\.claude\/CLAUDE\.md|CLAUDE\.local\.md)$/,
  /^repo\/\.claude\/(?:rules(?:\/r\.md)?|skills)$/,
  /^(?:repo|home)\/\.claude\/settings(?:\.local)?\.json$/,
  /^home\/\.codex\/config\.toml$/,
  // Skills: their texts, and the directories that are looked through for them, those of a skill too.
  /^(?:repo\/(?:a\/)?|home\/)\.agents\/skills(?:\/good(?:\/references|\/scripts)?)?$/,
  /^(?:repo\/(?:a\/)?|home\/)\.agents\/skills\/(?:(?:good|many-\d+)\/(?:references\/|scripts\/)?)?SKILL\.md$/,
  // Config, ledger, caches.
  /^(?:repo|home)\/\.codelia(?:\/config\.(?:json|jsonc|yaml|yml|toml))?$/,
  /^home\/\.codelia\/AGENTS(?:\.override)?\.md$/,
  /^repo\/\.codelia\/(?:session\.json[\w.]*|sessions(?:\/\w+\.json)?|\.gitignore)$/,
  /^home\/\.(?:local\/state|cache)\/codelia(?:\/[\w./-]+)?$/,
];
/** What a command that a person or a CI job asks for opens besides. */
const ALSO_NAMED: Readonly<Record<string, readonly RegExp[]>> = {
  // All directories of the project, what git leaves out of it, its submodules, the hooks and configs of clients.
  check: [
    /^repo(?:\/(?:a|b|\.(?:git|codex|config|claude|agents)))?$/,
    /^repo\/\.git\/(?:commondir|info\/exclude)$/,
    /^repo\/\.gitmodules$/,
    /^repo\/\.codex\/(?:hooks\.json|config\.toml)$/,
    /^repo\/\.agents\/skills\/good\/references\/x\.md$/,
  ],
  // Pages of a skill, for dead links; the project, where a skill's links may lead.
  "skills check": [/^repo(?:\/\.agents\/skills\/good\/references\/x\.md)?$/],
  // It says how many bytes a client takes in by itself, and a client follows the link.
  explain: [/^outside\/AGENTS\.md$/],
};
/** The only places where anything is made, changed or removed. */
const OWN = /^(?:repo\/\.codelia|home\/\.local\/state\/codelia|home\/\.cache\/codelia)(?:\/|$)/;
/** Directories on the way there. */
const ON_THE_WAY = /^home\/\.(?:local(?:\/state)?|cache)$/;
/** The kernel's own: what this process and those that hold locks are. */
const KERNEL = /^\/(?:proc\/(?:self|\d+|sys)\/|sys\/|dev\/(?:null|urandom)$)/;

const FORBIDDEN = new Set([
  "socket",
  "socketpair",
  "connect",
  "bind",
  "sendto",
  "sendmsg",
  "io_uring_setup",
  // Its flags stand where no argument tells them.
  "openat2",
  "ptrace",
  "bpf",
  "process_vm_writev",
  "mount",
  "chroot",
  "fork",
  "vfork",
]);
/** Where it may go, and the directory it is called from. */
const GOES_TO = /^(?:repo|(?:repo|home)\/\.agents\/skills)$/;
const OPENING = new Set(["open", "openat", "creat"]);
const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants;
const WRITING_FLAGS = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
/** Only says where a path leads: `O_PATH`, the same on every processor. */
const ONLY_NAMES = 0o10000000;
const CLONE_THREAD = 0x10000;

/** What is wrong with the calls of one process, a sentence each. */
function judgeCalls(
  tree: TempTree,
  calls: readonly SystemCall[],
  runtimes: ReadonlySet<string>,
  also: readonly RegExp[] = [],
): string[] {
  const started = calls.filter(({ name }) => name.startsWith("exec"));
  const others = calls.filter(({ name }) => !name.startsWith("exec"));
  const faults = started.slice(1).map(({ paths }) => `starts '${paths[0]}'`);
  if (started[0]?.paths[0] !== CODELIA) faults.push(`began with '${started[0]?.paths[0]}'`);
  return [...faults, ...others.flatMap((call) => judgeCall(tree, call, runtimes, [...NAMED, ...also]) ?? [])];
}

function judgeCall(
  tree: TempTree,
  { name, flags, paths }: SystemCall,
  runtimes: ReadonlySet<string>,
  names: readonly RegExp[],
): string | undefined {
  if (FORBIDDEN.has(name)) return `calls ${name}`;
  if (name === "clone") return (flags & CLONE_THREAD) === 0 ? "starts a process" : undefined;
  if (name === "kill") return flags === 0 ? undefined : `sends signal ${flags}`;
  const isReading = OPENING.has(name) && (flags & WRITING_FLAGS) === 0 && name !== "creat";
  for (const path of paths) {
    const inTree = path.startsWith(`${tree.root}/`) ? path.slice(tree.root.length + 1) : undefined;
    if (name === "chdir") {
      if (inTree === undefined || !GOES_TO.test(inTree)) return `goes to '${path}'`;
    } else if (isReading) {
      if ((flags & ONLY_NAMES) !== 0 || runtimes.has(path) || KERNEL.test(path)) continue;
      if (inTree === undefined || !names.some((named) => named.test(inTree))) return `opens '${path}'`;
    } else if (inTree === undefined || !(OWN.test(inTree) || (name.startsWith("mkdir") && ON_THE_WAY.test(inTree)))) {
      return `${name} changes '${path}'`;
    }
  }
  return undefined;
}

/** What the runtime opens of its own, wherever it starts: what `--version` does in an empty directory. */
function runtimeFiles(): ReadonlySet<string> {
  using empty = tempTree();
  const { calls } = tracer.trace(["--version"], { cwd: empty.root, home: empty.root });
  return new Set(calls.filter(({ name }) => OPENING.has(name)).flatMap(({ paths }) => paths));
}

describe("in a hostile clone", () => {
  for (const command of COMMANDS) {
    // `doctor` times a hook in a temporary directory of its own, where one is installed: it is called by a person.
    if (command.name === "doctor") continue;
    const name = `${command.name} opens only what is named, writes only to its own places, starts nothing, asks nobody`;
    traceTest(`${name}${SKIPPED}`, () => {
      using tree = tempTree(CLONE);
      const runtimes = runtimeFiles();
      const hostile = { what: "", touched: "a/x.ts" };
      for (let call = 0; call < 2; call++) {
        const { calls, exitCode } = tracer.trace(command.args(hostile), {
          cwd: tree.path("repo"),
          home: tree.path("home"),
          stdin: command.stdin?.(tree, hostile) ?? "",
        });
        expect(command.exits).toContain(exitCode);
        expect(calls.map(({ paths }) => paths[0])).toContain(CODELIA);
        expect(judgeCalls(tree, calls, runtimes, ALSO_NAMED[command.name])).toEqual([]);
      }
    });
  }
});

describe("among many skills of a hostile clone", () => {
  const names = Array.from({ length: WORTH_GOING }, (_, index) => `many-${index}`);
  const many = names.map((name) => [`repo/.agents/skills/${name}/SKILL.md`, skillFile(name, "One of many")]);
  for (const args of [["skills", "search", "many"], ["init-context"]]) {
    traceTest(`${args.join(" ")} goes to where they are and comes back${SKIPPED}`, () => {
      using tree = tempTree({ ...CLONE, ...Object.fromEntries(many) });
      const runtimes = runtimeFiles();
      for (let call = 0; call < 2; call++) {
        const { calls } = tracer.trace(args, { cwd: tree.path("repo"), home: tree.path("home") });
        expect(judgeCalls(tree, calls, runtimes)).toEqual([]);
        const gone = calls.filter(({ name }) => name === "chdir").flatMap(({ paths }) => paths);
        expect(gone).toContain(tree.path("repo/.agents/skills"));
        expect(gone.at(-1)).toBe(tree.path("repo"));
      }
    });
  }
});

/** A package that looks for another one as it runs would find it in the clone. */
const EVERY_VERB: readonly (readonly string[])[] = [
  ["--help"],
  ["--version"],
  ["resolve", "--help"],
  ["resolv"],
  ["resolve", "--jsom"],
  ["schema", "config"],
  ["trim", "--max-bytes", "10"],
  ["session", "reset"],
  ["skills"],
  ["skills", "check", "--format", "sarif"],
  ["skills", "load", "good", "--json"],
  ["install", "claude", "--dry-run"],
  ["install", "codex", "--dry-run"],
  ["uninstall", "claude", "--dry-run"],
  ["doctor"],
];

const CONFIGS = ["config.yaml", "config.toml", "config.jsonc"];

for (const [index, args] of EVERY_VERB.entries()) {
  for (const config of IS_WHOLE ? CONFIGS : CONFIGS.slice(index % 3, (index % 3) + 1)) {
    traceTest(
      `'${args.join(" ")}' beside a ${config} looks for no package, starts nothing, asks nobody${SKIPPED}`,
      () => {
        using tree = tempTree({ ...CLONE, "repo/.codelia/config.yaml": "", [`repo/.codelia/${config}`]: "" });
        if (config !== "config.yaml") tree.remove("repo/.codelia/config.yaml");
        const { calls } = tracer.trace(args, {
          cwd: tree.path("repo"),
          home: tree.path("home"),
          stdin: "a long input\n",
        });
        const looked = calls.filter(({ paths }) =>
          paths.some((path) => /node_modules|evil|package\.json$|tsconfig/.test(path)),
        );
        const started = calls.filter(({ name }) => FORBIDDEN.has(name) || name.startsWith("exec"));
        expect([looked, started.length]).toEqual([[], 1]);
      },
    );
  }
}

traceTest(`the tracer sees what a program writes, starts and asks for${SKIPPED}`, () => {
  using tree = tempTree({ "home/": { dir: true }, "repo/": { dir: true } });
  const script = join("a", "made");
  const { calls, exitCode } = tracer.trace([], { cwd: tree.path("repo"), home: tree.path("home") });
  expect(exitCode).toBe(64);
  expect(judgeCalls(tree, calls, runtimeFiles())).toEqual([]);
  const planted: SystemCall[] = [
    { name: "openat", result: 3, flags: 0, paths: [tree.path("home/.netrc")] },
    { name: "openat", result: 3, flags: O_WRONLY | O_CREAT, paths: [tree.path("repo", script)] },
    { name: "chdir", result: 0, flags: 0, paths: [tree.path("home")] },
    { name: "socket", result: 3, flags: 0, paths: [] },
    { name: "execve", result: 0, flags: 0, paths: ["/bin/sh"] },
    { name: "rename", result: 0, flags: 0, paths: [tree.path("repo/.codelia/x"), tree.path("repo/AGENTS.md")] },
  ];
  expect(judgeCalls(tree, [...calls, ...planted], runtimeFiles())).toEqual([
    "starts '/bin/sh'",
    `opens '${tree.path("home/.netrc")}'`,
    `openat changes '${tree.path("repo/a/made")}'`,
    `goes to '${tree.path("home")}'`,
    "calls socket",
    `rename changes '${tree.path("repo/AGENTS.md")}'`,
  ]);
});

/** Where there is one, `strace` is the judge of the tracer. */
const hasStrace = spawnSync("strace", ["-f", "-qqq", "-o", "/dev/null", "true"]).status === 0;
const NO_STRACE = hasStrace ? "" : " (skipped: there is no strace here, or it may not trace)";

test.skipIf(tracer.why !== undefined || !hasStrace)(`the tracer sees each file that strace sees${NO_STRACE}`, () => {
  const names = "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,execve";
  for (const args of [["init-context"], ["resolve", "a/x.ts"], ["skills", "load", "good"]]) {
    using tree = tempTree(CLONE);
    using twin = tempTree(CLONE);
    const { calls } = tracer.trace(args, { cwd: tree.path("repo"), home: tree.path("home") });
    const words = ["-f", "-qqq", "-o", twin.path("record"), "-e", `trace=${names}`, CODELIA, ...args];
    const { exitCode } = runCodelia(words, { cwd: twin.path("repo"), home: twin.path("home"), binary: "strace" });
    expect(exitCode).toBe(0);
    const lines = [...twin.read("record").matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path ?? "");
    const seen = namedIn(twin, lines);
    expect(seen.length).toBeGreaterThan(3);
    expect(
      namedIn(
        tree,
        calls.flatMap(({ paths }) => paths),
      ),
    ).toEqual(seen);
  }
});

/**
 * Paths in the tree and from its root, each once; hashes and nonces left out, and so are the caches: whether a file
 * is remembered depends on how many milliseconds ago it was made, which two calls need not agree on.
 */
function namedIn(tree: TempTree, paths: readonly string[]): string[] {
  const inTree = paths.filter((path) => path.startsWith(`${tree.root}/`)).map((path) => path.slice(tree.root.length));
  const lasting = inTree.filter((path) => !/^\/home\/\.cache(?:\/|$)/.test(path));
  const named = lasting.map((path) => path.replace(/\/+$/, "").replaceAll(/[0-9a-z]{14,}|[0-9]{8}T[0-9]+Z/g, "*"));
  return [...new Set(named)].toSorted();
}
