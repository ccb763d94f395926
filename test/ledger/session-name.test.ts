import { expect, test } from "bun:test";
import { nameContext, type HostSession } from "../../src/ledger/contexts.ts";
import { hostSessions } from "../../src/clients/session-variables.ts";

const HOSTS: [when: string, env: Record<string, string>, expected: HostSession[]][] = [
  ["no host names one", {}, []],
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
for (const [when, env, expected] of HOSTS) {
  test(`hostSessions() finds ${expected.length} when ${when}`, () => {
    expect(hostSessions(env)).toEqual(expected);
  });
}

const CLAUDE: HostSession = { session: "c", context: "shell" };
const CODEX: HostSession = { session: "x", context: "t" };

interface Given {
  readonly session?: string;
  readonly agent?: string;
  readonly environment?: string;
  readonly hosts?: readonly HostSession[];
}
const NAMED: [name: string, when: string, given: Given][] = [
  ["default/main", "nothing is given", {}],
  ["s/main", "--session is", { session: "s" }],
  ["s/main", "--session is, over the environment and the host", { session: "s", environment: "e", hosts: [CLAUDE] }],
  ["e/main", "the environment is, over the host", { environment: "e", hosts: [CLAUDE] }],
  ["c/shell", "one host is", { hosts: [CLAUDE] }],
  ["x/t", "another host is", { hosts: [CODEX] }],
  ["default/main", "two hosts contradict each other", { hosts: [CLAUDE, CODEX] }],
  ["e/main", "two hosts are, and the environment", { environment: "e", hosts: [CLAUDE, CODEX] }],
  ["c/shell", "--session is what the host says", { session: "c", hosts: [CLAUDE] }],
  ["c/shell", "--session is what one of two hosts says", { session: "c", hosts: [CLAUDE, CODEX] }],
  ["e/t", "the environment is what the host says", { environment: "e", hosts: [{ ...CODEX, session: "e" }] }],
  ["c/a", "--agent is, in the host's session", { agent: "a", hosts: [CLAUDE] }],
  ["s/a", "--agent and --session are", { agent: "a", session: "s" }],
  ["c/shell", "--session and --agent are empty", { session: "", agent: "", environment: "", hosts: [CLAUDE] }],
];
for (const [name, when, given] of NAMED) {
  test(`nameContext() says ${name} when ${when} given`, () => {
    const { session, agent, environment, hosts = [] } = given;
    const key = nameContext({ session, agent, environment, hosts });
    expect(`${key.session}/${key.context}`).toBe(name);
  });
}
