import { expect, setDefaultTimeout, test } from "bun:test";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { treeEntries, isSameEntry, isStatePath } from "../support/tree-entries.ts";
import { EVIDENCE, SECRET } from "./lib/hostile-case.ts";

setDefaultTimeout(60_000);

// What a host may send to a hook, through a model that a clone's text has turned. It is answered, or it is not; nothing
// is blocked, nothing takes long, and what comes next is told as ever.

const MEGABYTE = 1024 * 1024;
/** Far from for ever; what is over the limit is not read to its end. */
const WITHIN_MS = 5000;

type Fields = Readonly<Record<string, unknown>>;
type Input = (tree: TempTree) => string | Uint8Array;

interface HookCase {
  readonly what: string;
  readonly input: Input;
  /** Told of `a`; else the answer is empty. "either": whichever of the two. */
  readonly told?: true | "either";
  /** In `npm run test:all` only. */
  readonly isHeavy?: true;
}

const raw = (what: string, input: string | Uint8Array, told?: HookCase["told"]): HookCase => ({
  what,
  input: () => input,
  ...(told ? { told } : {}),
});

function event(tree: TempTree, fields: Fields): string {
  const common = { session_id: "s", cwd: tree.path("repo"), transcript_path: null, hook_event_name: "PreToolUse" };
  return JSON.stringify({ ...common, tool_name: "Bash", tool_input: { command: "cat a/x.ts" }, ...fields });
}

function having(what: string, fields: Fields | ((tree: TempTree) => Fields), told?: HookCase["told"]): HookCase {
  const input: Input = (tree) => event(tree, typeof fields === "function" ? fields(tree) : fields);
  return { what, input, ...(told ? { told } : {}) };
}

const command = (text: string): Fields => ({ tool_input: { command: text } });
const whole: Input = (tree) => event(tree, {});

const CASES: readonly HookCase[] = [
  // The bytes.
  { what: "a hundred megabytes in one string", input: () => `{"x":"${"y".repeat(100 * MEGABYTE)}"}`, isHeavy: true },
  {
    what: "a hundred megabytes of blanks before the event",
    input: (tree) => " ".repeat(100 * MEGABYTE) + event(tree, {}),
    isHeavy: true,
  },
  raw("nine megabytes of one byte", new Uint8Array(9 * MEGABYTE)),
  {
    what: "an event of a little under eight megabytes",
    input: (tree) => event(tree, { padding: "y".repeat(7 * MEGABYTE) }),
    told: true,
  },
  {
    what: "an event of a little over eight megabytes",
    input: (tree) => event(tree, { padding: "y".repeat(8 * MEGABYTE) }),
  },
  ...[1, 10, 50, 100].map((cut): HookCase => ({
    what: `an event that ends ${cut} bytes early`,
    input: (tree) => whole(tree).slice(0, -cut),
  })),
  { what: "an event and another one", input: (tree) => event(tree, {}) + event(tree, {}) },
  {
    what: "an event on several lines",
    input: (tree) => JSON.stringify(JSON.parse(event(tree, {})), undefined, 2),
    told: true,
  },
  { what: "an event after a byte order mark", input: (tree) => `\uFEFF${event(tree, {})}`, told: true },
  { what: "an event in UTF-16", input: (tree) => Buffer.from(event(tree, {}), "utf16le") },
  raw("a hundred thousand lists in each other", "[".repeat(100_000) + "]".repeat(100_000)),
  raw("a million lists that don't end", "[".repeat(1_000_000)),
  raw("a hundred thousand tables in each other", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)),
  raw("a number beyond all numbers", "1e999"),
  raw("null", "null"),
  raw("NULs", "\0\0\0"),
  // The fields that say whose event it is.
  {
    what: "an inner name of objects for a field",
    input: (tree) => event(tree, {}).replace("{", '{"__proto__":{"session_id":"x"},'),
    told: true,
  },
  {
    what: "each field twice",
    input: (tree) => `{${event(tree, {}).slice(1, -1)},${event(tree, {}).slice(1)}`,
    told: true,
  },
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "../../../outside/x",
    "/etc/passwd",
    "a\nb\u202E\0",
    ".",
    " ",
    "\uD800",
  ].flatMap((name): HookCase[] => [
    having(`the session ${JSON.stringify(name)}`, { session_id: name }, true),
    having(`the sub-agent ${JSON.stringify(name)}`, { agent_id: name, agent_type: "x" }, true),
    having(`the event ${JSON.stringify(name)}`, { hook_event_name: name }),
    having(`the tool ${JSON.stringify(name)}`, { tool_name: name, tool_input: { file_path: "a/x.ts" } }, "either"),
  ]),
  having("a session of a megabyte", { session_id: "s".repeat(MEGABYTE) }, true),
  having("a session that is a list", { session_id: ["s"] }),
  having("the directory of the file system", { cwd: "/" }, "either"),
  having("a directory with a NUL", { cwd: "/a\0b" }),
  having("a directory of a hundred thousand letters", { cwd: `/${"d".repeat(100_000)}` }),
  having("a directory that is a file", (tree) => ({ cwd: tree.path("repo/a/x.ts") }), "either"),
  having("a directory that is a device", { cwd: "/dev/zero" }),
  having("a directory in the process's own", { cwd: "/proc/self/fd" }, "either"),
  having("a directory outside", (tree) => ({ cwd: tree.path("outside") }), "either"),
  // What a tool touches.
  ...[
    "/etc/passwd",
    "/dev/zero",
    "/proc/self/environ",
    "../outside/AGENTS.md",
    "../home/.ssh/id_ed25519",
    "a\0b",
    "",
    "~root/x",
    "file:///etc/passwd",
    "\\\\server\\share",
  ].map((path) =>
    having(`a tool on ${JSON.stringify(path)}`, { tool_name: "Edit", tool_input: { file_path: path } }, "either"),
  ),
  having("a tool on a list of paths", { tool_name: "Edit", tool_input: { file_path: ["a/x.ts", 7, null] } }, "either"),
  having("a tool without input", { tool_input: null }, "either"),
  // A prompt.
  ...["!", ":", "(@", "(@/", "@)", ' @"', "$a-", "../", "\u3000"].flatMap((part) =>
    ["a", "/a", " @a/x.ts"].map((end) =>
      having(
        `a prompt of ${JSON.stringify(part)} again and again, and ${JSON.stringify(end)}`,
        { hook_event_name: "UserPromptSubmit", prompt: part.repeat(131_072) + end },
        "either",
      ),
    ),
  ),
  having(
    "a hundred thousand paths",
    { tool_name: "Edit", tool_input: { paths: Array.from({ length: 100_000 }, (_, index) => `a/${index}`) } },
    "either",
  ),
  having(
    "a command that would start others",
    command(`touch ${EVIDENCE}; sh -c 'touch ${EVIDENCE}'; :(){ :|:& };:; cat a/x.ts`),
    "either",
  ),
  having("a command of a megabyte", command(`cat ${"a/x.ts ".repeat(150_000)}`), "either"),
  having("a command of a hundred thousand substitutions", command("$(".repeat(100_000)), "either"),
  having("a command of a hundred thousand quotes", command(`'"`.repeat(50_000)), "either"),
  having("a command of a hundred thousand here-documents", command("cat <<a ".repeat(100_000)), "either"),
  having("a command of braces that would be a million words", command(`cat ${"{a,b}".repeat(20)}`), "either"),
  having("a command of fifty thousand functions without a body", command("f() ".repeat(50_000)), "either"),
  having("a command of four thousand here-documents", command(`cat ${"<<a ".repeat(4000)}`), "either"),
  having("a command of sums in a here-document", command(`cat <<E\n${"$((1+".repeat(50_000)}\nE\n`), "either"),
  having(
    "a command of defaults in defaults",
    command(`cat "${"${a:-".repeat(50_000)}${"}".repeat(50_000)}"`),
    "either",
  ),
  having("a command of substitutions in quotes", command(`${'"$('.repeat(50_000)}${')"'.repeat(50_000)}`), "either"),
  having("a command of process substitutions", command(`${"<(".repeat(80_000)}${")".repeat(80_000)}`), "either"),
  having("a command of globs", command(`cat ${"*/".repeat(200)}*`), "either"),
  having("a command that reads what never ends", command("cat /dev/zero < /dev/zero; cat <(yes)"), "either"),
  having(
    "a patch of ten thousand files",
    {
      tool_name: "apply_patch",
      tool_input: {
        command: `*** Begin Patch\n${Array.from({ length: 10_000 }, (_, index) => `*** Add File: a/${index}\n+x\n`).join("")}*** End Patch`,
      },
    },
    "either",
  ),
  having(
    "a patch of files outside",
    {
      tool_name: "apply_patch",
      tool_input: {
        command: "*** Begin Patch\n*** Update File: ../../etc/passwd\n*** Move to: /etc/shadow\n*** End Patch",
      },
    },
    "either",
  ),
  having(
    "a prompt that mentions ten thousand files",
    { hook_event_name: "UserPromptSubmit", prompt: "@a/x.ts @/etc/passwd ".repeat(10_000) },
    "either",
  ),
  having(
    "a prompt of one mention without end",
    { hook_event_name: "UserPromptSubmit", prompt: `@${"a/".repeat(500_000)}` },
    "either",
  ),
];

