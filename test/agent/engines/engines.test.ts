import { describe, expect, test } from "bun:test";
import { claudeEngine } from "../../../src/agent/engines/claude.ts";
import { codexEngine } from "../../../src/agent/engines/codex.ts";
import { isInsideRun, RUN_VARIABLE, type EngineEvent, type QueryOptions } from "../../../src/agent/engines/engine.ts";
import { makeEngine } from "../../../src/agent/engines/make.ts";
import { AgentError, ConfigurationError, ExecutionError } from "../../../src/agent/errors.ts";
import { fakeWorld, realWorld } from "../../support/fake-world.ts";
import { writeProgram } from "../../support/git-repository.ts";
import { tempTree } from "../../support/temp-tree.ts";

// Real processes, with scripts in the place of the clients; the clients themselves are in test/e2e/agent-engines.test.ts.

const SESSION = "01a1efa1-5607-7a23-8f2a-536302126d65";

/** A home whose `bin` is first on PATH, with a script named after the engine. */
function scene(name: "claude" | "codex", script: string) {
  const tree = tempTree({ "a.txt": "a\n" });
  const home = tempTree();
  writeProgram(home, `bin/${name}`, script);
  const path = `${home.path("bin")}:${process.env["PATH"]}`;
  const world = realWorld({ PATH: path, HOME: home.root, OF_THE_USER: "1" });
  const events: EngineEvent[] = [];
  const options: QueryOptions = {
    cwd: tree.root,
    args: [],
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onProgress: (event) => void events.push(event),
  };
  const engine = (name === "claude" ? claudeEngine : codexEngine)(world, tree.root);
  return {
    tree,
    home,
    world,
    events,
    options,
    ask: (prompt: string, given: Partial<QueryOptions> = {}) => engine.query(prompt, { ...options, ...given }),
    [Symbol.dispose]: () => [tree, home].map((made) => made[Symbol.dispose]()),
  };
}

async function failure(answer: Promise<unknown>): Promise<AgentError> {
  const error = await answer.catch((thrown: unknown) => thrown);
  if (error instanceof AgentError) return error;
  throw new Error(`it came to ${JSON.stringify(error)}`);
}

const RESULT = `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"Hi.","total_cost_usd":0.5}`;
const NOTED = `printf '%s\\n' "$@" > words; cat > prompt; env > environment`;

