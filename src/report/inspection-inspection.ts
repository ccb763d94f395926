import type { Inspection, InspectedFile, InspectedSkills } from "./inspection.ts";
import { visible } from "../lib/escape.ts";
import { renderSessions } from "./sessions.ts";
import { renderValues } from "./values.ts";

/** For a person: what the program goes by in a directory. */
export function renderInspection({ cwd, root, config, instructions, ledger, skills }: Inspection): string {
  const reason = root.marker === undefined ? root.reason : `${root.reason} ${root.marker}`;
  const sessions = renderSessions(ledger.sessions);
  return [
    `cwd: ${visible(cwd)}\n`,
    `root: ${visible(root.directory)} (${visible(reason)})\n`,
    section("settings", renderValues(config.values) + lines(config.unusable.map((path) => `not in use: ${path}`))),
    section(
      "instruction files",
      lines([
        ...instructions.files.map(fileLine),
        ...instructions.passedOver.map(({ path, reason: why, by }) => `${path} (${why}${by ? ` by ${by}` : ""})`),
      ]),
    ),
    section(
      `ledger in ${visible(ledger.directory)}`,
      ledger.problem === null ? sessions : `not in use: ${visible(ledger.problem)}\n`,
    ),
    skills === undefined ? "" : section(skillsTitle(skills), skillLines(skills)),
  ].join("");
}

function section(title: string, body: string): string {
  return `\n${title}:\n${body === "" ? "(none)\n" : body}`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${visible(text)}\n`).join("");
}

function fileLine({ path, origin, mtimeMs, sizeBytes, isBlank }: InspectedFile): string {
  const what = [...(origin === "home" ? ["home"] : []), `${sizeBytes} bytes`, `mtime: ${mtimeMs}`];
  return `${path} (${[...what, ...(isBlank ? ["blank"] : [])].join(", ")})`;
}

function skillsTitle({ skills, initial, truncated }: InspectedSkills): string {
  return `skills, ${initial} of ${skills.length} in the initial catalogue${truncated ? "; a limit ended the search" : ""}`;
}

function skillLines({ skills, errors, warnings, disabled }: InspectedSkills): string {
  return lines([
    ...skills.map(({ name, scope, path }) => `${name} (${scope}) ${path}`),
    ...errors.map(({ path, message }) => `error ${path}: ${message}`),
    ...warnings.map(({ path, message }) => `warning ${path}: ${message}`),
    ...disabled.map((name) => `disabled ${name}`),
  ]);
}
