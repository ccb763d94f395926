import { expect, test } from "bun:test";
import type { ModelRequest, Seen } from "../e2e/lib/script.ts";
import { accountsOf, type Repository } from "./account.ts";

const REPOSITORY: Repository = {
  files: new Map([
    ["/r/AGENTS.md", ["- Rule 1 of the root"]],
    ["/r/a/AGENTS.md", ["- Rule 1 of a", "- Rule 2 of a"]],
  ]),
  skills: new Map([["audit", "What audit does"]]),
};
const OURS = "<agents_context>\nInstructions from: /r/AGENTS.md\n- Rule 1 of the root\n</agents_context>\n";
const THEIRS = "Contents of /r/AGENTS.md (project):\n\n- Rule 1 of the root\n";

function request(texts: readonly string[], rest: Partial<ModelRequest> = {}): ModelRequest {
  const seen = texts.map((text): Seen => ({ role: "user", kind: "text", text }));
  return { thread: "main", purpose: "turn", model: "m", seen, ...rest };
}

const CASES: [what: string, texts: readonly string[], expected: object][] = [
  ["what codelia alone gives", [OURS], { codelia: 20, client: 0, both: 0, twice: [] }],
  ["what the client alone gives", [THEIRS], { codelia: 0, client: 20, both: 0, twice: [] }],
  ["what both give", [THEIRS, OURS], { codelia: 20, client: 20, both: 20, twice: ["/r/AGENTS.md"] }],
  ["what codelia gives twice", [OURS, OURS], { codelia: 40, client: 0, both: 20, twice: ["/r/AGENTS.md"] }],
  ["what the client gives twice", [THEIRS, THEIRS], { both: 0, clientTwice: 20, twice: [] }],
  ["a name behind its text", [OURS, "- /r/AGENTS.md (mtime: 1)"], { named: ["/r/AGENTS.md"] }],
  ["a name before its text", ["- /r/AGENTS.md (mtime: 1)", THEIRS], { named: [] }],
  ["a skill once", ["- What audit does"], { skills: 1, skillsTwice: [] }],
  ["a skill twice", ["What audit does", "<description>What audit does</description>"], { skillsTwice: ["audit"] }],
];

test.each(CASES)("accountsOf() counts %s", (_, texts, expected) => {
  expect(accountsOf([request(texts)], REPOSITORY)).toMatchObject([expected]);
});

test("accountsOf() counts each context by itself, and anew after a compaction", () => {
  const requests = [
    request([OURS]),
    request([OURS, OURS], { thread: "helper" }),
    request([OURS], { purpose: "compaction" }),
    request([THEIRS]),
  ];
  const accounts = accountsOf(requests, REPOSITORY).map(({ thread, epoch, codelia, client, both }) => {
    return [thread, epoch, codelia, client, both];
  });
  expect(accounts).toEqual([
    ["main", 0, 20, 0, 0],
    ["helper", 0, 40, 0, 20],
    ["main", 1, 0, 20, 0],
  ]);
});