describe("engine claude", () => {
  test("is called with the definition's words first and ours last, the prompt on standard input", async () => {
    using made = scene("claude", `${NOTED}; echo '${RESULT}'`);
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const args = ["--model", "m", "--output-format", "text"];
    const prompt = "-p is no flag here: $(touch pwned)\nline two";
    const { durationMs, ...answer } = await made.ask(prompt, {
      args,
      schema,
      sessionId: SESSION,
      allowedTools: ["Bash(git *)", "Read"],
    });
    expect(answer).toEqual({ text: "Hi.", costUsd: 0.5, turns: 1 });
    expect(durationMs).toBeGreaterThan(0);
    expect(made.tree.read("words").trimEnd().split("\n")).toEqual([
      "-p",
      ...args,
      "--output-format",
      "stream-json",
      "--verbose",
      "--resume",
      SESSION,
      "--json-schema",
      JSON.stringify(schema),
      "--allowedTools=Bash(git *)",
      "--allowedTools=Read",
    ]);
    expect(made.tree.read("prompt")).toBe(prompt);
    const environment = made.tree.read("environment").split("\n");
    expect(environment).toContain("OF_THE_USER=1");
    expect(environment).toContain("CLAUDE_CODE_MAX_RETRIES=2");
    expect(environment.some((line) => line.startsWith(`${RUN_VARIABLE}=`))).toBe(true);
  });

  test("leaves it to the user how often the client asks again", async () => {
    using made = scene("claude", `${NOTED}; echo '${RESULT}'`);
    const world = { ...made.world, env: { ...made.world.env, CLAUDE_CODE_MAX_RETRIES: "9" } };
    await claudeEngine(world, made.tree.root).query("Go.", made.options);
    expect(made.tree.read("environment")).toContain("CLAUDE_CODE_MAX_RETRIES=9\n");
  });

  test("reads events among other lines, to the last without a newline", async () => {
    const event = '{"type":"assistant","message":{"content":[{"type":"text","text":"Zürich, 東京"}]}}';
    const text = `hello\n[1]\nnull\n\n${event}\n${RESULT}`;
    using made = scene("claude", "cat text");
    made.tree.write("text", `${text}\n`);
    expect((await made.ask("Go.")).text).toBe("Hi.");
    expect(made.events).toEqual([{ kind: "text", text: "Zürich, 東京" }]); // of `hello`, `[1]` and `null` nothing
    made.tree.write("text", text);
    expect((await made.ask("Go.")).text).toBe("Hi.");
  });

  test("tells what goes on while it goes on", async () => {
    const session = `{"type":"system","subtype":"init","session_id":"${SESSION}"}`;
    using made = scene("claude", `echo '${session}'; until [ -e heard ]; do sleep 0.02; done; echo '${RESULT}'`);
    const { text, sessionId } = await made.ask("Go.", { onProgress: () => made.tree.write("heard", "") });
    expect({ text, sessionId }).toEqual({ text: "Hi.", sessionId: SESSION });
  });

  test.each<[string, string, object]>([
    ["ends without a result", "echo oops >&2; exit 7", { reason: "failed", isTransient: true }],
    [
      "names its error before its advice",
      "echo 'error: no such thing' >&2; echo 'See --help.' >&2; exit 7",
      { message: "engine 'claude' ended with exit code 7 without a result: error: no such thing" },
    ],
    ["knows a word not", "echo \"error: unknown option '--x'\" >&2; exit 1", { reason: "refused", isTransient: false }],
    ["is killed", "kill -KILL $$", { reason: "failed", details: { reason: "failed", exitCode: 137 } }],
    ["has a result without a text", `echo '{"type":"result","is_error":false}'`, { reason: "answer_unreadable" }],
    [
      "says too much",
      `printf '{"type":"result","is_error":false,"result":"'; head -c 1048577 /dev/zero | tr '\\0' x; echo '"}'`,
      { reason: "answer_too_long", isTransient: false },
    ],
    ["says too much in one event", "head -c 17000000 /dev/zero | tr '\\0' x", { reason: "answer_too_long" }],
  ])("tells one that %s", async (_, script, wanted) => {
    using made = scene("claude", script);
    expect(await failure(made.ask("Go."))).toMatchObject({ ...wanted, code: "connection_failed", recoverable: true });
  });

  test("is not a program that the clone brings along, and is missed where there is no other", async () => {
    using made = scene("claude", `echo '${RESULT}'`);
    writeProgram(made.tree, "bin/claude", "touch pwned");
    const own = { ...made.world, env: { PATH: `${made.tree.path("bin")}:${made.home.path("bin")}:/usr/bin:/bin` } };
    expect((await claudeEngine(own, made.tree.root).query("Go.", made.options)).text).toBe("Hi.");
    const planted = { ...made.world, env: { PATH: made.tree.path("bin") } };
    const error = await failure(claudeEngine(planted, made.tree.root).query("Go.", made.options));
    expect(error).toMatchObject({ reason: "not_installed", isTransient: false, recoverable: true });
    expect(error.message).toBe(
      "engine 'claude' is not installed: it is not on PATH outside the clone; install it, or name another with '--engine'",
    );
  });

  test.each(["", " \n\t"])("is not asked nothing: %j", async (prompt) => {
    using made = scene("claude", "touch asked");
    const error = await failure(made.ask(prompt));
    expect(error).toBeInstanceOf(ExecutionError);
    expect(error).toMatchObject({ recoverable: false, code: "agent_failed" });
  });
});

