import { deepStrictEqual, equal, ok } from "node:assert/strict";
import type { BundlePart } from "../../../src/instructions/bundle.ts";
import { renderAgentsUsage, renderLeftOut } from "../../../src/instructions/render.ts";
import { renderAgentsContext } from "../../support/agents-context.ts";
import { decodeBody, defuse } from "../../../src/instructions/body.ts";
import { planDelivery } from "../../../src/instructions/delivery.ts";
import { inElement } from "../../../src/lib/escape.ts";
import {
  renderPermissionReminder,
  renderSkillContext,
  renderSkillReminder,
  renderSkillsContext,
  renderSkillsList,
  renderSkillsSearch,
} from "../../../src/skills/render.ts";
import { renderResolveReminder } from "../../../src/instructions/tell.ts";
import { renderResumeReminder } from "../../../src/instructions/resume.ts";
import { renderSkillPointers } from "../../../src/skills/prompt.ts";
import { renderTrimmed } from "../../../src/commands/trim.ts";
import { blankBodies, elementsNamed, parseFragment, textOf, type XmlElement } from "../../support/envelope.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** An input is a name, a path, a description and a body, with this between them. */
const BETWEEN = "\u001F";
const ELEMENT = "system-reminder";
const MOST_IN_A_PART = 600;

interface Material {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly bytes: Uint8Array;
}

/** Everything that we print as XML, each with what it must give back: attributes and texts by the element's name. */
const PRINTED: Readonly<Record<string, (material: Material) => string>> = {
  resolve: ({ path, name }) =>
    renderResolveReminder(ELEMENT, { files: [{ path, mtimeMs: 1 }], remaining: 1, gone: [name] }),
  resume: ({ path, name, description }) =>
    renderResumeReminder(ELEMENT, {
      cwd: { before: path, after: name },
      root: { before: name, after: path },
      markers: { before: description, after: "" },
      files: [{ path, mtimeMs: 1 }],
      gone: [path],
      changedSkills: [{ path: name, mtimeMs: 2 }],
      goneSkills: [description],
    }),
  trimmed: ({ path }) =>
    renderTrimmed(ELEMENT, { shownBytes: 1, totalBytes: 2, ref: "0a", whole: { path } }),
  permission: ({ name, path, description }) =>
    renderPermissionReminder(ELEMENT, { name, path, decision: "confirm", rule: description }),
  skillReminder: ({ name, path, description }) => renderSkillReminder({ name, path, id: description }),
  pointers: ({ name, path, description }) => renderSkillPointers([{ name, paths: [path] }, { name, paths: [path, description] }]),
  list: ({ name, path, description }) => {
    const problem = { path, message: description };
    return renderSkillsList({ skills: [skillOf(name, path, description)], errors: [problem], warnings: [problem], truncated: true });
  },
  search: ({ name, path, description }) => {
    const results = [{ skill: skillOf(name, path, description), score: 1, reason: "prefix" }];
    return renderSkillsSearch({ query: description, results, truncated: false });
  },
  catalogue: ({ name, path, description }) =>
    renderSkillsContext({ skills: [skillOf(name, path, description)], truncated: true, unsearched: [path] }, [path]),
  leftOut: ({ path }) => renderLeftOut([{ path, sizeBytes: 7 }]),
  usage: () => renderAgentsUsage(ELEMENT, { below: true, native: true, news: "reminders" }),
}; // prettier-ignore

/** Those that stand around bodies. */
const WITH_BODIES: Readonly<Record<string, (material: Material) => string>> = {
  agents: (material) => renderAgentsContext([partOf(material), partOf(material)]),
  skill: ({ name, path, description, bytes }) =>
    renderSkillContext({
      name,
      path,
      bytes,
      sizeBytes: bytes.length + 1,
      baseUrl: description,
      files: [path, name],
      moreFiles: true,
    }),
};

const FRAME =
  /<\s*(\/?)\s*(agents_(?:context|usage|left_out)|skills_(?:context|usage|catalog|loaded|list|search|named|suggested)|skill_(?:context(?:_reminder)?|files)|(?:system|codelia)-reminder)(?![\w-])/giu;
/** Not a line's end for every reader, but for some. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const LINE_END = /[\n\v\f\r\x1C-\x1E\x85\u2028\u2029]/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** As an entry has it. */
function onOneLine(description: string): string {
  const lines = description.split("\n");
  if (lines.length === 1) return description;
  return lines.flatMap((line) => (line.trim() === "" ? [] : line.trim())).join(" ");
}

