import { expect, test } from "bun:test";
import { createPromptResolver } from "../../../src/agent/definition/prompts.ts";
import { ConfigurationError } from "../../../src/agent/errors.ts";
import type { PromptReference } from "../../../src/agent/schema.ts";
import { tempTree } from "../../support/temp-tree.ts";

const FILES = {
  "a/prompts/plain.md": "Hello {uv-who}.\n",
  "a/prompts/blank.md": " \n\t\n",
  "a/prompts/only.md": "{uv-none} {uv-space}\n",
  "a/prompts/large.md": "x".repeat(256 * 1024 + 1),
  "a/prompts/inside.md": { link: "plain.md" },
  "a/prompts/out.md": { link: "../../secret.md" },
  "a/prompts/dangling.md": { link: "nowhere.md" },
  "a/linked": { link: "../other" },
  "a/prompts/steps/build/house/f_default.md": "Default.",
  "a/prompts/steps/build/house/f_long_ja.md": "長い",
  "secret.md": "Secret.",
  "other/b.md": "Other.",
};

const RESOLVED: [reference: PromptReference, text: string][] = [
  [{ path: "prompts/plain.md" }, "Hello you.\n"],
  [{ path: "prompts/inside.md" }, "Hello you.\n"],
  [{ c3l: "steps/build/house" }, "Default."],
  [{ c3l: "steps/build/house/long/ja" }, "長い"],
];
for (const [reference, text] of RESOLVED) {
  test(`resolve() gives the text of ${JSON.stringify(reference)}`, async () => {
    using tree = tempTree(FILES);
    expect(await createPromptResolver(tree.path("a")).resolve(reference, { "uv-who": "you" })).toBe(text);
  });
}

const REFUSED: [reference: PromptReference, kind: string, message: RegExp][] = [
  [{ path: "prompts/none.md" }, "NotFound", /there is no 'prompts\/none.md'/],
  [{ path: "prompts/blank.md" }, "NotFound", /is blank/],
  [{ path: "prompts/large.md" }, "NotFound", /is larger than/],
  [{ path: "prompts" }, "NotFound", /is not a regular file/],
  [{ path: "prompts/out.md" }, "NotFound", /a link to outside/],
  [{ path: "linked/b.md" }, "NotFound", /a link to outside/],
  [{ path: "prompts/dangling.md" }, "NotFound", /there is no/],
  [{ path: "../secret.md" }, "NotFound", /is outside/],
  [{ path: "/etc/hosts" }, "NotFound", /absolute/],
  [{ c3l: "steps/build/barn" }, "NotFound", /there is no/],
  [{ path: "prompts/plain.md" }, "LeftOver", /'\{uv-who\}', which has no value here; declare a default/],
  [{ path: "prompts/only.md" }, "NotFound", /is blank after replacing '\{uv-none\}', '\{uv-space\}'/],
];
for (const [reference, kind, message] of REFUSED) {
  test(`resolve() answers ${kind} for ${JSON.stringify(reference)}: ${message.source}`, async () => {
    using tree = tempTree(FILES);
    const error = await createPromptResolver(tree.path("a"))
      .resolve(reference, { "uv-none": "", "uv-space": " " })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).details["kind"]).toBe(kind);
    expect((error as ConfigurationError).message).toMatch(message);
  });
}
