import type { Frame } from "./elements.ts";

/** An element around whole lines. `attributes` begin with a space, their values escaped. */
export function framed(frame: Frame, lines: string, attributes = ""): string {
  return `<${frame}${attributes}>\n${lines}</${frame}>\n`;
}
