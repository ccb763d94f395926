import { expect, test } from "bun:test";
import { checkProject, runCheck } from "../support/check-project.ts";

// `codelia check`: configs of clients with which they do not start. e2e/refused-config.test.ts holds this to the client.

const CONFIG = ".codex/config.toml";

const CONFIGS: [text: string, line: number, said: string][] = [
  ['model = "x"\nunknown = 5\n', 0, ""],
  ['approval_policy = { granular = {} }\nsandbox_mode = "read-only"\n', 0, ""],
  ["[features]\nx = { y = 1 }\n", 0, ""],
  // what only our parser refuses
  ["x = 9223372036854775807\n", 0, ""],
  ["[x]\n__proto__ = 1\n", 0, ""],
  ["[mcp_servers.one]\nenabled = false\n", 0, ""],
  ['x = 1\nmodel =\ny = "1"\n', 2, "it is not TOML: invalid value"],
  ["# x\nmodel = 5\n", 2, "'model' is not text"],
  ['[x]\nmodel = 5\n\n[tools]\n[features]\n"a b" = "on"\n', 6, "'features.a b' is not true or false"],
  ['[mcp_servers.one]\ncommand = "x"\nargs = "y"\n', 3, "'mcp_servers.one.args' is not a list"],
  ['mcp_servers.one = { command = "x", args = "y" }\n', 1, "'mcp_servers.one.args' is not a list"],
  ['\n[mcp_servers."one"]\n[mcp_servers."one".env]\nA = 1\n', 4, "'mcp_servers.one.env.A' is not text"],
  ['project_doc_max_bytes = "65536"\n', 1, "'project_doc_max_bytes' is not a whole number"],
  ['sandbox_mode = "full"\n', 1, "'sandbox_mode' is not 'read-only', 'workspace-write' or 'danger-full-access'"],
];

test.each(CONFIGS)("%j", (text, line, said) => {
  using tree = checkProject({ [CONFIG]: text });
  const { stdout, exitCode } = runCheck(tree);
  const [place = "", , , ...words] = stdout.trimEnd().split(" ");
  const message = `Codex does not start with it, because ${said}; correct ${said.startsWith("it") ? "it" : "or remove it"}`;
  expect([place, words.join(" ")]).toEqual(said === "" ? ["", ""] : [`${CONFIG}:${line}`, message]);
  expect(exitCode).toBe(said === "" ? 0 : 1);
});

test("a config that is no file, or leads out of the repository, is passed over", () => {
  using tree = checkProject({ [CONFIG]: { link: "../../home/config.toml" }, "AGENTS.md": "Be brief.\n" });
  tree.write("home/config.toml", "model =\n");
  expect(runCheck(tree)).toEqual({ stdout: "", stderr: "codelia: nothing found (1 file checked)\n", exitCode: 0 });
});
