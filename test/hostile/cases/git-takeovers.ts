import type { Entry, TempTree } from "../../support/temp-tree.ts";

/** Something that the `.git` of a clone, or a file beside it, may hold, and how the commands that ask git end then. */
export interface GitCase {
  readonly what: string;
  /** Lines for the clone's own config; `program` leaves a mark when it is run. */
  readonly config?: (program: string, tree: TempTree) => string;
  /** From the clone's root. */
  readonly entries?: Readonly<Record<string, Entry>>;
  /** From the clone's root: these are gone. */
  readonly without?: readonly string[];
  /** Such a clone is not worked with; else all goes well. */
  readonly isRefused?: true;
  /** `check --changed` is, as it reads what the other doesn't, or the other way round. */
  readonly refuses?: "check" | "run";
}

/** Keys by which git can be had to start a program, or to start one in place of another. */
const PROGRAM_KEYS: readonly (readonly [key: string, config: (program: string) => string])[] = [
  ["core.fsmonitor", (program) => `[core]\n\tfsmonitor = ${program}\n`],
  ["core.hooksPath", () => "[core]\n\thooksPath = ../tools/hooks\n"],
  ["core.pager", (program) => `[core]\n\tpager = ${program}\n[pager]\n\tdiff = ${program}\n\tworktree = ${program}\n`],
  ["core.editor", (program) => `[core]\n\teditor = ${program}\n[sequence]\n\teditor = ${program}\n`],
  ["core.askPass", (program) => `[core]\n\taskPass = ${program}\n[credential]\n\thelper = !${program}\n`],
  ["core.alternateRefsCommand", (program) => `[core]\n\talternateRefsCommand = ${program}\n`],
  ["diff.external", (program) => `[diff]\n\texternal = ${program}\n`],
  ["diff.<driver>.command", (program) => `[diff "evil"]\n\tcommand = ${program}\n\ttextconv = ${program}\n`],
  ["merge.<driver>.driver", (program) => `[merge "evil"]\n\tdriver = ${program}\n`],
  ["filter.<name>.clean", (program) => `[filter "evil"]\n\tclean = ${program}\n`],
  ["filter.<name>.smudge", (program) => `[filter "evil"]\n\tsmudge = ${program}\n`],
  ["filter.<name>.process", (program) => `[filter "evil"]\n\tprocess = ${program}\n\trequired = true\n`],
  [
    "gpg.program",
    (program) => `[gpg]\n\tprogram = ${program}\n[gpg "ssh"]\n\tprogram = ${program}\n[log]\n\tshowSignature = true\n`,
  ],
  ["alias", (program) => `[alias]\n\tdiff = !${program}\n\tworktree = !${program}\n\tunknown = !${program}\n`],
  ["hook.<name>.command", (program) => hooks(program)],
  ["submodule.<name>.update", (program) => `[submodule]\n\trecurse = true\n[submodule "a"]\n\tupdate = !${program}\n`],
  ["uploadpack.packObjectsHook", (program) => `[uploadpack]\n\tpackObjectsHook = ${program}\n`],
  [
    "remote.<name>.uploadpack",
    (program) => `[remote "origin"]\n\turl = ../other\n\tuploadpack = ${program}\n\treceivepack = ${program}\n`,
  ],
];

/** For every event that there may be, as newer versions of git have them in the config. */
function hooks(program: string): string {
  const events = ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"];
  return events.map((event) => `[hook "${event}"]\n\tcommand = ${program}\n\tevent = ${event}\n`).join("");
}

/** Whom git would ask for what is missing. */
const ASKED: readonly (readonly [what: string, config: (program: string) => string])[] = [
  ["a program, by ext::", (program) => `\turl = ext::sh -c ${program}\n`],
  ["ssh", (program) => `\turl = ssh://host/x\n[core]\n\tsshCommand = ${program}\n`],
  ["a proxy", (program) => `\turl = git://host/x\n[core]\n\tgitProxy = ${program}\n`],
  ["a helper for the remote", () => "\turl = x::y\n\tvcs = evil\n"],
  ["a directory, by its own program", (program) => `\turl = ../other\n\tuploadpack = ${program}\n`],
];

/** Without them the files that they are meant for would be checked out wrongly: they need the user's trust. */
const CHECKOUT_KEYS = new Set(["filter.<name>.smudge", "filter.<name>.process"]);

const PROGRAMS: readonly GitCase[] = PROGRAM_KEYS.map(([what, config]) => ({
  what,
  config,
  ...(CHECKOUT_KEYS.has(what) ? { refuses: "run" as const } : {}),
}));

