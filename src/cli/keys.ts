/** What a person does at the keyboard, whatever bytes the terminal sends for it. */
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
