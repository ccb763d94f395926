/** A piece of a file's text, as one message gives it. */
interface Piece {
  readonly path: string;
  readonly text: string;
}

/** What one message gives a context. */
export interface Message {
  readonly isEmpty: boolean;
  readonly pieces: readonly Piece[];
  /** Skills by name, in a catalogue or of a directory that was touched. */
  readonly skills: readonly string[];
  readonly isTruncated: boolean;
  readonly rules: number;
  /** Files that a reminder names. */
  readonly named: readonly string[];
  /** Files that are to come later, and those that never will, with their sizes. */
  readonly notYet: readonly (readonly [path: string, size: number])[];
  readonly leftOut: readonly (readonly [path: string, size: number])[];
}

/** Texts are compared without line ends: a line that is divided gets one more. */
function joinedLines(text: string): string {
  return text.replaceAll("\n", "");
}

/** @param placed files that the client gives in its own way, for codelia */
export function readMessage(text: string, placed: unknown = []): Message {
  const lists = elements(text, "agents_left_out");
  const listed = (start: string) =>
    lists
      .filter((list) => list.startsWith(start))
      .flatMap((list) =>
        Array.from(
          list.matchAll(/^- (\/.+) \(([\d,]+) bytes?\)$/gm),
          ([, path = "", size = ""]) => [path, Number(size.replaceAll(",", ""))] as const,
        ),
      );
  const files = (placed as { path: string; content: string }[]).map(({ path, content }) => ({
    path,
    text: joinedLines(content),
  }));
  const catalogues = elements(text, "skills_catalog");
  return {
    isEmpty: text === "",
    pieces: [...elements(text, "agents_context").flatMap(piecesIn), ...files],
    skills: [...catalogues, ...elements(text, "skills_nearby")].flatMap(skillsIn),
    isTruncated: text.includes('truncated="true"'),
    rules: elements(text, "agents_usage").length,
    named: Array.from(text.matchAll(/^- (\/.+) \(mtime: \d+\)/gm), ([, path = ""]) => path),
    notYet: listed("To come"),
    leftOut: listed("Over the limit"),
  };
}

function elements(text: string, name: string): string[] {
  return Array.from(
    text.matchAll(new RegExp(`<${name}(?: [^>]*)?>\\n([^]*?)</${name}>`, "g")),
    ([, body = ""]) => body,
  );
}

function piecesIn(bundle: string): Piece[] {
  return bundle
    .split(/^Instructions from: /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const body = lines.filter((line) => !line.startsWith("[shown: lines "));
      return { path: heading.replace(/ \(continued, .*\)$/, ""), text: joinedLines(body.join("\n")) };
    });
}

function skillsIn(list: string): string[] {
  const entries = Array.from(list.matchAll(/^ {4}<name>(.+)<\/name>$/gm), ([, name = ""]) => name);
  const lines = Array.from(list.matchAll(/^ {4}([\w-]+): /gm), ([, name = ""]) => name);
  const names = Array.from(list.matchAll(/<skill_names [^>]*>(.*)<\/skill_names>/g), ([, all = ""]) => all.split(", "));
  return [...entries, ...lines, ...names.flat()];
}

/** What stands in the tree where a context begins, from the root down. */
export interface Standing {
  readonly files: readonly { readonly path: string; readonly text: string; readonly sizeBytes: number }[];
  readonly skills: readonly string[];
}

/** `skills.initial`. */
const MOST_SKILLS = 200;
/** What may stand beside a file in one message: usage rules, and lists of files. */
const BESIDE = 4500;
/** Of the room of a message, what file text can have in any case: a line takes more than its characters. */
const SURE_SHARE = 0.75;

export interface StartOracle {
  readonly faults: readonly string[];
  /** Some of its processes are missing. */
  mayRepeatSkills: boolean;
  /** Its calls took so long that they may count for several starts. */
  mayRepeat: boolean;
  /** A file or a skill is no longer what it was when the context began. */
  excuse(what: string): void;
  take(message: Message, label: string): void;
  /** Judges a start that one entry asked for, in the order of its parts. `room`: of all of them. */
  judgeStart(messages: readonly Message[], room: number, label: string): void;
  /** Judges what has arrived in the end. */
  conclude(label: string, mayTruncate: boolean): void;
}

