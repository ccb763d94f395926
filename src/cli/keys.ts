interface KeyDecoder {
  /** Returns the complete keys; the beginning of another one waits for more bytes. */
  decode(bytes: Uint8Array): Key[];
  /** Whether an Escape at the end may still become another key. */
  isUndecided(): boolean;
  /** Returns the rest unchanged once nothing more has arrived for a while. */
  settle(): Key[];
}

const ESCAPE = "\u001B";

const PASTE_END = `${ESCAPE}[201~`;

/** No key has a longer sequence; a longer one is skipped. */
const MAX_SEQUENCE = 256;

/**
 * Keys from the bytes that a terminal sends, however they are split into reads.
 *
 * @ensures texts contain no control characters, and pasted input is only text
 */
export function createKeyDecoder(): KeyDecoder {
  const decoder = new TextDecoder();
  let rest = "";
  let isPasting = false;

  function take(): Key[] {
    const keys: Key[] = [];
    for (;;) {
      if (rest === "") return keys;
      const length = isPasting ? takePasted(keys) : takeOne(keys);
      if (length === 0) return keys;
      rest = rest.slice(length);
    }
  }

  /** How much of `rest` was used; 0 if it is incomplete. */
  function takeOne(keys: Key[]): number {
    if (rest.startsWith(ESCAPE)) {
      const length = sequenceLength(rest);
      const sequence = rest.slice(0, length);
      if (sequence === `${ESCAPE}[200~`) isPasting = true;
      else keys.push(...keysOfSequence(sequence));
      return length;
    }
    const [plain] = /^[^\p{Cc}]+/u.exec(rest) ?? [];
    if (plain !== undefined) keys.push(typed(plain));
    else keys.push(...keysOfControl(rest.charCodeAt(0)));
    return plain?.length ?? 1;
  }

  function takePasted(keys: Key[]): number {
    const end = rest.indexOf(PASTE_END);
    const length = end < 0 ? rest.length - partialEnd(rest) : end;
    const text = rest
      .slice(0, length)
      .replaceAll(/[\t\r\n]+/g, " ")
      .replaceAll(/\p{Cc}/gu, "");
    if (text !== "") keys.push(typed(text));
    if (end >= 0) isPasting = false;
    return end < 0 ? length : length + PASTE_END.length;
  }

  return {
    decode(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      return take();
    },
    isUndecided: () => !isPasting && rest.startsWith(ESCAPE),
    settle() {
      const wasAlone = rest === ESCAPE;
      rest = "";
      return wasAlone ? [key("escape")] : [];
    },
  };
}

/** How much of the end of a pasted text may be the beginning of the end mark. */
function partialEnd(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (PASTE_END.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/** The length of the sequence that `text` begins with, or 0 if it is incomplete. */
function sequenceLength(text: string): number {
  if (text.length > MAX_SEQUENCE) return text.length;
  switch (text[1]) {
    case undefined:
      return 0;
    case ESCAPE:
      return 1;
    case "[":
      return controlSequenceLength(text);
    case "O":
      return text[2] === undefined ? 0 : 3;
    // Answers of the terminal to another program's questions.
    case "]":
    case "P":
    case "_":
    case "^":
    case "X": {
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      const [answer] = /^[^\u0007]*?(?:\u0007|\u001B\\)/.exec(text) ?? [];
      return answer?.length ?? 0;
    }
    default:
      return 1 + String.fromCodePoint(text.codePointAt(1) ?? 0).length;
  }
}

function controlSequenceLength(text: string): number {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  const length = /^\u001B\[[ -?]*/.exec(text)?.[0].length ?? 0;
  const final = text[length];
  if (final === undefined) return 0;
  // The function keys of a Linux console have a second bracket.
  if (final === "[" && length === 2) return text[3] === undefined ? 0 : 4;
  return /[@-~]/.test(final) ? length + 1 : length;
}

const LETTERS: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
};

const NUMBERS: Readonly<Record<string, KeyName>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

/** Modifiers are ignored: a key with Shift, Alt or Ctrl is the same key. */
function keysOfSequence(sequence: string): Key[] {
  if (sequence === ESCAPE) return [key("escape")];
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  const [, number = "", final = ""] = /^\u001B[[O](\d*)(?:;[\d;]*)?([A-Za-z~])$/.exec(sequence) ?? [];
  const names = final === "~" ? NUMBERS : LETTERS;
  const named = final === "~" ? number : final;
  const name = Object.hasOwn(names, named) ? names[named] : undefined;
  return name === undefined ? [] : [key(name)];
}

function keysOfControl(code: number): Key[] {
  switch (code) {
    case 0x08:
    case 0x7f:
      return [key("backspace")];
    case 0x0a:
    case 0x0d:
      return [key("enter")];
    default:
      return code >= 1 && code <= 26 ? [key(`ctrl-${String.fromCodePoint(code + 0x60)}`)] : [];
  }
}

/** What a person does at the keyboard, whatever bytes the terminal sends. */
export type Key =
  /** Typed or pasted: only ever text, without control characters. */
  { readonly kind: "text"; readonly text: string } | { readonly kind: "key"; readonly name: KeyName };

export type KeyName =
  | "enter"
  | "escape"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "up"
  | "down"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  /** Ctrl with a letter that has no other name here. */
  | `ctrl-${string}`;

export function key(name: KeyName): Key {
  return { kind: "key", name };
}

export function typed(text: string): Key {
  return { kind: "text", text };
}