const IS_WHOLE = process.env["CODELIA_TEST_ALL"] === "1";

for (const { what, input, told, isHeavy = false } of CASES) {
  const skip = isHeavy && !IS_WHOLE;
  test.skipIf(skip)(`hook input: ${what}${skip ? " (skipped: only under npm run test:all)" : ""}`, () => {
    using tree = tempTree({
      "home/.ssh/id_ed25519": `${SECRET}\n`,
      "outside/AGENTS.md": `${SECRET}\n`,
      "repo/.git/": { dir: true },
      "repo/CLAUDE.md": "Be brief.\n",
      "repo/AGENTS.md": "Rules of the root.\n",
      "repo/a/AGENTS.md": "Rules of a.\n",
      "repo/a/x.ts": "",
    });
    const before = treeEntries(tree.root);
    const hook = (host: string, stdin: string | Uint8Array) => {
      const result = runCodelia(["hook", host], {
        cwd: tree.path("repo"),
        home: tree.path("home"),
        stdin,
        timeoutMs: WITHIN_MS,
      });
      expect([result.exitCode, result.stderr]).toEqual([0, ""]);
      expect(result.stdout).not.toContain(SECRET);
      return result.stdout === "" ? "" : (JSON.parse(result.stdout).hookSpecificOutput.additionalContext as string);
    };
    const answers = ["claude", "codex"].map((host) => hook(host, input(tree)));
    if (told === true) expect(answers[0]).toContain(`- ${tree.path("repo/a/AGENTS.md")} (mtime: `);
    if (told === undefined) expect(answers).toEqual(["", ""]);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    for (const answer of answers) expect(answer).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F\u202E]/);
    // Whatever it was, it silences nothing.
    expect(hook("claude", event(tree, { session_id: "next" }))).toContain(tree.path("repo/a/AGENTS.md"));
    const changed = [...treeEntries(tree.root)].filter(([path, stats]) => !isSameEntry(before.get(path), stats));
    expect(changed.map(([path]) => path).filter((path) => !isStatePath(path))).toEqual([]);
  });
}
