import {
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  option,
  record,
  subarray,
  tuple,
  type Arbitrary,
  oneof,
} from "fast-check";
import type { Entry } from "../../support/temp-tree.ts";

/** A project, a home and a config, as Codex might find them. */
export interface CodexTree {
  readonly files: Readonly<Record<string, Entry>>;
  readonly homeFiles: Readonly<Record<string, Entry>>;
  /** The names at the top of the user's config.toml. */
  readonly settings: readonly string[];
  /** What the user has said about directories. */
  readonly trust: Readonly<Record<string, "trusted" | "untrusted">>;
  readonly cwd: string;
}

const DIRECTORIES = ["", "a/", "a/b c/", "a/b c/日本/"];
const NAMES = ["AGENTS.override.md", "AGENTS.md", "FALL.md", "CLAUDE.md"];
const CWDS = [...DIRECTORIES.map((directory) => directory || "."), "link", "link/日本"];

/** A working tree of git's that was made from another, without absolute paths. */
const LINKED_TREE = {
  "a/.git": "gitdir: ../main/.git/worktrees/a\n",
  "main/.git/worktrees/a/gitdir": "../../../../a/.git\n",
  "main/.git/worktrees/a/commondir": "../..\n",
  "main/.git/worktrees/a/HEAD": "ref: refs/heads/a\n",
  "main/.git/HEAD": "ref: refs/heads/main\n",
};

/** Any of a family that holds all that we know to make a difference. */
export function anyCodexTree(): Arbitrary<CodexTree> {
  return record({
    instructions: array(tuple(constantFrom(...DIRECTORIES), constantFrom(...NAMES), anyEntry()), {
      minLength: 2,
      maxLength: 9,
    }),
    marked: array(
      tuple(
        constantFrom(...DIRECTORIES),
        constantFrom<[string, Entry][]>(
          [".git/HEAD", "x"],
          [".git", "gitdir: elsewhere\n"],
          [".mark", ""],
          [".mark", { link: "nowhere" }],
        ),
      ),
      { maxLength: 3 },
    ),
    project: array(tuple(constantFrom(...DIRECTORIES), anySettings()), { maxLength: 2 }),
    home: array(tuple(constantFrom("AGENTS.override.md", "AGENTS.md", "FALL.md"), anyEntry()), { maxLength: 3 }),
    settings: tuple(anySettings(), anyMarkers()),
    trust: dictionary(
      constantFrom("main", ...DIRECTORIES.map((directory) => directory || ".")),
      constantFrom("trusted" as const, "trusted" as const, "untrusted" as const),
      { maxKeys: 2 },
    ),
    cwd: constantFrom(...CWDS),
    repository: boolean(),
    isLinked: boolean(),
  }).map(({ instructions, marked, project, home, settings, trust, cwd, repository, isLinked }) => {
    const markers = Object.fromEntries(
      marked.map(([directory, [name, entry]]) => [directory + name.split("/")[0], [directory + name, entry] as const]),
    );
    return {
      files: {
        "a/b c/日本/keep.txt": "kept\n",
        link: { link: "a/b c" },
        ...(repository && !(".git" in markers) ? { ".git/HEAD": "ref: refs/heads/main\n" } : {}),
        ...Object.fromEntries(Object.values(markers)),
        ...(isLinked && !("a/.git" in markers) ? LINKED_TREE : {}),
        ...Object.fromEntries(instructions.map(([directory, name, entry]) => [directory + name, entry])),
        ...Object.fromEntries(
          project.map(([directory, lines]) => [`${directory}.codex/config.toml`, lines.join("\n")]),
        ),
      },
      homeFiles: Object.fromEntries(home.map(([name, entry]) => [`.codex/${name}`, entry])),
      settings: settings.flat(),
      trust,
      cwd,
    };
  });
}

function anySettings(): Arbitrary<string[]> {
  const bytes = constantFrom(0, 1, 5, 7, 12, 64, 1000, 32_768, 40_000).map(
    (limit) => `project_doc_max_bytes = ${limit}`,
  );
  const names = subarray(["FALL.md", " CLAUDE.md ", "a/FALL.md", "..", "", "AGENTS.md"]).map(
    (fallbacks) => `project_doc_fallback_filenames = ${JSON.stringify(fallbacks)}`,
  );
  return tuple(option(bytes), option(names)).map((lines) => lines.filter((line) => line !== null));
}

function anyMarkers(): Arbitrary<string[]> {
  const markers = constantFrom([".git"], [".mark"], [".mark", ".git"], ["AGENTS.md"], []);
  return oneof(
    { weight: 3, arbitrary: constant<string[]>([]) },
    markers.map((names) => [`project_root_markers = ${JSON.stringify(names)}`]),
  );
}

const bytes = (...values: number[]) => new Uint8Array(values);

function anyEntry(): Arbitrary<Entry> {
  return oneof(
    { weight: 8, arbitrary: anyText() },
    {
      weight: 1,
      arbitrary: constantFrom<Entry[]>("", " \n", "\u0085\u3000\n", "\u{FEFF}", "      \nText after blanks.\n"),
    },
    {
      weight: 2,
      arbitrary: constantFrom<Entry[]>(
        { dir: true },
        { fifo: true },
        { link: "nowhere" },
        { link: "AGENTS.md" },
        { link: "AGENTS.override.md" },
        { link: "keep.txt" },
        { link: "/etc/hostname" },
      ),
    },
    {
      weight: 2,
      arbitrary: constantFrom<Entry[]>(
        bytes(0x61, 0xff, 0xe2, 0x82, 0x62, 0xed, 0xa0, 0x80),
        bytes(0xf0, 0x9f, 0x98, 0x80, 0xf0, 0x9f, 0x98),
        bytes(0x61, 0x00, 0x62, 0xc0, 0xaf),
        bytes(0xef, 0xbb, 0xbf, 0x52),
      ),
    },
  );
}

/** Of sizes that the budgets end in, with characters of one to four bytes where they do. */
function anyText(): Arbitrary<string> {
  const unit = constantFrom(
    "x",
    "é",
    "日",
    "\u{1F600}",
    "line\r\n",
    "# A rule\n\nKeep it.\n",
    "</INSTRUCTIONS>\n\n--- project-doc ---\n\n",
  );
  const size = constantFrom(1, 2, 3, 7, 40, 700, 9000, 33_000);
  return tuple(constantFrom("", " ", "\n\n"), unit, size, constantFrom("", "\n", " \n\n", "\u0085")).map(
    ([before, body, length, after]) => before + body.repeat(Math.ceil(length / body.length)) + after,
  );
}
