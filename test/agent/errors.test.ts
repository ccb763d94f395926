import { expect, test } from "bun:test";
import {
  AgentError,
  ConfigurationError,
  ConnectionError,
  ExecutionError,
  JudgmentError,
  RateLimitError,
  SessionExpired,
  type ConnectionReason,
} from "../../src/agent/errors.ts";
import { CodeliaError, exitOf } from "../../src/errors.ts";

/** The errors of each layer, and whether they can be recovered from. */
const ERRORS: [code: string, exit: string, recoverable: boolean, error: AgentError][] = [
  ["agent_unusable", "unusable", false, new ConfigurationError("x")],
  ["agent_failed", "findings", false, new ExecutionError("x")],
  ["agent_failed", "findings", true, new ExecutionError("x", {}, true)],
  ["judgment_failed", "findings", true, new JudgmentError("x")],
  ["connection_failed", "findings", true, new ConnectionError("unreachable", "x")],
  ["rate_limited", "findings", true, new RateLimitError("x", 5)],
  ["session_expired", "findings", true, new SessionExpired("x")],
];

test.each(ERRORS)("%s is the program's own: exit %s, recoverable: %p", (code, exit, recoverable, error) => {
  expect(error).toBeInstanceOf(AgentError);
  expect(error).toBeInstanceOf(CodeliaError);
  expect([error.code, exitOf(error.code), error.recoverable]).toEqual([code, exit, recoverable] as never);
});

test("an error of the connection says what went wrong, and whether to ask the same engine again", () => {
  const transient = (reason: ConnectionReason) => new ConnectionError(reason, "x").isTransient;
  expect(
    ["not_installed", "refused", "answer_too_long"].map((reason) => transient(reason as ConnectionReason)),
  ).toEqual([false, false, false]);
  const others = ["unreachable", "overloaded", "timed_out", "answer_unreadable", "failed"] as const;
  expect(others.map(transient)).toEqual([true, true, true, true, true]);
  expect([new RateLimitError("x").isTransient, new SessionExpired("x").isTransient]).toEqual([true, true]);
});

test("what an error knows is there for --json", () => {
  expect(new ConnectionError("failed", "x", { exitCode: 3 }).details).toEqual({ reason: "failed", exitCode: 3 });
  expect(new RateLimitError("x", 5).details).toEqual({ reason: "rate_limited", retryAfterMs: 5 });
  expect(new RateLimitError("x").details).toEqual({ reason: "rate_limited" });
  expect(new ConfigurationError("x", { file: "agent.json" }).details).toEqual({ file: "agent.json" });
});
