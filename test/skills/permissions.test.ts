import { expect, test } from "bun:test";
import {
  disabledBy,
  withoutDisabled,
  decidePermission,
  permissionRules,
  type Decision,
} from "../../src/skills/permissions.ts";
import type { Layer } from "../../src/config/settings.ts";
import type { PermissionRule, SkillScope } from "../../src/config/schema.ts";

const DISABLING = [
  { source: "/home/u/.codelia/config.yaml", config: { skills: { disabled: ["one", "Two"] } } },
  { source: "/r/.codelia/config.json", config: { skills: { disabled: ["one", "ｔｈｒｅｅ"] } } },
  { source: "flags", config: {} },
];

const DISABLED: [name: string, source: string | undefined][] = [
  ["one", DISABLING[0]?.source],
  ["ONE", DISABLING[0]?.source],
  ["two", DISABLING[0]?.source],
  ["three", DISABLING[1]?.source],
  ["four", undefined],
  ["on", undefined],
];
for (const [name, source] of DISABLED) {
  test(`disabledBy() names ${source ?? "nothing"} for '${name}'`, () => {
    expect(disabledBy(DISABLING, name)).toBe(source);
  });
}

test("withoutDisabled() leaves out what is disabled in any letter case or width, and keeps the order", () => {
  const skills = ["four", "One", "TWO", "three", "five"].map((name) => ({ name }));
  const kept = withoutDisabled(skills, ["one", "Two", "ｔｈｒｅｅ"]);
  expect(kept.map(({ name }) => name)).toEqual(["four", "five"]);
  expect(withoutDisabled(skills, [])).toEqual(skills);
});

type Rules = Partial<Record<Decision, Omit<PermissionRule, "tool">[]>>;

const USER = "/home/u/.codelia/config.yaml";
const PROJECT = "/r/.codelia/config.json";
const ALL = {};
const X = { skill_name: "x" };

const CASES: [does: string, user: Rules, project: Rules, decision: Decision, rule: string | undefined][] = [
  ["allows where there is no rule", {}, {}, "allow", undefined],
  ["allows where no rule matches", { deny: [{ skill_name: "y" }] }, {}, "allow", undefined],
  ["denies by name", { deny: [{ skill_name: "y" }, X] }, {}, "deny", `permissions.deny[1] in ${USER}`],
  ["denies the whole tool", { deny: [ALL] }, {}, "deny", `permissions.deny[0] in ${USER}`],
  ["does not take part of a name for it", { deny: [{ skill_name: "x-y" }] }, {}, "allow", undefined],
  ["denies by scope", { deny: [{ scope: "repo" }] }, {}, "deny", `permissions.deny[0] in ${USER}`],
  ["leaves another scope alone", { deny: [{ scope: "user" }, { ...X, scope: "user" }] }, {}, "allow", undefined],
  ["denies by name and scope", { deny: [{ ...X, scope: "repo" }] }, {}, "deny", `permissions.deny[0] in ${USER}`],
  ["asks", { confirm: [X] }, {}, "confirm", `permissions.confirm[0] in ${USER}`],
  ["lets a deny win over an allow", { allow: [X], deny: [ALL] }, {}, "deny", `permissions.deny[0] in ${USER}`],
  ["lets an allow win over a confirm", { allow: [X], confirm: [ALL] }, {}, "allow", `permissions.allow[0] in ${USER}`],
  ["lets a deny win over a confirm", { confirm: [X], deny: [X] }, {}, "deny", `permissions.deny[0] in ${USER}`],
  ["lets any layer deny", { allow: [X] }, { deny: [X] }, "deny", `permissions.deny[0] in ${PROJECT}`],
  [
    "lets the user allow what a project asks",
    { allow: [X] },
    { confirm: [X] },
    "allow",
    `permissions.allow[0] in ${USER}`,
  ],
  ["names the first rule that decides", { deny: [X] }, { deny: [X] }, "deny", `permissions.deny[0] in ${USER}`],
];
for (const [does, user, project, decision, rule] of CASES) {
  test(`decidePermission() ${does}`, () => {
    const rules = permissionRules([layerOf(USER, user), layerOf(PROJECT, project)]);
    expect(decidePermission(rules, { name: "x", scope: "repo" })).toEqual({ decision, rule });
  });
}

const NAMES: [name: string, scope: SkillScope, decision: Decision][] = [
  ["repo-review", "repo", "deny"],
  ["Repo-Review", "repo", "deny"],
  ["REPO-REVIEW", "user", "deny"],
  ["ｒｅｐｏ-review", "repo", "deny"],
  [" repo-review ", "repo", "deny"],
  ["repo_review", "repo", "allow"],
  ["repo-review-2", "repo", "allow"],
  ["repo", "repo", "allow"],
];
for (const [name, scope, decision] of NAMES) {
  test(`decidePermission() says ${decision} for '${name}' where 'repo-review' is denied`, () => {
    const rules = permissionRules([layerOf(USER, { deny: [{ skill_name: "repo-review" }] })]);
    expect(decidePermission(rules, { name, scope }).decision).toBe(decision);
  });
}

function layerOf(source: string, rules: Rules): Layer {
  const withTool = Object.entries(rules).map(([decision, list]) => [
    decision,
    list.map((rule) => ({ tool: "skill_load", ...rule })),
  ]);
  return { source, config: { permissions: Object.fromEntries(withTool) } };
}
