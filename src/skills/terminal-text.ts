import type { PickerPicture } from "./picker-view-picker.ts";

/** The bytes that draw a picture over the one before. Each line is erased first: after it, its last column would go. */
export function renderFrame({ lines, cursor }: PickerPicture): string {
  const drawn = lines.map((line, row) => `\u001B[${row + 1};1H\u001B[K${line}`);
  return `\u001B[?25l${drawn.join("")}\u001B[${cursor.row + 1};${cursor.column + 1}H\u001B[?25h`;
}

/** Asks the terminal to put a text on the clipboard (OSC 52); whether it does it never says. */
export function renderCopy(text: string): string {
  const bytes = String.fromCodePoint(...new TextEncoder().encode(text));
  return `\u001B]52;c;${btoa(bytes)}\u0007`;
}
