import { expect, test } from "bun:test";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

// What `codelia audit` makes of single lines of a record, on the built binary.

const ROOT = "/work/shop";
const said = (type: "user" | "assistant", content: unknown) => ({ type, message: { role: type, content } });
const call = (id: string, name: string, input: object) => said("assistant", [{ type: "tool_use", id, name, input }]);
const answer = (id: string, content: string, isError = false) =>
  said("user", [{ type: "tool_result", tool_use_id: id, content, is_error: isError }]);
const edit = (id: string, path: string) => call(id, "Edit", { file_path: `${ROOT}/${path}` });
const showApp = [call("show", "Bash", { command: "cat app/AGENTS.md" }), answer("show", "App.")];

/** Each write that the audit counts: the tool, the path, and what the model had of the file beside it. */
function written(lines: readonly object[], client: "claude" | "codex" = "claude"): [string, string, string][] {
  using tree = tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "AGENTS.md": "Root.\n",
    "app/AGENTS.md": "App.\n",
    "app/a.ts": "1\n",
    "lib/AGENTS.md": "Lib one.\nLib two.\nLib three.\n",
  });
  using home = tempTree();
  const line = (entry: object) => (client === "claude" ? { sessionId: "s", cwd: ROOT, ...entry } : entry);
  tree.write("session.jsonl", lines.map((each) => `${JSON.stringify(line(each))}\n`).join(""));
  const args = ["audit", "session.jsonl", "--cwd", ".", "--json"];
  const { stdout, stderr, exitCode } = runCodelia(args, { cwd: tree.root, home: home.root });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const { contexts } = JSON.parse(stdout).sessions[0];
  type Write = { tool: string; path: string; files: { path: string; extent: string; by?: string }[] };
  return contexts[0].writes.map(({ tool, path, files }: Write) => {
    const known = files.find((file) => file.path !== tree.path("AGENTS.md"));
    return [
      tool,
      path.slice(tree.root.length + 1),
      known === undefined ? "" : [known.extent, known.by ?? ""].join(" ").trim(),
    ];
  });
}

const DENIED = `<codelia-reminder type="agents.resolve.paths">\n- ${ROOT}/app/AGENTS.md (mtime: 1)\n</codelia-reminder>`;

test("a call that a hook has denied wrote nothing, and what the hook said is the hook's", () => {
  expect(
    written([
      said("user", "Go."),
      edit("1", "app/a.ts"),
      answer("1", `PreToolUse:Edit hook error: ${DENIED}`, true),
      call("2", "Bash", { command: "echo 1 > app/b.ts" }),
      answer("2", `PreToolUse:Bash hook error: ${DENIED}`, true),
      edit("3", "app/a.ts"),
      answer("3", "done"),
      ...showApp,
      edit("4", "app/a.ts"),
      answer("4", "done"),
    ]),
  ).toEqual([
    ["Edit", "app/a.ts", "named codelia"],
    ["Edit", "app/a.ts", "whole tool"],
  ]);
});

test("a call that failed wrote nothing, but a command may have written before", () => {
  expect(
    written([
      edit("1", "app/a.ts"),
      answer("1", "<tool_use_error>String to replace not found in file.</tool_use_error>", true),
      edit("2", "app/a.ts"),
      answer("2", "The user doesn't want to proceed with this tool use.", true),
      call("3", "Bash", { command: "echo 1 > app/b.ts; false" }),
      answer("3", "Exit code 1", true),
    ]),
  ).toEqual([["Bash", "app/b.ts", "none"]]);
});

test("after a call that was never answered, the model goes on with what it is given", () => {
  expect(
    written([
      said("user", "Go."),
      call("1", "Bash", { command: "sleep 1000" }),
      said("user", "And on."),
      ...showApp,
      edit("2", "app/a.ts"),
    ]),
  ).toEqual([["Edit", "app/a.ts", "whole tool"]]);
});

const numbered = (lines: readonly string[], from: number) =>
  lines.map((line, index) => `${String(from + index).padStart(6)}→${line}`).join("\n");
const read = (id: string, path: string) => call(id, "Read", { file_path: `${ROOT}/${path}` });

test("a file that was read before it changed is known in another version", () => {
  const [first, last] = [edit("2", "app/a.ts"), edit("4", "app/a.ts")];
  expect(written([read("1", "app/AGENTS.md"), answer("1", numbered(["Old."], 1)), first])).toEqual([
    ["Edit", "app/a.ts", "stale tool"],
  ]);
  expect(written([call("1", "Bash", { command: "cat app/AGENTS.md" }), answer("1", "Old.\n"), first])).toEqual([
    ["Edit", "app/a.ts", "stale tool"],
  ]);
  for (const missing of [
    "cat: app/AGENTS.md: No such file or directory",
    "",
    "<system-reminder>empty</system-reminder>",
  ]) {
    expect(written([call("1", "Bash", { command: "cat app/AGENTS.md" }), answer("1", missing), last])).toEqual([
      ["Edit", "app/a.ts", "none"],
    ]);
  }
});

