import { basename, dirname, join } from "node:path";
import type { Host } from "../core/hooks/host.ts";
import type { NativeProfile, NativeQuestion } from "../core/hooks/native.ts";
import { contextAnswer, continueAnswer, readHookEvent } from "../core/hooks/read-event.ts";
import { refusalAnswer } from "../core/hooks/refusal.ts";
import { lastValue } from "../core/hooks/settings-value.ts";
import { isInside } from "../core/paths.ts";

/** Of one context, in bytes. Above it the client spills it to a file. */
const MAX_CONTEXT_BYTES = 10_000;
const DEFAULT_MAX_BYTES = 32_768;
const DEFAULT_MARKERS = [".git"];
const NAMES = ["AGENTS.override.md", "AGENTS.md"];

/**
 * Codex loads the instruction files from the root down to the working directory when a session begins, in a project that
 * the user does not distrust: root first, until its limit of bytes. What it cuts counts as not loaded. It loads nothing later.
 */
const native: NativeProfile = {
  settingsOf: ({ home, env }) => [join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml")],
  silencers: [],
  markersOf(settings) {
    const markers = lastValue(settings, ["project_root_markers"]);
    return Array.isArray(markers) ? markers.filter((marker) => typeof marker === "string") : DEFAULT_MARKERS;
  },
  atStart: (question) => new Set([...given(question)].filter(([, isWhole]) => isWhole === true).map(([path]) => path)),
  cutAtStart: (question) => new Map([...given(question)].filter(([, bytes]) => bytes !== true) as [string, number][]),
  onTouch: () => new Set(),
};

/** What it loads, and of what it cuts how many bytes. */
function given(question: NativeQuestion): Map<string, true | number> {
  const { settings, files } = question;
  const root = rootOf(question);
  const found = new Map<string, true | number>();
  if (!isTrusted(question)) return found;
  const asked = lastValue(settings, ["project_doc_max_bytes"]);
  const fallbacks = lastValue(settings, ["project_doc_fallback_filenames"]);
  const names = new Set([...NAMES, ...(Array.isArray(fallbacks) ? fallbacks : [])]);
  let room = typeof asked === "number" ? asked : DEFAULT_MAX_BYTES;
  for (const { path, directory, sizeBytes } of files) {
    const isItsOwn = names.has(basename(path)) && isInside(root, directory);
    if (!isItsOwn) continue;
    found.set(path, sizeBytes <= room ? true : room);
    room = Math.max(0, room - sizeBytes);
  }
  return found;
}

/** The nearest directory upwards with a marker, else the working directory. */
function rootOf({ cwd, marked }: NativeQuestion): string {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (marked.has(directory)) return directory;
    if (dirname(directory) === directory) return cwd;
  }
}

/** The nearest directory upwards that the user said anything of. */
function isTrusted({ settings, cwd }: NativeQuestion): boolean {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const level = lastValue(settings, ["projects", directory, "trust_level"]);
    if (level !== undefined) return level !== "untrusted";
    if (dirname(directory) === directory) return true;
  }
}

/** Codex took over the shape of Claude's hooks: the same events and fields, the same answer. */
export const host: Host = {
  name: "codex",
  element: "system-reminder",
  readEvent: (input) => readHookEvent(input, undefined),
  tell: contextAnswer,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  continuation: { answer: continueAnswer, max: Number.POSITIVE_INFINITY },
  native,
  fits: (answer) => new TextEncoder().encode(answer).length <= MAX_CONTEXT_BYTES,
};
