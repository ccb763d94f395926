import { expect, test } from "bun:test";
import { nameContext, type ClientSession } from "../../src/ledger/contexts.ts";
import { clientSessions } from "../../src/clients/registry.ts";

const CLIENTS: [when: string, env: Record<string, string>, expected: ClientSession[]][] = [
  ["no client names one", {}, []],
  ["a variable is empty", { CLAUDE_CODE_SESSION_ID: "", CODEX_SESSION_ID: "" }, []],
  ["Claude does", { CLAUDE_CODE_SESSION_ID: "c" }, [{ session: "c", context: "shell" }]],
  ["Codex does", { CODEX_SESSION_ID: "x" }, [{ session: "x", context: "main" }]],
  [
    "Codex does in its main thread",
    { CODEX_SESSION_ID: "x", CODEX_THREAD_ID: "x" },
    [{ session: "x", context: "main" }],
  ],
  ["Codex does in a sub-agent", { CODEX_SESSION_ID: "x", CODEX_THREAD_ID: "t" }, [{ session: "x", context: "t" }]],
  ["Codex names a thread only", { CODEX_THREAD_ID: "t" }, []],
  [
    "both do",
    { CLAUDE_CODE_SESSION_ID: "c", CODEX_SESSION_ID: "x" },
    [
      { session: "c", context: "shell" },
      { session: "x", context: "main" },
    ],
  ],
];
for (const [when, env, expected] of CLIENTS) {
  test(`clientSessions() finds ${expected.length} when ${when}`, () => {
    expect(clientSessions(env)).toEqual(expected);
  });
}

const CLAUDE: ClientSession = { session: "c", context: "shell" };
const CODEX: ClientSession = { session: "x", context: "t" };

interface Given {
  readonly session?: string;
  readonly agent?: string;
  readonly environment?: string;
  readonly clients?: readonly ClientSession[];
}
const NAMED: [name: string, when: string, given: Given][] = [
  ["default/main", "nothing is given", {}],
  ["s/main", "--session is", { session: "s" }],
  [
    "s/main",
    "--session is, over the environment and the client",
    { session: "s", environment: "e", clients: [CLAUDE] },
  ],
  ["e/main", "the environment is, over the client", { environment: "e", clients: [CLAUDE] }],
  ["c/shell", "one client is", { clients: [CLAUDE] }],
  ["x/t", "another client is", { clients: [CODEX] }],
  ["default/main", "two clients contradict each other", { clients: [CLAUDE, CODEX] }],
  ["e/main", "two clients are, and the environment", { environment: "e", clients: [CLAUDE, CODEX] }],
  ["c/shell", "--session is what the client says", { session: "c", clients: [CLAUDE] }],
  ["c/shell", "--session is what one of two clients says", { session: "c", clients: [CLAUDE, CODEX] }],
  ["e/t", "the environment is what the client says", { environment: "e", clients: [{ ...CODEX, session: "e" }] }],
  ["c/a", "--agent is, in the client's session", { agent: "a", clients: [CLAUDE] }],
  ["s/a", "--agent and --session are", { agent: "a", session: "s" }],
  ["c/shell", "--session and --agent are empty", { session: "", agent: "", environment: "", clients: [CLAUDE] }],
];
for (const [name, when, given] of NAMED) {
  test(`nameContext() says ${name} when ${when} given`, () => {
    const { session, agent, environment, clients = [] } = given;
    const key = nameContext({ session, agent, environment, clients });
    expect(`${key.session}/${key.context}`).toBe(name);
  });
}
