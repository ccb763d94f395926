import { expect, test } from "bun:test";
import { key, typed, type Key } from "../../src/cli/keys.ts";
import { createKeyDecoder } from "../../src/cli/keys.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const COMPLETE: [sent: string, keys: Key[]][] = [
  ["abc", [typed("abc")]],
  ["日本 é 👍🏽", [typed("日本 é 👍🏽")]],
  ["\r", [key("enter")]],
  ["\n", [key("enter")]],
  ["\u001BOM", [key("enter")]],
  ["\u007F", [key("backspace")]],
  ["\b", [key("backspace")]],
  ["\u0003", [key("ctrl-c")]],
  ["\u0014\u0007\u0019", [key("ctrl-t"), key("ctrl-g"), key("ctrl-y")]],
  ["a\u0015b", [typed("a"), key("ctrl-u"), typed("b")]],
  ["\u001B[A\u001B[B\u001B[C\u001B[D", [key("up"), key("down"), key("right"), key("left")]],
  ["\u001BOA\u001BOB", [key("up"), key("down")]],
  ["\u001B[H\u001B[F\u001B[1~\u001B[4~\u001B[7~\u001B[8~", ["home", "end", "home", "end", "home", "end"].map(named)],
  ["\u001B[3~\u001B[5~\u001B[6~", [key("delete"), key("page-up"), key("page-down")]],
  ["\u001B[1;5A\u001B[5;2~", [key("up"), key("page-up")]],
  ["\u001B[200~x\ry\u0003\u001B[A\u001B[201~\r", [typed("x y[A"), key("enter")]],
  ["\u001B[200~\u001B[201~", []],
  ["\u001B[200~a\tb\u009Bc\u001B[201~d", [typed("a bc"), typed("d")]],
  // What means nothing here is nothing, and ends where it ends.
  ["\u001Bx!", [typed("!")]],
  ["\u001B日a", [typed("a")]],
  ["\u001B[Za", [typed("a")]],
  ["\u001B[[Aa", [typed("a")]],
  ["\u001B[?1;2ca", [typed("a")]],
  ["\u001B]11;rgb:0/0/0\u0007a", [typed("a")]],
  ["\u001BP1+r\u001B\\a", [typed("a")]],
  ["\u001B[1\u001B[A", [key("up")]],
  ["\u0000\u001C\u009Ba", [typed("a")]],
  ["\u001B\u001B[A", [key("escape"), key("up")]],
];

function named(name: string): Key {
  return key(name as "home");
}

for (const [sent, keys] of COMPLETE) {
  test(`decode() of ${JSON.stringify(sent)}, at once and byte by byte`, () => {
    const decoder = createKeyDecoder();
    expect(decoder.decode(bytesOf(sent))).toEqual(keys);
    expect(decoder.isUndecided()).toBe(false);
    const slow = createKeyDecoder();
    const parts = [...bytesOf(sent)].flatMap((byte) => slow.decode(Uint8Array.of(byte)));
    expect(joined(parts)).toEqual(joined(keys));
  });
}

/** Neighbouring texts as one. */
function joined(keys: readonly Key[]): Key[] {
  const all: Key[] = [];
  for (const pressed of keys) {
    const last = all.at(-1);
    if (pressed.kind === "text" && last?.kind === "text") all[all.length - 1] = typed(last.text + pressed.text);
    else all.push(pressed);
  }
  return all;
}

test("settle() makes Escape of an escape that stays alone, and nothing of half a key", () => {
  const decoder = createKeyDecoder();
  expect(decoder.decode(bytesOf("\u001B"))).toEqual([]);
  expect(decoder.isUndecided()).toBe(true);
  expect(decoder.settle()).toEqual([key("escape")]);
  expect(decoder.isUndecided()).toBe(false);
  for (const half of ["\u001B[", "\u001BO", "\u001B[1;", "\u001B]0;"]) {
    expect(decoder.decode(bytesOf(half))).toEqual([]);
    expect(decoder.settle()).toEqual([]);
  }
  expect(decoder.decode(bytesOf("a"))).toEqual([typed("a")]);
});

test("decode() waits for the end of a paste however long it takes", () => {
  const decoder = createKeyDecoder();
  expect(decoder.decode(bytesOf("\u001B[200~one\u001B"))).toEqual([typed("one")]);
  expect(decoder.isUndecided()).toBe(false);
  expect(decoder.decode(bytesOf("[20"))).toEqual([]);
  expect(decoder.decode(bytesOf("1~\r"))).toEqual([key("enter")]);
});

test("decode() is not held up by a sequence without an end", () => {
  const decoder = createKeyDecoder();
  decoder.decode(bytesOf(`\u001B]${"x".repeat(300)}`));
  expect(decoder.decode(bytesOf("a"))).toEqual([typed("a")]);
});
