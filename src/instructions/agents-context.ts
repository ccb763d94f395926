import { decodeBody, defuse } from "./body.ts";
import { FILE_HEADER } from "./elements.ts";
import { escapeText } from "../lib/escape.ts";
import { framed } from "./framed.ts";

export interface BundlePart {
  readonly path: string;
  /** What is shown of it. */
  readonly bytes: Uint8Array;
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

export interface LeftOut {
  readonly path: string;
  readonly sizeBytes: number;
  /** What the reader has of it from elsewhere. */
  readonly givenBytes?: number;
}

/** `<agents_context scope="initial">` with every file's text. */
export function renderAgentsContext(parts: readonly BundlePart[]): string {
  return framed("agents_context", parts.map(renderFile).join("\n"), ' scope="initial"');
}

/** What did not fit, by path and size. */
export function renderLeftOut(leftOut: readonly LeftOut[]): string {
  const lines = leftOut.map(leftOutLine).join("");
  return framed("agents_left_out", `Over the limit; read these files before working in their scope:\n${lines}`);
}

function leftOutLine({ path, sizeBytes, givenBytes = 0 }: LeftOut): string {
  const given = givenBytes === 0 ? "" : `, of which you were given the first ${givenBytes}`;
  return `- ${escapeText(path)} (${sizeBytes} bytes${given})\n`;
}

/** One file's text with its heading. */
export function renderFile(part: BundlePart): string {
  const body = defuse(decodeBody(part.bytes));
  const lineEnd = body.endsWith("\n") ? "" : "\n";
  const cut =
    part.shownBytes < part.sizeBytes
      ? `[cut: ${part.shownBytes} of ${part.sizeBytes} bytes shown; read the file for the rest]\n`
      : "";
  return `${FILE_HEADER} ${escapeText(part.path)}\n${body}${lineEnd}${cut}`;
}