describe("engine codex", () => {
  const said = (text: string) => JSON.stringify({ type: "item.completed", item: { type: "agent_message", text } });
  const turn = (text: string, thread = SESSION) =>
    [`{"type":"thread.started","thread_id":"${thread}"}`, said(text), '{"type":"turn.completed","usage":{}}']
      .map((line) => `echo '${line}'`)
      .join("; ");

  test("is called with the definition's words before those of a session, the prompt on standard input", async () => {
    using made = scene("codex", `${NOTED}; ${turn("Hi.")}`);
    const { durationMs: _, ...answer } = await made.ask("--last\n", { args: ["--model", "m"], sessionId: SESSION });
    expect(answer).toEqual({ text: "Hi.", sessionId: SESSION });
    expect(made.tree.read("words").trimEnd().split("\n")).toEqual([
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--model",
      "m",
      "resume",
      SESSION,
      "-",
    ]);
    expect(made.tree.read("prompt")).toBe("--last\n");
  });

  test("is given a schema as a file that is gone afterwards, if its service can take it", async () => {
    const find =
      'while [ $# -gt 0 ]; do [ "$1" = --output-schema ] && cp "$2" schema && echo "$2" > where; shift; done';
    using made = scene("codex", `${find}; ${turn('{"a":1}')}`);
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    expect((await made.ask("Go.", { schema })).structured).toEqual({ a: 1 });
    expect(JSON.parse(made.tree.read("schema"))).toEqual({ ...schema, additionalProperties: false });
    expect(await Bun.file(made.tree.read("where").trim()).exists()).toBe(false);
    made.tree.remove("schema");
    const loose = { type: "object", properties: { a: { type: "object" } }, required: ["a"] };
    const answer = await made.ask("Go.", { schema: loose });
    expect([answer.text, answer.structured]).toEqual(['{"a":1}', undefined]);
    expect(await Bun.file(made.tree.path("schema")).exists()).toBe(false);
  });

  test("is ended when it has begun another session than the one it was asked for", async () => {
    const other = "00000000-0000-4000-8000-000000000000";
    using made = scene("codex", `${turn("Who are you?", other)}; exec sleep 300`);
    expect(await failure(made.ask("Go on.", { sessionId: SESSION }))).toMatchObject({ code: "session_expired" });
  });

  test("tells one that ends in the middle", async () => {
    using made = scene("codex", `echo '{"type":"thread.started","thread_id":"${SESSION}"}'; echo gone >&2; exit 9`);
    const error = await failure(made.ask("Go."));
    expect(error).toMatchObject({ reason: "failed" });
    expect(error.message).toBe("engine 'codex' ended with exit code 9 in the middle of its turn: gone");
  });
});

describe("engine command", () => {
  const command = (...words: string[]) => {
    const tree = tempTree({ "model.mjs": "" });
    const engine = makeEngine(realWorld(), "command", tree.root, words);
    const options = { cwd: tree.root, args: ["last"], timeoutMs: 20_000, signal: new AbortController().signal };
    return { tree, ask: (prompt: string) => engine.query(prompt, options) };
  };

  test("gives the prompt to a program, once per query, and takes what it writes", async () => {
    const { tree, ask } = command("node", "model.mjs", "first word");
    using _ = tree;
    tree.write(
      "model.mjs",
      'import { readFileSync, appendFileSync } from "node:fs";\n' +
        'appendFileSync("calls", "x");\n' +
        "process.stdout.write(`${readFileSync(0)}|${process.argv.slice(2)}|${process.cwd()}\n`);",
    );
    const { text, sessionId, costUsd } = await ask("Grüße\n");
    expect(text).toBe(`Grüße\n|first word,last|${tree.root}\n`);
    expect([sessionId, costUsd]).toEqual([undefined, undefined]);
    expect(tree.read("calls")).toBe("x");
  });

  test("runs a program of the working directory that is named by a path", async () => {
    const { tree, ask } = command("./model.sh");
    using _ = tree;
    writeProgram(tree, "model.sh", 'echo "answer $1"');
    expect((await ask("Go.")).text).toBe("answer last\n");
  });

  test("may answer without having read, and without a word", async () => {
    const { tree, ask } = command("true");
    using _ = tree;
    expect((await ask("x".repeat(1_000_000))).text).toBe("");
  });

  test.each<[string, string[], object]>([
    [
      "fails",
      ["sh", "-c", "echo no: $0 >&2; exit 4"],
      { reason: "failed", details: { reason: "failed", exitCode: 4 } },
    ],
    ["is not there", ["no-such-program-anywhere"], { reason: "not_installed" }],
    ["is not there by its path", ["./nowhere"], { reason: "not_installed" }],
    ["says too much", ["sh", "-c", "yes"], { reason: "answer_too_long" }],
  ])("tells one that %s", async (__, words, wanted) => {
    const made = command(...words);
    using _ = made.tree;
    expect(await failure(made.ask("Go."))).toMatchObject(wanted);
  });

  test.each([[[]], [[""]]])("needs something to run: %j", (words) => {
    expect(() => makeEngine(fakeWorld(), "command", "/", words)).toThrow(ConfigurationError);
  });
});

test("what an engine starts knows that it is inside a run", async () => {
  using tree = tempTree();
  const engine = makeEngine(realWorld(), "command", tree.root, ["sh", "-c", `printf %s "$${RUN_VARIABLE}"`]);
  const options = { cwd: tree.root, args: [], timeoutMs: 20_000, signal: new AbortController().signal };
  const first = await engine.query("Go.", options);
  const second = await engine.query("Go.", options);
  expect(first.text).not.toBe(second.text);
  expect(isInsideRun(fakeWorld({ env: { [RUN_VARIABLE]: first.text } }))).toBe(true);
  expect(isInsideRun(fakeWorld({ env: {} }))).toBe(false);
});
