import { SaxesParser } from "saxes";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/** On success the elements and the text of the fragment are the root's children. */
type ParsedFragment = { ok: true; root: XmlElement } | { ok: false; error: string };

/** Reads text as the content of one element, as strictly as XML 1.0 asks. */
export function parseFragment(text: string): ParsedFragment {
  const root = { name: "fragment", attributes: {}, children: [] as (XmlElement | string)[] };
  const open: (typeof root)[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = open.length === 0 ? root : { name, attributes: { ...attributes }, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  for (const event of ["text", "cdata"] as const) {
    parser.on(event, (characters) => void open.at(-1)?.children.push(characters));
  }
  for (const event of ["comment", "processinginstruction"] as const) {
    parser.on(event, () => parser.fail(`${event}: we never print one`));
  }
  try {
    parser.write("<fragment>").write(text).write("</fragment>").close();
  } catch (error) {
    return { ok: false, error: (error as Error).message };
  }
  return { ok: true, root };
}

/** Every element of that name, at any depth, in document order. */
export function elementsNamed(name: string, { children }: XmlElement): XmlElement[] {
  return children.flatMap((child) => {
    if (typeof child === "string") return [];
    const below = elementsNamed(name, child);
    return child.name === name ? [child, ...below] : below;
  });
}

/** All text in an element, including that of its children. */
export function textOf({ children }: XmlElement): string {
  return children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

/**
 * What we print without the text of files, which is verbatim and need not be XML. In `<agents_context>` it follows an
 * `Instructions from: <path>` line; in `<skill_context>` it precedes the last `Base directory: ` line.
 */
export function blankBodies(text: string): string {
  const kept: string[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    kept.push(line);
    if (opens(line, "agents_context")) {
      const end = closingLine(lines, index, "agents_context");
      kept.push(...lines.slice(index + 1, end).filter(outsideBodies()));
      index = end - 1;
    } else if (opens(line, "skill_context")) {
      const end = closingLine(lines, index, "skill_context");
      const footer = lines.slice(0, end).findLastIndex((candidate) => candidate.startsWith("Base directory: "));
      index = (footer > index ? footer : end) - 1;
    }
  }
  return kept.join("\n");
}

function opens(line: string, element: string): boolean {
  return line === `<${element}>` || (line.startsWith(`<${element} `) && line.endsWith(">") && !line.endsWith("/>"));
}

function closingLine(lines: readonly string[], from: number, element: string): number {
  const found = lines.indexOf(`</${element}>`, from);
  return found < 0 ? lines.length : found;
}

/** Keeps everything above the first text, and the line that announces each. */
function outsideBodies(): (line: string) => boolean {
  let insideBody = false;
  return (line) => {
    const announces = line.startsWith("Instructions from: ");
    insideBody ||= announces;
    return announces || !insideBody;
  };
}
