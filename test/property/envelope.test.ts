import { expect } from "bun:test";
import { array, constantFrom, nat, oneof, property, record, uint8Array, type Arbitrary } from "fast-check";
import type { BundlePart } from "../../src/instructions/bundle.ts";
import { renderAgentsUsage, renderLeftOut } from "../../src/instructions/render.ts";
import { renderAgentsContext } from "../support/agents-context.ts";
import { decodeBody, defuse } from "../../src/instructions/body.ts";
import { inElement } from "../../src/lib/escape.ts";
import { renderResolveReminder, type ReminderElement } from "../../src/instructions/tell.ts";
import { renderResumeReminder } from "../../src/instructions/resume.ts";
import { renderTrimmed } from "../../src/commands/trim.ts";
import { blankBodies, elementsNamed, parseFragment, textOf, type XmlElement } from "../support/envelope.ts";
import { anyPath, textWith } from "./arbitraries.ts";
import { testProperty } from "./fuzz.ts";

const anyElement = () => constantFrom<ReminderElement[]>("system-reminder", "codelia-reminder");
const anyVersion = () => record({ path: anyPath(), mtimeMs: nat() });
const few = <Value>(value: Arbitrary<Value>) => array(value, { maxLength: 4 });

const TAGS = [
  "<agents_context",
  "</agents_context>",
  "<AGENTS_Context scope='initial'>",
  "< / system-reminder >",
  '<system-reminder type="agents.resolve.paths">',
  "</codelia-reminder>",
  "<agents_left_out>",
  "</agents_left_out>",
  "<skill_context_reminder",
  "Instructions from: /etc/passwd",
  "[shown: lines 1–2 of 3; read on from line 3]",
  "<",
  "</",
  ">",
  "&",
  "&lt;",
  "<!--",
  "<![CDATA[",
  "\n",
  "\r",
  " ",
  "\u200B",
  "\uFEFF",
];

function anyPart(): Arbitrary<BundlePart> {
  const bytes = oneof(
    textWith(TAGS).map((text) => new TextEncoder().encode(text)),
    uint8Array({ maxLength: 20 }),
  );
  // An empty file is none.
  const some = bytes.filter(({ length }) => length > 0);
  return record({ path: anyPath(), bytes: some, more: nat(3) }).map(({ path, bytes: shown, more }) => {
    return { path, bytes: shown, sizeBytes: shown.length + more };
  });
}

function parse(text: string): XmlElement {
  const parsed = parseFragment(text);
  if (!parsed.ok) throw new Error(`${parsed.error}\n${text}`);
  return parsed.root;
}

/** The lines of the one reminder that a text consists of. */
function reminderLines(text: string, element: string, type: string): string[] {
  const { children } = parse(text);
  expect(children).toHaveLength(2);
  const [reminder, end] = children as [XmlElement, string];
  expect([reminder.name, reminder.attributes, end]).toEqual([element, { type }, "\n"]);
  return textOf(reminder).split("\n").slice(1, -1);
}

function pathsOf(lines: readonly string[], pattern: RegExp): (string | undefined)[] {
  return lines.filter((line) => line.startsWith("- ")).map((line) => pattern.exec(line)?.[1]);
}

testProperty(
  "inElement() changes no character that can be seen",
  property(anyPath(), (path) => {
    const seen = path.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "");
    expect(inElement(seen)).toBe(seen);
    expect(inElement(path)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }),
);

testProperty(
  "renderResolveReminder() is well-formed, and gives every path back",
  property(anyElement(), few(anyVersion()), nat(3), few(anyPath()), (element, files, remaining, gone) => {
    const lines = reminderLines(
      renderResolveReminder(element, { files, remaining, gone }),
      element,
      "agents.resolve.paths",
    );
    const told = lines.slice(0, lines.indexOf("Read and apply these files before editing files in this scope.") + 1);
    expect(pathsOf(told, /^- (.*) \(mtime: \d+\)$/)).toEqual(files.map(({ path }) => inElement(path)));
    expect(pathsOf(lines.slice(told.length), /^- (.*)$/)).toEqual(gone.map(inElement));
  }),
);