/** Names, paths, descriptions and bodies of a clone, in all that we print around them. */
export const target: FuzzTarget = {
  read(input) {
    const material = materialOf(input);
    return [...Object.values(PRINTED), ...Object.values(WITH_BODIES)].map((print) => print(material));
  },
  check(input) {
    const material = materialOf(input);
    const { name, path, description, bytes } = material;
    const [shownName, shownPath, shownDescription] = [name, path, description].map(inElement) as [string, string, string];
    const roots = elementsOf(Object.entries(PRINTED).map(([what, print]) => [what, print(material)]));
    const lines = (what: string) => textOf(roots[what] as XmlElement).split("\n");
    ok(lines("resolve").includes(`- ${shownPath} (mtime: 1)`), "resolve: the path is another");
    ok(lines("resume").includes(`- cwd: ${shownPath} -> ${shownName}`), "resume: the directory is another");
    ok(lines("trimmed").includes(`- full output: ${shownPath}`), "trimmed: the path is another");
    ok(lines("permission").includes(`- skill: ${shownName}`), "permission: the name is another");
    ok(lines("leftOut").includes(`- ${shownPath} (7 bytes)`), "left out: the path is another");
    for (const what of ["list", "search", "catalogue"]) {
      const [skill] = elementsNamed("skill", roots[what] as XmlElement);
      const said = skill?.children.filter((child) => typeof child !== "string").map(textOf);
      const entry = [shownName, inElement(onOneLine(description)), shownPath];
      deepStrictEqual(said?.slice(0, 3), entry, `${what}: a skill is another`);
    }
    deepStrictEqual(
      roots["skillReminder"]?.attributes,
      { name: shownName, path: shownPath, ref: shownDescription },
      "skill reminder: its attributes are others",
    );
    checkBodies(material, shownName, shownPath);
    const body = defuse(decodeBody(bytes));
    equal(defuse(body), body, "defused twice it is another");
    const ofSkill = defuse(decodeBody(bytes), "skill");
    equal(defuse(ofSkill, "skill"), ofSkill, "a skill's, defused twice, is another");
    const due = bytes.length === 0 ? [] : [[0, bytes.length] as const];
    const planned = planDelivery(
      [{ path, bytes, sizeBytes: bytes.length, due }],
      { before: "", after: () => [renderLeftOut([{ path, sizeBytes: 1 }]), ""] },
      { count: 2, max: MOST_IN_A_PART, measure: (text) => text.length },
      "later",
    );
    const texts = (planned?.outputs ?? []).map(({ text }) => text);
    ok(texts.every((text) => text.length <= MOST_IN_A_PART), "a part over the limit");
    parsed("part", texts.map(blankBodies).join(""));
  },
  words: [
    BETWEEN, "<agents_context", "</agents_context>", "</skill_context>", "< / system-reminder >", "</codelia-reminder>", "Instructions from: /x", "Instruc\u200Btions\u00A0from:", "\v", "\u0085", "<skill_files>", "<agents_left_out>",
    "Base directory: ", "]]>", "<![CDATA[", "<!--", "&lt;", "&#0;", "\xFF\xFE", "\uFE0F", "[shown: lines 1–2",
  ],
  parts: [BETWEEN, "<", "/", "agents_context", " ", "\n", "\u200B", "\uFE0F", "Instructions from: ", "&", "a"],
  frames: [["", ""], [`a${BETWEEN}b${BETWEEN}c${BETWEEN}`, ""]],
  growth: [4096, 16_384],
}; // prettier-ignore

function checkBodies(material: Material, shownName: string, shownPath: string): void {
  const { agents = "", skill = "" } = Object.fromEntries(
    Object.entries(WITH_BODIES).map(([what, print]) => [what, print(material)]),
  );
  deepStrictEqual(framesIn(agents), ["agents_context", "/agents_context"], "a body forges a frame");
  const own = ["skill_context", "skill_files", "/skill_files", "/skill_context"];
  deepStrictEqual(framesIn(skill), own, "a skill's body forges a frame");
  equal(linesWith(/^instructions\s+from:/i, agents), 2, "a body forges a header");
  equal(linesWith(/^instructions\s+from:/i, skill), 0, "a skill's body forges a header");
  equal(linesWith(/^base\s+directory:/i, skill), 1, "a skill's body forges its directory");
  const roots = elementsOf([
    ["agents", blankBodies(agents)],
    ["skill", blankBodies(skill)],
  ]);
  deepStrictEqual(roots["skill"]?.attributes, { name: shownName, path: shownPath }, "skill: its attributes are others");
}

/** As a reader sees them who does not see what can't be seen. */
function framesIn(text: string): string[] {
  return Array.from(text.replaceAll(HIDDEN, "").matchAll(FRAME), ([, slash, name]) => `${slash}${name}`);
}

function linesWith(beginning: RegExp, text: string): number {
  return text
    .split(LINE_END)
    .filter((line) => beginning.test(line.replaceAll(/(?!\t)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")))
    .length;
}

/** Each text is one element and the line's end behind it. */
function elementsOf(texts: readonly (readonly [what: string, text: string])[]): Record<string, XmlElement> {
  const { children } = parsed(texts.map(([what]) => what).join(), texts.map(([, text]) => text).join(""));
  const elements = children.filter((child) => typeof child !== "string");
  equal(elements.length, texts.length, "not one element each");
  return Object.fromEntries(texts.map(([what], index) => [what, elements[index] as XmlElement]));
}

/** What has no character beyond U+00FF is taken for bytes, which may be no UTF-8. */
function materialOf(input: string): Material {
  const [name = "", path = "", description = "", ...body] = input.split(BETWEEN);
  // An empty file is not shown.
  const text = body.join(BETWEEN) || ".";
  const bytes = new Uint8Array(Buffer.from(text, /^[\0-\xFF]*$/.test(text) ? "latin1" : "utf8"));
  return { name, path: `/${path}`, description, bytes };
}

function partOf({ path, bytes }: Material): BundlePart {
  return { path, bytes, sizeBytes: bytes.length + 1 };
}

function skillOf(name: string, path: string, description: string) {
  return { name, path, description, scope: "repo" as const };
}

function parsed(what: string, text: string): XmlElement {
  const fragment = parseFragment(text);
  if (!fragment.ok) throw new Error(`${what} is not well-formed: ${fragment.error}`);
  return fragment.root;
}
