import { describe, expect, test } from "bun:test";
import { reasonsOf } from "../../../src/clients/settings/doctor.ts";
import * as changes from "../../../src/clients/settings/install.ts";
import { readSettingsText } from "../../../src/clients/settings/text.ts";
import { expected, install, survey, uninstall } from "./samples.ts";

type Settings = { hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]> };

/** What is installed, after someone has been at it. */
function changed(change: (settings: Settings) => void, hooks = expected()): string {
  const settings = structuredClone(readSettingsText(install(undefined, hooks)).data) as Settings;
  change(settings);
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

const handler = ({ hooks }: Settings, event: string, index = 0) => hooks[event]![0]!.hooks[index]!;

describe("surveyHooks()", () => {
  const CASES: [what: string, text: string, state: string, reasons: string[]][] = [
    ["nothing", "{}", "absent", []],
    ["what is installed", install(undefined), "current", []],
    [
      "another quoting",
      changed((it) => void (handler(it, "UserPromptSubmit")["command"] = '"/opt/bin/codelia" hook claude')),
      "current",
      [],
    ],
    [
      "an empty matcher, which means all, as earlier versions had it",
      changed((it) => void (it.hooks["PreToolUse"]![0]!.matcher = "")),
      "stale",
      ["PreToolUse: matches tools that touch no file"],
    ],
    [
      "another program",
      install(undefined, expected("claude", "user", ["/old/codelia"])),
      "stale",
      [[...expected().groups.keys()].join(", ") + ": runs '/old/codelia'"],
    ],
    [
      "an event that is missing",
      changed((it) => void delete it.hooks["UserPromptSubmit"]),
      "stale",
      ["UserPromptSubmit: not registered"],
    ],
    [
      "fewer parts",
      changed((it) => void it.hooks["SessionStart"]![0]!.hooks.pop()),
      "stale",
      ["SessionStart: 15 entries instead of 16"],
    ],
    [
      "an event too many",
      changed((it) => void (it.hooks["Setup"] = it.hooks["UserPromptSubmit"]!)),
      "stale",
      ["Setup: not needed"],
    ],
    [
      "another timeout",
      changed((it) => void (handler(it, "UserPromptSubmit")["timeout"] = 99)),
      "edited",
      ["UserPromptSubmit: timeout 99 instead of 10"],
    ],
    [
      "another matcher",
      changed((it) => void (it.hooks["PreToolUse"]![0]!.matcher = "Bash")),
      "edited",
      ["PreToolUse: its matcher was changed to 'Bash'"],
    ],
    [
      "another key",
      changed((it) => void (handler(it, "UserPromptSubmit")["async"] = true)),
      "edited",
      ["UserPromptSubmit: has 'async'"],
    ],
    [
      "an added flag",
      changed((it) => void (handler(it, "UserPromptSubmit")["command"] += " --quiet")),
      "edited",
      ["UserPromptSubmit: its command was changed"],
    ],
    [
      "arguments beside the command",
      changed(
        (it) => void Object.assign(handler(it, "UserPromptSubmit"), { command: "codelia", args: ["hook", "claude"] }),
      ),
      "edited",
      ["UserPromptSubmit: has 'args'"],
    ],
    ["hooks that are no table", '{"hooks": []}', "absent", []],
    [
      "groups that are no groups",
      '{"hooks": {"UserPromptSubmit": [1, {"hooks": 2}, {"hooks": [3, {"command": 4}]}]}}',
      "absent",
      [],
    ],
  ];
  test("names a dozen events that differ in the same way, and counts the others", () => {
    const hooks = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`E${index}`, [{ command: "codelia hook claude" }]]),
    );
    const reasons = reasonsOf(survey(JSON.stringify({ hooks })).events);
    expect(reasons.at(-1)).toBe("E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11 and 8 more: not needed");
  });

  for (const [what, text, state, reasons] of CASES) {
    test(`finds ${what}`, () => {
      const found = survey(text);
      expect({ state: found.state, reasons: reasonsOf(found.events) }).toEqual({ state: state as "absent", reasons });
    });
  }
});