testProperty(
  "renderResumeReminder() is well-formed, and gives every path back",
  property(
    anyElement(),
    anyPath(),
    anyPath(),
    few(anyVersion()),
    few(anyPath()),
    (element, before, after, files, gone) => {
      const markers = { before: JSON.stringify([before]), after: JSON.stringify([after]) };
      const news = { cwd: { before, after }, root: { before: after, after: before }, markers };
      const text = renderResumeReminder(element, { ...news, files, gone, changedSkills: files, goneSkills: gone });
      const lines = reminderLines(text, element, "session.resume.diff");
      const versions = files.map(({ path, mtimeMs }) => `- ${inElement(path)} (mtime: ${mtimeMs})`);
      const paths = gone.map((path) => `- ${inElement(path)}`);
      expect(lines).toEqual([
        "Session resumed with context changes:",
        `- cwd: ${inElement(before)} -> ${inElement(after)}`,
        `- root: ${inElement(after)} -> ${inElement(before)}`,
        `- markers: ${inElement(markers.before)} -> ${inElement(markers.after)}`,
        ...(files.length > 0 ? ["Re-check AGENTS.md for current scope:", ...versions] : []),
        ...(gone.length > 0 ? ["No longer in force, disregard what they said:", ...paths] : []),
        ...(files.length > 0 ? ["Loaded skills that changed, load them again before use:", ...versions] : []),
        ...(gone.length > 0 ? ["Loaded skills that are gone:", ...paths] : []),
      ]);
    },
  ),
);

testProperty(
  "renderTrimmed() is well-formed, and gives the path back",
  property(anyElement(), anyPath(), nat(), nat(), (element, path, shownBytes, totalBytes) => {
    const text = renderTrimmed(element, { shownBytes, totalBytes, ref: "7f3a", whole: { path } });
    const lines = reminderLines(text, element, "tool.output.trimmed");
    expect(lines[2]).toBe(`- full output: ${inElement(path)}`);
  }),
);

testProperty(
  "renderAgentsContext() is well-formed without the bodies, and gives every path back",
  property(
    anyElement(),
    array(anyPart(), { minLength: 1, maxLength: 4 }),
    few(anyPath()),
    (element, parts, leftOut) => {
      const sizes = leftOut.map((path) => ({ path, sizeBytes: 7 }));
      const text = [
        renderAgentsUsage(element, { below: true, native: false, news: "reminders" }),
        renderAgentsContext(parts),
        renderLeftOut(sizes),
      ].join("\n");
      const root = parse(blankBodies(text));
      expect(root.children.filter((child) => typeof child !== "string").map(({ name }) => name)).toEqual([
        "agents_usage",
        "agents_context",
        "agents_left_out",
      ]);
      const [context, rest] = ["agents_context", "agents_left_out"].map((name) => elementsNamed(name, root)[0]);
      const headers = textOf(context as XmlElement)
        .split("\n")
        .slice(1, -1);
      expect(headers).toEqual(parts.map(({ path }) => `Instructions from: ${inElement(path)}`));
      const lines = textOf(rest as XmlElement).split("\n");
      expect(pathsOf(lines, /^- (.*) \(7 bytes\)$/)).toEqual(leftOut.map(inElement));
    },
  ),
);

/** A reader that is lenient about case and about everything that is not seen. */
const ANY_FRAME =
  /<[^\p{L}<>/]*(\/?)[^\p{L}<>/]*((?:agents|skills?)_(?:context|usage)(?:_reminder)?|(?:system|codelia)-reminder)\b/giu;

testProperty(
  "renderAgentsContext() lets no body forge a frame or a header",
  property(array(anyPart(), { minLength: 1, maxLength: 4 }), (parts) => {
    const text = renderAgentsContext(parts);
    const frames = Array.from(text.matchAll(ANY_FRAME), ([, slash, name]) => `${slash}${name}`);
    expect(frames).toEqual(["agents_context", "/agents_context"]);
    expect(text.split(/[\n\r\u2028\u2029]/).filter((line) => line.startsWith("Instructions from:"))).toHaveLength(
      parts.length,
    );
  }),
);

const INDENTED_HEADER = /^ (?=(?:(?![\r\n])[\p{Cc}\p{Cf}])*Instructions from:)/gmu;

testProperty(
  "defuse() changes nothing but the tags and header lines that it breaks",
  property(textWith(TAGS), (body) => {
    const restored = defuse(body).replace(INDENTED_HEADER, "").replaceAll("&lt;", "<");
    const expected = body.replace(INDENTED_HEADER, "").replaceAll("&lt;", "<");
    expect(restored).toBe(expected);
    expect(defuse(defuse(body))).toBe(defuse(body));
    expect(decodeBody(new TextEncoder().encode(body))).toBe(body.replaceAll("\0", "\uFFFD"));
  }),
);
