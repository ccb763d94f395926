import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { key, typed } from "../../src/cli/keys.ts";
import { withTerminal } from "../../src/cli/terminal.ts";
import type { Signal, World } from "../../src/world.ts";
import { fakeWorld } from "../support/fake-world.ts";

const LEAVE = "\u001B[?7h\u001B[?2004l\u001B[?25h\u001B[0m\u001B[?1049l";

/** A world whose keyboard and signals a test has in hand. */
function worldWithKeyboard() {
  const keyboard = new PassThrough();
  const modes: boolean[] = [];
  const listeners = new Map<Signal, () => void>();
  const raised: Signal[] = [];
  const fake = fakeWorld();
  const world: World = {
    ...fake,
    keyboard: () =>
      Object.assign(keyboard, { setRawMode: (mode: boolean) => modes.push(mode) }) as unknown as ReadStream,
    onSignal(signal, listener) {
      listeners.set(signal, listener);
      return () => void listeners.delete(signal);
    },
    raise: (signal) => void raised.push(signal),
  };
  return { world, keyboard, modes, listeners, raised, complaints: fake.complaints };
}

test("withTerminal() gives the terminal back when the body throws", async () => {
  const { world, modes, listeners, complaints, keyboard } = worldWithKeyboard();
  const failed = withTerminal(world, () => Promise.reject(new Error("broken")));
  await expect(failed).rejects.toThrow("broken");
  expect(modes).toEqual([true, false]);
  expect(complaints.at(-1)).toBe(LEAVE);
  expect([...listeners.keys()]).toEqual([]);
  expect(keyboard.destroyed).toBe(true);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) {
  test(`withTerminal() gives the terminal back, then lets ${signal} have its effect`, async () => {
    const { world, modes, listeners, raised, complaints } = worldWithKeyboard();
    const ended = await withTerminal(world, async (terminal) => {
      listeners.get(signal)?.();
      expect({ modes, raised, listening: listeners.size }).toEqual({
        modes: [true, false],
        raised: [signal],
        listening: 0,
      });
      return (await terminal.next()).kind;
    });
    expect(ended).toBe("end");
    expect(complaints.filter((text) => text === LEAVE)).toHaveLength(1);
  });
}

test("withTerminal() tells keys and sizes in their order, and the end", async () => {
  const { world, keyboard, listeners } = worldWithKeyboard();
  await withTerminal(world, async (terminal) => {
    expect(terminal.hasNext()).toBe(false);
    const waiting = terminal.next();
    keyboard.write("日\r");
    expect(await waiting).toEqual({ kind: "key", key: typed("日") });
    listeners.get("SIGWINCH")?.();
    expect(terminal.hasNext()).toBe(true);
    expect(await terminal.next()).toEqual({ kind: "key", key: key("enter") });
    expect(await terminal.next()).toEqual({ kind: "resize" });
    keyboard.end();
    expect((await terminal.next()).kind).toBe("end");
  });
});

test("withTerminal() takes an escape that stays alone for the key", async () => {
  const { world, keyboard } = worldWithKeyboard();
  const event = await withTerminal(world, (terminal) => {
    keyboard.write("\u001B");
    return terminal.next();
  });
  expect(event).toEqual({ kind: "key", key: key("escape") });
});

test("withTerminal() takes the terminal again after the program was stopped", async () => {
  const { world, modes, listeners, complaints } = worldWithKeyboard();
  const event = await withTerminal(world, (terminal) => {
    listeners.get("SIGCONT")?.();
    return terminal.next();
  });
  expect(event).toEqual({ kind: "resize" });
  expect(modes).toEqual([true, false, true, false]);
  expect(complaints.filter((text) => text.includes("\u001B[?1049h"))).toHaveLength(2);
});
