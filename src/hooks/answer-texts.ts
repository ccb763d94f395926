import { isTable } from "../lib/table.ts";

const MAX_DEPTH = 6;
const MAX_TEXTS = 1000;

/** The texts in what a tool has answered, whatever its shape: each host, and each tool, has another. */
export function textsIn(answer: unknown): string[] {
  const texts: string[] = [];
  collect(answer, texts, 0);
  return texts;
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (depth > MAX_DEPTH || texts.length >= MAX_TEXTS) return;
  if (typeof value === "string") {
    texts.push(value);
    if (/^\s*[[{]/.test(value)) collect(unfolded(value), texts, depth + 1);
  } else if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1);
  else if (isTable(value)) for (const item of Object.values(value)) collect(item, texts, depth + 1);
}

/** Some hosts give an object as its JSON. */
function unfolded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** At the beginning of each line where a program has numbered them. */
const LINE_NUMBERS = /^ *\d+[\t→:] ?/gm;

/** Whether a text stands whole in one of several, line by line, be their lines numbered or not. */
export function standingIn(wholes: readonly string[]): (text: string) => boolean {
  const lined = wholes.map((whole) => `\n${whole}\n`);
  let unnumbered: readonly string[] | undefined;
  return (text) => {
    const wanted = `\n${text.trim()}\n`;
    if (lined.some((whole) => whole.includes(wanted))) return true;
    unnumbered ??= wholes.map((whole) => `\n${whole.replace(LINE_NUMBERS, "")}\n`);
    return unnumbered.some((whole) => whole.includes(wanted));
  };
}
