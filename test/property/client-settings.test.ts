import { expect } from "bun:test";
import { array, boolean, constantFrom, dictionary, nat, oneof, property, record, type Arbitrary } from "fast-check";
import { surveyHooks, withoutOwn } from "../../src/clients/settings/survey.ts";
import { readSettingsText } from "../../src/clients/settings/text.ts";
import { expected, install, uninstall } from "../clients/settings/samples.ts";
import { testProperty } from "./fuzz.ts";

const EVENTS = ["SessionStart", "PreToolUse", "PostToolUse", "Stop", "Notification"];

function anyHandler(): Arbitrary<unknown> {
  return record(
    {
      type: constantFrom("command"),
      command: constantFrom("echo hi", "./lint.sh", "echo 'codelia hook claude'", "codelia hook other", "x // y"),
      timeout: nat(60),
    },
    { requiredKeys: ["type", "command"] },
  );
}

function anyGroup(): Arbitrary<unknown> {
  return record(
    { matcher: constantFrom("Bash", "*", "", "a,b"), hooks: array(anyHandler(), { maxLength: 2 }) },
    { requiredKeys: ["hooks"] },
  );
}

function anySettings(): Arbitrary<unknown> {
  const hooks = dictionary(constantFrom(...EVENTS), array(anyGroup(), { maxLength: 2 }), { maxKeys: 4 });
  return record(
    {
      $schema: constantFrom("https://example.org/x.json"),
      permissions: record({ allow: array(constantFrom("Bash(ls:*)", "Read"), { maxLength: 3 }) }),
      hooks: oneof(hooks, constantFrom({})),
      model: constantFrom("a", "b"),
    },
    { requiredKeys: [] },
  );
}

/** A text that says the same, written in some odd way: between any two tokens there may be blanks and comments. */
function anyText(): Arbitrary<string> {
  return record({
    settings: anySettings(),
    indent: constantFrom<number | string>(0, 0, 2, 4, "\t", 1),
    gaps: array(constantFrom("", "", "", "", " ", "  ", "\n", " // a, b\n", "/* { */", " /* x\n y */ ", "\t"), {
      minLength: 1,
      maxLength: 40,
    }),
    isOdd: boolean(),
    isTrailing: boolean(),
    lineBreak: constantFrom("\n", "\r\n"),
    end: constantFrom("", "\n", "\n\n", " // end"),
  }).map(({ settings, indent, gaps, isOdd, isTrailing, lineBreak, end }) => {
    let text = JSON.stringify(settings, undefined, indent);
    if (isTrailing) text = text.replaceAll(/([\]}"\d])(\s*[\]}])/g, "$1,$2");
    if (isOdd) {
      let count = 0;
      const tokens = text.match(/"(?:[^"\\]|\\.)*"|\s+|[\w.-]+|[^\s"]/g) ?? [];
      text = tokens.map((token) => token + gaps[count++ % gaps.length]).join("");
    }
    return (text + end).replaceAll("\n", lineBreak);
  });
}

testProperty(
  "install then uninstall gives back the bytes, however a file is written; twice is once; nothing foreign changes",
  property(
    anyText(),
    constantFrom("claude", "codex", "gemini", "vscode", "cursor"),
    constantFrom("user" as const, "project" as const),
    (text, client, scope) => {
      const hooks = expected(client, scope);
      const { data } = readSettingsText(text);
      const installed = install(text, hooks);
      const after = readSettingsText(installed).data;
      expect(surveyHooks(after, hooks).state).toBe("current");
      expect(withoutOwn(after, client)).toEqual(withoutEmpty(data));
      expect(install(installed, hooks)).toBe(installed);
      expect(uninstall(installed, hooks)).toBe(text);
    },
  ),
);

testProperty(
  "what is installed once more by another program, and then taken out, leaves nothing of ours and all of the others'",
  property(anyText(), boolean(), (text, isProject) => {
    const first = install(text, expected("claude", "local", ["/old place/codelia"]));
    const hooks = expected("claude", isProject ? "project" : "local");
    const second = install(first, hooks);
    expect(surveyHooks(readSettingsText(second).data, hooks).state).toBe("current");
    expect(install(second, hooks)).toBe(second);
    expect(uninstall(second, hooks)).toBe(text);
  }),
);

/** An empty list of groups, and no `hooks` at all, say the same to a client. */
function withoutEmpty(data: unknown): unknown {
  return withoutOwn(data, "claude");
}