/** Keeps what one context was given since it began. It goes by the messages alone, and shares no code with the plan. */
export function newStartOracle({ files: applying, skills }: Standing): StartOracle {
  const faults: string[] = [];
  const files = new Map(applying.map(({ path, text }) => [path, { text: joinedLines(text), ranges: newRanges() }]));
  const order = applying.map(({ path }) => path);
  const counts = new Map<string, number>();
  const leftOut = new Set<string>();
  const named = new Set<string>();
  /** What has changed, and is not asked for any more; of these, what the context has not been told anew. */
  const excused = new Set<string>();
  const news = new Set<string>();
  let rules = 0;
  let isTruncated = false;

  function takePiece({ path, text }: Piece, fault: (what: string) => void): void {
    const file = files.get(path);
    const from = file?.text.indexOf(text) ?? -1;
    if (file === undefined || from < 0) {
      if (!excused.has(path)) fault(`not of '${path}': ${text.slice(0, 60)}`);
      return;
    }
    const to = from + text.length;
    const isAgain = text !== "" && file.ranges.some(([start, end]) => start < to && end > from);
    if (isAgain && !oracle.mayRepeat) fault(`'${path}' ${from}–${to} again`);
    else file.ranges.push([from, to]);
  }

  function shownOf(path: string): number {
    return (files.get(path)?.ranges ?? []).reduce((sum, [from, to]) => sum + to - from, 0);
  }

  const oracle: StartOracle = {
    faults,
    mayRepeatSkills: false,
    mayRepeat: false,
    excuse(what) {
      excused.add(what);
      news.add(what);
    },
    take(message, label) {
      const fault = (text: string) => void faults.push(`${label}: ${text}`);
      for (const piece of message.pieces) takePiece(piece, fault);
      if (!isInOrder(message.pieces, order)) fault("not from the root down");
      for (const name of message.skills) {
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        const most = oracle.mayRepeatSkills ? 2 : 1;
        if (count > most && !excused.has(name) && !oracle.mayRepeat) fault(`skill '${name}' named ${count} times`);
      }
      rules += message.rules;
      if (message.rules > 0 && rules > 1 && !oracle.mayRepeat) fault("usage rules again");
      isTruncated ||= message.isTruncated;
      for (const [path] of message.leftOut) leftOut.add(path);
      for (const path of message.named) {
        const isKnown = named.has(path) || files.has(path);
        if (isKnown && !news.delete(path)) fault(`'${path}' named though known`);
        named.add(path);
      }
    },
    judgeStart(messages, room, label) {
      const fault = (text: string) => void faults.push(`${label}: ${text}`);
      const nearest = applying.at(-1);
      if (nearest !== undefined && nearest.sizeBytes + BESIDE < room * SURE_SHARE) {
        const missing = joinedLines(nearest.text).length - shownOf(nearest.path);
        if (missing > 0) fault(`${missing} characters of the nearest file are missing`);
      }
      const pieces = messages.flatMap((message) => message.pieces);
      if (!isInOrder(pieces, order)) fault("parts not from the root down");
      const unseen = applying.filter(({ path }) => shownOf(path) === 0 && !leftOut.has(path));
      const listed = messages.flatMap(({ notYet }) => notYet.map(([path, size]) => `${path} ${size}`)).join();
      const toCome = unseen.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`).join();
      if (messages.some(({ isEmpty }) => !isEmpty) && toCome !== listed) fault(`to come: ${toCome}; said: ${listed}`);
    },
    conclude(label, mayTruncate) {
      const fault = (text: string) => void faults.push(`${label}: ${text}`);
      for (const [path, { text }] of files) {
        const missing = text.length - shownOf(path);
        if (missing > 0 && !excused.has(path) && !leftOut.has(path))
          fault(`${missing} characters of '${path}' missing`);
      }
      if (rules === 0) fault("no usage rules");
      if (isTruncated && mayTruncate) return;
      const over = Math.max(0, skills.length - MOST_SKILLS);
      if (isTruncated && over === 0) fault("truncated");
      const missing = skills.filter((name) => !counts.has(name) && !excused.has(name));
      if (missing.length > over) fault(`${missing.length} of ${skills.length} skills missing, as '${missing[0]}'`);
    },
  };
  return oracle;
}

function newRanges(): (readonly [from: number, to: number])[] {
  return [];
}

function isInOrder(pieces: readonly Piece[], order: readonly string[]): boolean {
  const places = pieces.map(({ path }) => order.indexOf(path));
  return places.every((place, index) => place < 0 || place >= (places[index - 1] ?? 0));
}