test("a part of a file that does not begin with its first line is a part", () => {
  const [one, two] = [read("1", "lib/AGENTS.md"), edit("2", "lib/a.ts")];
  const middle = answer("1", `${numbered(["Lib two."], 2)}\n<system-reminder>\nMind it.\n</system-reminder>`);
  expect(written([one, middle, two])).toEqual([["Edit", "lib/a.ts", "cut tool"]]);
});

test("what the client says while a call runs does not end the call", () => {
  const meta = { ...said("user", "<system-reminder>Mind it.</system-reminder>"), isMeta: true };
  expect(written([edit("1", "app/a.ts"), meta, answer("1", "<tool_use_error>No.</tool_use_error>", true)])).toEqual([]);
});

test("what the model itself wrote into an instruction file, it has", () => {
  const make = (id: string, content: string) => call(id, "Write", { file_path: `${ROOT}/app/AGENTS.md`, content });
  const then = edit("2", "app/a.ts");
  const known = (lines: readonly object[]) => written([...lines, then]).map(([, path, extent]) => [path, extent]);
  expect(known([make("1", "App.\n"), answer("1", "File created")])).toEqual([
    ["app/AGENTS.md", ""],
    ["app/a.ts", "whole tool"],
  ]);
  expect(known([make("1", "App.\n"), answer("1", "EACCES: permission denied", true)])).toEqual([["app/a.ts", "none"]]);
  const patch = "*** Begin Patch\n*** Add File: app/AGENTS.md\n+App.\n*** End Patch\n";
  const apply = (id: string, input: string) =>
    codex("response_item", { type: "custom_tool_call", call_id: id, name: "apply_patch", input });
  const lines = [START, apply("1", patch), output("1", "Success."), apply("2", patch.replaceAll("AGENTS.md", "x.ts"))];
  expect(written(lines, "codex").map(([, path, extent]) => [path, extent])).toEqual([
    ["app/AGENTS.md", ""],
    ["app/x.ts", "whole tool"],
  ]);
});

test("where an answer is lost, what follows still counts", () => {
  const by = (turn: string, { message, ...rest }: ReturnType<typeof call>) => ({
    ...rest,
    message: { ...message, id: turn },
  });
  const [show, shown] = showApp as [ReturnType<typeof call>, object];
  const lost = by("m1", call("1", "Bash", { command: "cat big.log" }));
  expect(written([lost, by("m2", show), shown, by("m3", edit("2", "app/a.ts"))])).toEqual([
    ["Edit", "app/a.ts", "whole tool"],
  ]);
  // Calls of one message wait for each other.
  expect(written([by("m1", show), by("m1", edit("2", "app/a.ts")), shown, by("m1", edit("3", "app/a.ts"))])).toEqual([
    ["Edit", "app/a.ts", "none"],
    ["Edit", "app/a.ts", "none"],
  ]);
});

const codex = (type: string, payload: object) => ({ type, payload });
const START = codex("session_meta", { id: "s", cwd: ROOT });
const script = (id: string) =>
  codex("response_item", { type: "custom_tool_call", call_id: id, name: "exec", input: "…" });
const output = (id: string, text: string) =>
  codex("response_item", {
    type: "custom_tool_call_output",
    call_id: id,
    output: [
      { type: "input_text", text: "Script completed\n" },
      { type: "input_text", text },
    ],
  });
const item = (fields: object) => codex("event_msg", { type: "item_completed", item: fields });
const command = (id: string, text: string, cwd = `file://${ROOT}`) =>
  item({ type: "CommandExecution", id, command: ["/bin/bash", "-lc", text], cwd, status: "completed" });
const change = (id: string, path: string, status: string) =>
  item({ type: "FileChange", id, changes: { [`${ROOT}/${path}`]: { type: "add" } }, status });

test("what a call ran inside itself has no answer of its own to wait for", () => {
  const lines = [
    START,
    script("1"),
    command("a", "cat app/AGENTS.md"),
    output("1", "App.\n"),
    script("2"),
    change("b", "app/b.ts", "completed"),
    change("c", "app/c.ts", "failed"),
    change("d", "app/d.ts", "declined"),
    output("2", "{}"),
    script("3"),
    command("e", "echo 1 > app/e.ts", "file://elsewhere/x"),
    output("3", ""),
  ];
  expect(written(lines, "codex")).toEqual([
    ["Write", "app/b.ts", "whole tool"],
    ["exec_command", "app/e.ts", "whole tool"],
  ]);
});

test("in Codex too, a call that was denied or failed wrote nothing", () => {
  const patch = (id: string) =>
    codex("response_item", {
      type: "custom_tool_call",
      call_id: id,
      name: "apply_patch",
      input: "*** Begin Patch\n*** Add File: app/x.ts\n+new\n*** End Patch\n",
    });
  const told = (id: string, text: string) =>
    codex("response_item", { type: "custom_tool_call_output", call_id: id, output: text });
  const lines = [
    START,
    patch("1"),
    told("1", `Command blocked by PreToolUse hook: ${DENIED}`),
    patch("2"),
    told("2", "apply_patch verification failed: Failed to find expected lines"),
    patch("3"),
    told("3", "Success. Updated the following files:\nA app/x.ts\n"),
  ];
  expect(written(lines, "codex")).toEqual([["apply_patch", "app/x.ts", "named codelia"]]);
});
