import { basename } from "node:path";
import type { Outcome } from "../../command.ts";
import { visible } from "../../lib/escape.ts";
import type { World } from "../../world.ts";
import { BY, isFailure, skillLines, summaryOf, WORDS } from "../audit-text.ts";
import type { Extent } from "../knowledge.ts";
import { shownPath } from "../explanation.ts";
import type { Audit, AuditedContext } from "../schema.ts";
import { LIST_SCRIPT, LIST_STYLE } from "./list-script.ts";
import { distinctRows, writePage } from "./shell.ts";

type Session = Audit["sessions"][number];

/** How a page marks what a model had of a file. */
const STATES: Readonly<Record<Extent, string>> = {
  whole: "loaded",
  cut: "cut",
  stale: "cut",
  named: "skipped",
  none: "left-out",
};

/**
 * Writes the page of an audit: each call that wrote a file, in the order of the session.
 *
 * @effect the file
 * @error  usage if it can't be written
 */
export function writeAuditPage(world: World, { sessions }: Audit, page: string): Outcome {
  // Thousands of calls were made with the same files in the same states.
  const states = distinctRows();
  const factsOf = ({ writes, record, forgotten }: AuditedContext, index: number, root: string) => ({
    name: index === 0 ? "main context" : `sub-agent ${visible(basename(record, ".jsonl"))}`,
    forgotten,
    writes: writes.map((write) => ({
      at: write.at === null ? "" : visible(write.at.slice(0, 19).replace("T", " ")),
      tool: visible(write.tool),
      path: shownPath(write.path, root),
      isLost: isFailure(write, "cut"),
      files: write.files.map(({ path, extent, by }) => {
        const words = by === undefined || extent === "none" ? WORDS[extent] : `${WORDS[extent]} (${BY[by]})`;
        return states.numberOf({ name: shownPath(path, root), status: STATES[extent], words });
      }),
    })),
  });
  return writePage(world, page, {
    title: `${sessions.map(({ root }) => basename(root)).join(", ")}: did the agent have the rules?`,
    textCommand: "codelia audit",
    facts: {
      sessions: sessions.map((session) => ({
        record: visible(session.record),
        client: session.client,
        verdicts: verdictsOf(session),
        contexts: session.contexts.map((context, index) => factsOf(context, index, session.root)),
      })),
      states: states.rows,
    },
    style: LIST_STYLE + AUDIT_STYLE,
    script: LIST_SCRIPT + AUDIT_SCRIPT,
  });
}

function verdictsOf({ contexts, skills, root }: Session): object[] {
  const writes = contexts.flatMap((context) => context.writes);
  const isGood = writes.every((write) => !isFailure(write, "cut"));
  return [
    { text: `${summaryOf(writes, root)}.`, isGood },
    ...skillLines(skills).map((line) => ({ text: `${line}.`, isGood: skills.every(({ listed }) => listed > 0) })),
  ];
}

const AUDIT_SCRIPT = String.raw`
const LEGEND = [["loaded", "whole"], ["cut", "in part, or another version"], ["skipped", "only named"], ["left-out", "not at all"]];

function writeRow({ facts: write }) {
  const files = write.files.map((file) => facts.states[file]);
  const chips = files.map((file) => make("li", {}, dot(file.status, file.words), make("span", { class: "words" }, file.words), make("span", { class: "path" }, file.name)));
  return [make("div", { class: "write" },
    make("div", {}, make("a", { class: "path", href: addressOf(write.id) }, write.path), make("div", { class: "soft small" }, [write.at, write.tool].filter(Boolean).join("  "))),
    make("ul", { class: "known" }, ...(chips.length === 0 ? [make("li", { class: "soft" }, "no instruction file applied")] : chips)))];
}

page.append(make("header", {}, make("h1", {}, document.title)));
const lists = [];
facts.sessions.forEach((session, at) => {
  page.append(make("div", { class: "record" }, make("span", { class: "path" }, session.record), " (" + session.client + ")"));
  page.append(verdictSection(session.verdicts));
  session.contexts.forEach((context, index) => {
    if (index > 0 && context.writes.length === 0) return;
    const items = context.writes.map((write, number) => {
      const id = [at, index, number].join(".");
      return { id, text: write.path + " " + write.tool, isProblem: write.isLost, facts: { ...write, id } };
    });
    const compactions = context.forgotten === 0 ? "" : ", compacted " + counted(context.forgotten, "time");
    const legend = make("ul", { class: "legend" }, ...LEGEND.map(([state, word]) => make("li", {}, dot(state), word)));
    const list = listing({ label: "Writes of the " + context.name + compactions, noun: "write", row: writeRow, onlyLabel: "only without something", items, heading: legend });
    lists.push(list);
    page.append(list.element);
  });
});
followAddress((id) => lists.forEach((list) => list.show(id)));
`;

const AUDIT_STYLE = `
.record { padding: .9rem 1.5rem 0; overflow-wrap: anywhere; }
.write { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.6fr); gap: .3rem 1.4rem; }
.known { margin: 0; padding: 0; list-style: none; } .known li { display: grid; grid-template-columns: 1rem 11rem minmax(0, 1fr); gap: .3rem; align-items: baseline; }
.known .words { font-size: .9rem; } .small { font-size: .82rem; }
@media (max-width: 56rem) { .record { padding-left: 1rem; padding-right: 1rem; } .write { grid-template-columns: minmax(0, 1fr); } .known li { grid-template-columns: 1rem minmax(0, 1fr); } .known .path { grid-column: 2; } }
`;
