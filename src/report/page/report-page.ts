import { basename } from "node:path";
import type { Outcome } from "../../command.ts";
import { visible } from "../../lib/escape.ts";
import type { World } from "../../world.ts";
import { shownPath } from "../explanation.ts";
import { verdictsOf } from "../report.ts";
import type { Report, ReportedFile } from "../schema.ts";
import { LIST_SCRIPT, LIST_STYLE } from "./list-script.ts";
import { writePage } from "./shell.ts";

/**
 * Writes the page of a report.
 *
 * @effect the file
 * @error  usage if it can't be written
 */
export function writeReportPage(world: World, report: Report, page: string): Outcome {
  const { root, since, sessions, contexts, tokensPerSession, files, skills, advice } = report;
  return writePage(world, page, {
    title: `${basename(root) || root}: what reached agents`,
    textCommand: "codelia report",
    facts: {
      root: visible(root),
      since,
      sessions,
      contexts,
      tokens: tokensPerSession,
      verdicts: verdictsOf(report),
      advice: advice.map(({ kind, text, subjects, command }) => {
        return { kind, text, command, subjects: subjects.map((path) => shownPath(path, root)) };
      }),
      files: files.map((file) => fileFacts(file, root)),
      skills: skills.map(({ name, path, found, loaded }) => {
        return { name: visible(name), path: shownPath(path, root), found, loaded };
      }),
    },
    style: LIST_STYLE + REPORT_STYLE,
    script: LIST_SCRIPT + REPORT_SCRIPT,
  });
}

/** The contexts in which a file applied, each counted once. */
function fileFacts({ path, isGone, sizeBytes, contexts, tokensPerSession }: ReportedFile, root: string): object {
  const { all, named, readAfter, unread } = contexts;
  const told = named - readAfter - unread;
  const whole = Math.max(0, all - named) + Math.max(0, told);
  const { native, given, editFirst } = contexts;
  return {
    path: shownPath(path, root),
    isGone,
    sizeBytes,
    tokens: tokensPerSession,
    all,
    shares: [whole, readAfter, unread],
    counts: { native, given, named, readAfter, editFirst, unread },
  };
}

const REPORT_SCRIPT = String.raw`
const SHARES = [["loaded", "had its text from the start"], ["given", "named, then read"], ["left-out", "named, not read"]];

function fileRow({ facts: file }) {
  const { counts } = file;
  const words = [[counts.native, "by the client"], [counts.given, "by codelia"], [counts.named, "named"], [counts.readAfter, "then read"], [counts.editFirst, "named with an edit"], [counts.unread, "not read"]]
    .filter(([count]) => count > 0).map(([count, word]) => number(count) + " " + word);
  const bar = make("div", { class: "bar", role: "img", "aria-label": words.join(", ") || "applied in no context" }, ...file.shares.map((share, index) => {
    const part = make("i", { class: SHARES[index][0], title: SHARES[index][1] });
    part.style.width = (100 * share) / Math.max(1, file.all) + "%";
    part.hidden = share === 0;
    return part;
  }));
  return [make("div", { class: "used" },
    make("a", { class: "path", href: addressOf(file.path) }, file.path + (file.isGone ? " (gone)" : "")),
    make("span", { class: "amount" }, file.all === 0 ? "applied in no context" : counted(file.all, "context")),
    file.all === 0 ? make("span") : make("div", {}, bar, make("div", { class: "soft small" }, words.join(", "))),
    make("span", { class: "amount soft" }, file.tokens === 0 ? counted(file.sizeBytes, "byte") : "about " + counted(file.tokens, "token") + " in a session"))];
}

function skillRow({ facts: skill }) {
  const state = skill.loaded > 0 ? "loaded" : skill.found > 0 ? "cut" : "left-out";
  return [make("div", { class: "used" }, make("span", {}, make("b", {}, skill.name), " ", make("span", { class: "path soft" }, skill.path)),
    make("span", { class: "chip" }, dot(state), skill.loaded > 0 ? "loaded in " + counted(skill.loaded, "context") : "never loaded"),
    make("span", { class: "soft" }, skill.found > 0 ? "found in " + counted(skill.found, "context") : "found by no search"), make("span"))];
}

function adviceCard({ kind, text, subjects, command }) {
  const links = subjects.map((path) => make("a", { class: "path", href: addressOf(path) }, path));
  const remedy = command === undefined ? [] : [" ", commandLine(command)];
  if (links.length <= 1) return make("li", { class: "card" }, ...links, links.length === 0 ? "" : ": ", text, ...remedy);
  const names = make("details", {}, make("summary", {}, "show them"), make("ul", {}, ...links.map((link) => make("li", {}, link))));
  return make("li", { class: "card" }, make("b", {}, counted(links.length, kind.startsWith("skill") ? "skill" : "file")), ": ", text, ...remedy, names);
}

page.append(make("header", {}, make("div", {}, make("h1", {}, document.title),
  make("div", { class: "soft" }, facts.root + ", since " + new Date(facts.since).toISOString().slice(0, 10) + (facts.sessions === 0 ? "" : ": about " + counted(facts.tokens, "token") + " of instructions in a session")))));
page.append(verdictSection(facts.verdicts));
if (facts.advice.length > 0) page.append(make("div", { class: "advice" }, make("h2", {}, "Advice"), make("ul", {}, ...facts.advice.map(adviceCard))));
const byPath = (left, right) => (left.id < right.id ? -1 : 1);
const files = listing({
  label: "Instruction files", noun: "file", onlyLabel: "only with losses", row: fileRow,
  items: facts.files.map((file) => ({ id: file.path, text: file.path, isProblem: file.shares[2] > 0 || file.all === 0, facts: file })),
  sorts: [["loss", (left, right) => right.facts.shares[2] - left.facts.shares[2] || left.facts.all - right.facts.all || byPath(left, right)],
    ["cost", (left, right) => right.facts.tokens - left.facts.tokens || byPath(left, right)],
    ["name", byPath]],
  heading: make("ul", { class: "legend" }, ...SHARES.map(([state, word]) => make("li", {}, dot(state), word))),
});
page.append(files.element);
const skills = listing({ label: "Skills", noun: "skill", row: skillRow, onlyLabel: "only never loaded",
  items: facts.skills.map((skill) => ({ id: skill.path, text: skill.name + " " + skill.path, isProblem: skill.loaded === 0, facts: skill })) });
if (facts.skills.length > 0) page.append(skills.element);
followAddress((id) => {
  files.show(id);
  skills.show(id);
});
`;

const REPORT_STYLE = `
.used { display: grid; grid-template-columns: minmax(0, 2fr) 10rem minmax(0, 2fr) 13rem; gap: .2rem 1.2rem; align-items: center; }
.amount { font-size: .9rem; } .small { font-size: .82rem; }
.used .bar { height: 10px; margin: .2rem 0 .1rem; }
@media (max-width: 56rem) { .used { grid-template-columns: minmax(0, 1fr); gap: .1rem; } }
`;
