import { equal, ok } from "node:assert/strict";
import { promptReferences, viewSteps } from "../../../src/agent/definition/view.ts";
import { validate, type ValidationResult } from "../../../src/agent/definition/validate.ts";
import { promptKey } from "../../../src/agent/definition/prompts.ts";
import { mentionedVariables, replaceVariables } from "../../../src/agent/judge/variables.ts";
import { parseJsonc } from "../../../src/lib/jsonc.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** @param text of every prompt that it names */
function judge(input: string, text: string): ValidationResult | undefined {
  const read = parseJsonc(input);
  if (read.kind === "error") return undefined;
  const references = promptReferences(viewSteps(read.data));
  const prompts = new Map(references.map(({ reference }) => [promptKey(reference), { kind: "text", text } as const]));
  return validate({ directory: "/r/agent", file: "/r/agent/agent.json", data: read.data, prompts });
}

/** An agent.json, and a prompt of it. */
export const target: FuzzTarget = {
  read: (input) => [judge(input, "Do {uv-a_b}."), replaceVariables(input, { "uv-a": "b" }), mentionedVariables(input)],
  check(input) {
    const result = judge(input, `Do {uv-a_b}. ${input}`);
    if (result !== undefined) {
      equal(result.valid, result.errors.length === 0, "valid with errors, or invalid without");
      for (const { message, pointer } of [...result.errors, ...result.warnings]) {
        ok(message !== "" && (pointer === "" || pointer.startsWith("/")), "a problem without a sentence or a place");
      }
    }
    for (const name of mentionedVariables(input)) ok(name.startsWith("uv-"), `'${name}' is no variable`);
  },
  words: ['{"version":"1.0"', '"name":"a"', '"entryStep":"a"', '"steps":{"a":{', '"prompt":{"path":"a.md"}', '"inputs":{"variables":{"a.b":{}}}', '"from_step":"a"', '"output":{"b":{"type":"string"}}', '"check":{"type":"output","onPass":"complete"}', '"limits":{"maxIterations":9}', "{uv-a}", '"completion":{"type":"keywordSignal","keyword":"X"}'],
  parts: ['"s№":{},', '"a":{"prompt":{"path":"a.md"}},', '"k№":1,', '{"type":"composite","conditions":[', '"x",', "{uv-a} ", "{uv-"],
  frames: [
    ["", ""],
    ['{"version":"1.0","name":"a","entryStep":"a","steps":{', "}}"],
    ['{"version":"1.0","name":"a","entryStep":"a","steps":{"a":{"prompt":{"path":"a.md"},"inputs":{"variables":{', "}}}}}"],
    ['{"version":"1.0","name":"a","entryStep":"a","steps":{},"completion":', "}"],
  ],
  growth: [16_384, 131_072],
}; // prettier-ignore