/** All that let the commands do what they are for. */
export const ALL_KEYS: GitCase = {
  what: "all keys at once",
  config: (program) =>
    PROGRAM_KEYS.filter(([key]) => !CHECKOUT_KEYS.has(key))
      .map(([, config]) => config(program))
      .join(""),
};

/** All at once, and where else a config may stand. */
const PLACES: readonly GitCase[] = [
  ALL_KEYS,
  {
    what: "a file that the config includes",
    config: () => '[include]\n\tpath = ../tools/included\n[includeIf "gitdir:**"]\n\tpath = ../tools/included\n',
  },
  {
    what: "a config of the working tree",
    config: () => "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n",
    entries: { ".git/config.worktree": { link: "../tools/included" } },
  },
  { what: "hooks", entries: { ".git/hooks": { link: "../tools/hooks" } } },
  { what: "core.worktree", config: () => "[core]\n\tworktree = /\n" },
  { what: "core.worktree, elsewhere", config: (_, tree) => `[core]\n\tworktree = ${tree.path("home")}\n` },
  { what: "core.bare", config: () => "[core]\n\tbare = true\n", refuses: "run" },
];

const PROMISORS: readonly GitCase[] = ASKED.map(([what, config]) => ({
  what: `objects that are missing, to be asked of ${what}`,
  config: (program) =>
    `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n[remote "evil"]\n\tpromisor = true\n${config(program)}`,
  without: ["{tree of sub}"],
  refuses: "run",
}));

const NAMED_PIPES: readonly (readonly [key: string, config: (pipe: string) => string])[] = [
  ["core.excludesFile", (pipe) => `[core]\n\texcludesFile = ${pipe}\n`],
  ["core.attributesFile", (pipe) => `[core]\n\tattributesFile = ${pipe}\n`],
  ["include.path", (pipe) => `[include]\n\tpath = ${pipe}\n`],
  ["includeIf", (pipe) => `[includeIf "gitdir:**"]\n\tpath = ${pipe}\n`],
  ["diff.orderFile", (pipe) => `[diff]\n\torderFile = ${pipe}\n`],
  ["mailmap.file", (pipe) => `[mailmap]\n\tfile = ${pipe}\n[blame]\n\tignoreRevsFile = ${pipe}\n`],
];

const PIPES_NAMED: readonly GitCase[] = NAMED_PIPES.map(([key, config]) => ({
  what: `a pipe as ${key}`,
  config: (_, tree) => config(tree.path("repo/tools/pipe")),
  entries: { "tools/pipe": { fifo: true } },
}));

/** In the place of git's own files, and of those that it looks for in a tree. */
const PIPES: readonly GitCase[] = [
  ...[
    "config",
    "HEAD",
    "index",
    "packed-refs",
    "shallow",
    "info/exclude",
    "info/attributes",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "refs/heads/main",
    "refs/heads/feature/issue-7",
    "logs/refs/heads/feature/issue-7",
    "worktrees/other/gitdir",
  ].map((path): GitCase => ({
    what: `a pipe in place of .git/${path}`,
    entries: { [`.git/${path}`]: { fifo: true } },
    isRefused: true,
  })),
  {
    what: "a pipe behind a link in .git",
    entries: { ".git/packed-refs": { link: "../tools/pipe" }, "tools/pipe": { fifo: true } },
    isRefused: true,
  },
  { what: "a pipe in place of .gitignore", entries: { ".gitignore": { fifo: true } }, refuses: "check" },
  { what: "a pipe in place of .gitmodules", entries: { ".gitmodules": { fifo: true } }, refuses: "check" },
  {
    what: "a pipe in place of .gitignore further down",
    entries: { "new/.gitignore": { fifo: true }, "new/x": "" },
    refuses: "check",
  },
  { what: "a pipe in place of .gitattributes", entries: { ".gitattributes": { fifo: true } }, refuses: "check" },
  {
    what: "a pipe in place of .gitattributes further down",
    entries: { "sub/.gitattributes": { fifo: true } },
    refuses: "check",
  },
  {
    what: "a .gitattributes that is a link to a pipe",
    entries: { ".gitattributes": { link: "tools/pipe" }, "tools/pipe": { fifo: true } },
    refuses: "check",
  },
];

export const GIT_CASES: readonly GitCase[] = [...PLACES, ...PROMISORS, ...PROGRAMS, ...PIPES_NAMED, ...PIPES];
