import { expect, test } from "bun:test";
import { key, typed, type Key, type KeyName } from "../../src/cli/keys.ts";
import {
  openPicker,
  placesOff,
  selectedSkill,
  setOff,
  setPageSize,
  step,
  type PickerEffect,
  type PickerState,
} from "../../src/skills/picker.ts";
import type { Skill } from "../../src/skills/skill.ts";

const NAMES = ["deploy", "review", "release", "notes", "format", "lint"];
const NOTHING_OFF = { project: new Set<string>(), user: new Set<string>() };

function skill(name: string): Skill {
  const dir = `/r/.agents/skills/${name}`;
  return { name, description: `To ${name}`, path: `${dir}/SKILL.md`, dir, scope: "repo", mtimeMs: 0, distance: 0 };
}

function opened(pageSize = 3): PickerState {
  return openPicker(NAMES.map(skill), NOTHING_OFF, pageSize, "");
}

function after(state: PickerState, ...keys: readonly (KeyName | Key)[]): PickerState {
  let current = state;
  for (const pressed of keys) current = step(current, typeof pressed === "string" ? key(pressed) : pressed).state;
  return current;
}

test("openPicker() shows every skill in the given order", () => {
  expect(opened().matches.map(({ name }) => name)).toEqual(NAMES);
});

const SEARCHES: [keys: (KeyName | Key)[], query: string, found: string[]][] = [
  [[typed("review")], "review", ["review"]],
  [[typed("re")], "re", ["release", "review"]],
  [[typed("re"), typed("l")], "rel", ["release"]],
  [[typed("revx"), "backspace"], "rev", ["review"]],
  [[typed("notes review"), "ctrl-w", "ctrl-w"], "", NAMES],
  [[typed("zzz"), "ctrl-u"], "", NAMES],
  [[typed("zzz")], "zzz", []],
  [[typed("  ")], "  ", NAMES],
  [[typed("eview"), "ctrl-a", typed("r")], "review", ["review"]],
  [[typed("eview"), "left", "left", "ctrl-e", "right", "ctrl-b", "delete"], "evie", ["review"]],
  [[typed("o")], "o", ["deploy", "review", "release", "notes", "format", "lint"]],
  [[typed("EVIE")], "EVIE", ["review"]],
  [[typed("le")], "le", ["release"]],
  [[typed("$review")], "$review", ["review"]],
];

for (const [keys, query, found] of SEARCHES) {
  test(`step() finds ${found.join(", ") || "nothing"} for '${query}' after ${keys.length} keys`, () => {
    const state = after(opened(), ...keys);
    expect(state.query.text).toBe(query);
    expect(state.matches.map(({ name }) => name)).toEqual(found);
    expect(state.selected).toBe(0);
  });
}

const MOVES: [keys: KeyName[], selected: number, top: number][] = [
  [[], 0, 0],
  [["down"], 1, 0],
  [["ctrl-n", "ctrl-n", "ctrl-n"], 3, 1],
  [["up"], 0, 0],
  [["down", "ctrl-p"], 0, 0],
  [["page-down"], 3, 1],
  [["page-down", "page-down", "page-down"], 5, 3],
  [["end"], 5, 3],
  [["end", "up", "up"], 3, 3],
  [["end", "up", "up", "up"], 2, 2],
  [["end", "page-up"], 2, 2],
  [["end", "home"], 0, 0],
];

for (const [keys, selected, top] of MOVES) {
  test(`step() selects ${selected} from ${top} on after ${keys.join(", ") || "nothing"}`, () => {
    const state = after(opened(), ...keys);
    expect({ selected: state.selected, top: state.top }).toEqual({ selected, top });
  });
}

const EFFECTS: [name: KeyName, effect: PickerEffect | undefined][] = [
  ["enter", "print"],
  ["ctrl-y", "copy"],
  ["ctrl-t", "toggle-project"],
  ["ctrl-g", "toggle-user"],
  ["escape", "quit"],
  ["ctrl-c", "interrupt"],
  ["ctrl-k", undefined],
  ["down", undefined],
];

for (const [name, effect] of EFFECTS) {
  test(`step() has the effect ${effect ?? "of none"} for ${name}`, () => {
    expect(step(opened(), key(name)).effect).toBe(effect);
  });
}

for (const name of ["enter", "ctrl-y", "ctrl-t", "ctrl-g"] as const) {
  test(`step() says that nothing is selected where ${name} has nothing to work on`, () => {
    const { state, effect } = step(after(opened(), typed("zzz")), key(name));
    expect(effect).toBeUndefined();
    expect(state.message).toBe("no skill matches; Ctrl-U clears the search");
  });
}

test("step() takes no disabled skill, and says how to enable it", () => {
  const off = setOff(setOff(opened(), "user", "deploy", true), "project", "review", true);
  const { state, effect } = step(off, key("enter"));
  expect(effect).toBeUndefined();
  expect(state.message).toBe("'deploy' is disabled and can't be loaded; Ctrl-G enables it");
  expect(after(off, "down", "ctrl-y").message).toContain("Ctrl-T enables it");
  expect(step(setOff(off, "user", "deploy", false), key("enter")).effect).toBe("print");
});

test("step() forgets the message at the next key", () => {
  expect(after(opened(), typed("zzz"), "enter", "backspace").message).toBe("");
});

test("setOff() changes one place and leaves the other", () => {
  const both = setOff(setOff(opened(), "user", "lint", true), "project", "lint", true);
  expect(placesOff(both.off, "lint")).toEqual(["project", "user"]);
  expect(placesOff(setOff(both, "project", "lint", false).off, "lint")).toEqual(["user"]);
  expect(placesOff(both.off, "deploy")).toEqual([]);
});

test("setPageSize() keeps what is selected in sight", () => {
  const state = after(opened(6), "end");
  for (const pageSize of [0, 1, 2, 5, 6, 100]) {
    const { selected, top } = setPageSize(state, pageSize);
    expect(selected).toBe(5);
    expect(top).toBe(6 - Math.max(1, Math.min(pageSize, 6)));
  }
});

test("selectedSkill() is undefined without any skill", () => {
  expect(selectedSkill(after(openPicker([], NOTHING_OFF, 3, ""), "down", "end", "page-up"))).toBeUndefined();
});