describe("install()", () => {
  test("keeps what was edited, and repairs the rest", () => {
    const text = changed((it) => {
      handler(it, "UserPromptSubmit")["timeout"] = 99;
      delete it.hooks["PreToolUse"];
    });
    const repaired = install(text);
    expect(reasonsOf(survey(repaired).events)).toEqual(["UserPromptSubmit: timeout 99 instead of 10"]);
    expect(install(repaired)).toBe(repaired);
    expect(survey(install(repaired, expected(), true)).state).toBe("current");
  });

  test("puts its own in the place of its own: others keep their number", () => {
    const other = { hooks: [{ type: "command", command: "./other.sh" }] };
    const text = changed(
      (it) => void it.hooks["UserPromptSubmit"]!.push(other),
      expected("claude", "user", ["/old/codelia"]),
    );
    const groups = (readSettingsText(install(text)).data as Settings).hooks["UserPromptSubmit"]!;
    expect(groups.map(({ hooks }) => hooks[0]!["command"])).toEqual(["'/opt/bin/codelia' hook claude", "./other.sh"]);
  });

  test("says how many there are where there are more of ours than anyone installs", () => {
    const one = { hooks: [{ type: "command", command: "codelia hook claude", timeout: 10 }] };
    const text = (count: number) => JSON.stringify({ hooks: { PreToolUse: Array.from({ length: count }, () => one) } });
    expect(survey(install(text(50))).state).toBe("current");
    const edited = changes.install(text(51), expected(), undefined, true);
    expect(edited).toEqual({
      kind: "problem",
      problem: "it contains 51 hooks of ours, more than the 50 that can be changed; remove them",
    });
  });

  test("leaves one where there were two", () => {
    const text = changed(
      (it) => void it.hooks["UserPromptSubmit"]!.push(structuredClone(it.hooks["UserPromptSubmit"]![0]!)),
    );
    expect(reasonsOf(survey(text).events)).toEqual(["UserPromptSubmit: 2 entries instead of 1"]);
    expect(install(text)).toBe(install(undefined));
  });

  test("moves its own out of a group that is another's", () => {
    const text = changed((it) => {
      it.hooks["UserPromptSubmit"]![0]!.hooks.unshift({ type: "command", command: "./other.sh" });
      handler(it, "UserPromptSubmit", 1)["command"] = "'/old/codelia' hook claude";
    });
    const groups = (readSettingsText(install(text)).data as Settings).hooks["UserPromptSubmit"]!;
    expect(groups.map(({ hooks }) => hooks.map(({ command }) => command))).toEqual([
      ["./other.sh"],
      ["'/opt/bin/codelia' hook claude"],
    ]);
  });

  const PROBLEMS: [text: string, problem: string][] = [
    ["[]", "it is not a JSON object"],
    ["", "it is not a JSON object"],
    ['{"hooks": []}', "its 'hooks' is not an object"],
    ['{"hooks": {"SubagentStop": {}}}', "its 'hooks.SubagentStop' is not a list"],
  ];
  for (const [text, problem] of PROBLEMS) {
    test(`has a problem with ${text || "an empty file"}`, () => expect(() => install(text)).toThrow(problem));
  }
});

describe("uninstall()", () => {
  test("leaves the others in a file that was changed since", () => {
    const text = changed((it) => {
      it.hooks["UserPromptSubmit"]![0]!.hooks.push({ type: "command", command: "./other.sh" });
      it.hooks["Notification"] = [{ hooks: [{ type: "command", command: "./bell.sh" }] }];
      handler(it, "PreToolUse")["timeout"] = 99;
    });
    expect(readSettingsText(uninstall(text) ?? "").data).toEqual({
      hooks: {
        UserPromptSubmit: [{ hooks: [{ type: "command", command: "./other.sh" }] }],
        Notification: [{ hooks: [{ type: "command", command: "./bell.sh" }] }],
      },
    });
  });

  test("leaves no empty 'hooks' in a file that was changed since", () => {
    const text = changed((it) => void (handler(it, "PreToolUse")["timeout"] = 99)).replace("{", '{\n  "model": "x",');
    expect(readSettingsText(uninstall(text) ?? "").data).toEqual({ model: "x" });
  });

  test("leaves a file alone that has nothing of ours", () => {
    for (const text of ["{}", '{"hooks": {}}', '{"hooks": {"Stop": []}} // x', '{ "hooks" : 1 }']) {
      expect(uninstall(text)).toBe(text);
    }
  });
});
