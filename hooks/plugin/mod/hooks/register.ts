// Gives Claude Code what its hooks can't: instruction files as the client's own project instructions, and the start of a
// session or a sub-agent whole. Everything else comes through the hooks beside it, which also give the starts where the
// client refuses this module. It decides nothing. Whatever fails, the client goes on as if it were not here.

/** The words that start codelia. */
const PROGRAM = ["codelia"];
/** Longer than any answer takes. In milliseconds. */
const PATIENCE_MS = 5000;

// What this file uses of the client's interface.
type Data = Readonly<Record<string, unknown>>;
interface Engine {
  readonly process: {
    run(argv: readonly string[], init: Data): Promise<{ exitCode: number; stdout: string }>;
  };
  readonly session: { id(): Promise<string>; cwd(): Promise<string> };
  readonly env: { set(name: string, value: string | undefined): Promise<void> };
  readonly store: { set(key: string, value: unknown): Promise<void> };
}
type Hook = ($: Engine, event: Data, next: (event: Data) => Promise<Data>) => unknown;
type On = (event: string, hook: Hook) => { catch(hook: Hook): unknown };

/** An instruction file, and the version of it that codelia has recorded as given. */
interface PlacedFile {
  readonly path: string;
  readonly kind: string;
  readonly content: string;
  readonly mtimeMs: number;
  readonly sizeBytes: number;
}
interface Answer {
  readonly hookSpecificOutput?: { readonly additionalContext?: string };
  readonly instructionFiles?: readonly PlacedFile[];
  readonly pong?: true;
}
type InstructionFile = { readonly path: string; readonly kind: string };

const seen = {
  /** Whether codelia has answered in a way that this module reads. */
  isAnswering: false,
  /** What the session began with, once codelia has answered; undefined where this module was loaded later. */
  files: undefined as Promise<readonly PlacedFile[]> | undefined,
  /** Where they are: the client asks for them before the first prompt, and gives them sub-agents too. */
  are: "due" as "due" | "placed" | "told",
  /** What is to be said with the next prompt. */
  owed: "",
};

export const register = (on: On): void => {
  on("classic.SessionStart", async ($, event, next) => {
    // A sub-agent that was compacted sends this too.
    const isMain = typeof event["agent_id"] !== "string";
    const asked = isMain ? ask($, event) : ask($, await withGiven(event));
    if (isMain) begin(asked.then((answer) => answer?.instructionFiles ?? []));
    const answer = await asked;
    // Hooks that codelia left in other settings would start a process for each event: they end at once.
    if (answer !== undefined) await $.env.set("CODELIA_ANSWERED", String(event["session_id"])).catch(ignore);
    return withContext(await next(event), textIn(answer));
  }).catch(pass);
  on("classic.SubagentStart", async ($, event, next) => {
    const answer = await ask($, await withGiven(event));
    return withContext(await next(event), textIn(answer));
  }).catch(pass);
  on("classic.UserPromptSubmit", async (_$, event, next) => {
    const files = await seen.files;
    const below = withContext(await next(event), seen.owed);
    seen.owed = "";
    if (seen.are !== "due" || files === undefined) return below;
    // This client has not asked.
    seen.are = "told";
    return withContext(below, textOf(files));
  }).catch(pass);
  on("prompt.context", async ($, event, next) => {
    seen.are = "placed";
    const files = await (seen.files ??= askForFiles($));
    const below = await next(event);
    const present = below["instructionFiles"] ?? event["instructionFiles"];
    if (!Array.isArray(present)) return withBlock(below, files);
    const missing = files.filter(({ path }) => !present.some((file: InstructionFile) => file.path === path));
    if (missing.length === 0) return below;
    return { ...below, instructionFiles: missing.reduce<readonly InstructionFile[]>(placed, present) };
  }).catch(pass);
};

/** Whatever fails here, the client goes on. */
function pass(_$: Engine, event: Data, next: (event: Data) => Promise<Data>): Promise<Data> {
  return next(event);
}

function begin(files: Promise<readonly PlacedFile[]>): void {
  seen.files = files;
  seen.are = "due";
}

/** A sub-agent's start, with what the client gives it. */
async function withGiven(event: Data): Promise<Data> {
  const files = seen.are === "placed" ? await seen.files : undefined;
  const given = (files ?? []).map(({ path, mtimeMs, sizeBytes }) => ({ path, mtimeMs, sizeBytes }));
  return { ...event, given };
}

/** For a module that was loaded after the session had begun. */
async function askForFiles($: Engine): Promise<readonly PlacedFile[]> {
  const [id, cwd] = await Promise.all([$.session.id(), $.session.cwd()]);
  const answer = await ask($, { hook_event_name: "PromptContext", session_id: id, cwd });
  seen.owed += textIn(answer);
  return answer?.instructionFiles ?? [];
}

/** What a process of codelia answers; undefined if it does not, so that the hooks do. */
async function ask($: Engine, event: Data): Promise<Answer | undefined> {
  try {
    // What is answered once is not said again: before the first event counts, the way there and back must be open.
    if (!seen.isAnswering) seen.isAnswering = (await askProcess($, { ping: true })).pong === true;
    if (!seen.isAnswering) throw new Error("no answer that can be read");
    return await askProcess($, event);
  } catch (error) {
    await $.store.set("unanswered", `${String(event["hook_event_name"])}: ${String(error)}`).catch(ignore);
    return undefined;
  }
}

async function askProcess($: Engine, event: Data): Promise<Answer> {
  // What ends our other hooks must not end this one.
  const init = { stdin: JSON.stringify(event), env: { CODELIA_ANSWERED: "" }, timeoutMs: PATIENCE_MS };
  const { exitCode, stdout } = await $.process.run([...PROGRAM, "hook", "claude", "--mod"], init);
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
  return stdout.trim() === "" ? {} : (JSON.parse(stdout) as Answer);
}

function textIn(answer: Answer | undefined): string {
  return answer?.hookSpecificOutput?.additionalContext ?? "";
}

function withContext(below: Data, text: string): Data {
  if (text === "") return below;
  const others = below["additionalContext"];
  return { ...below, additionalContext: [...(Array.isArray(others) ? others : []), text] };
}

/** Where another module has rewritten the client's text, files can't be added to it. */
function withBlock(below: Data, files: readonly PlacedFile[]): Data {
  const { blocks } = below;
  if (files.length === 0 || !Array.isArray(blocks)) return below;
  return { ...below, blocks: [...blocks, { name: "projectInstructions", text: textOf(files) }] };
}

function textOf(files: readonly PlacedFile[]): string {
  return files.map(({ path, content }) => `Contents of ${path} (project instructions):\n\n${content}`).join("\n\n");
}

/** Where the client has its own: before the first file of a directory further down, else behind the project's last. */
function placed(files: readonly InstructionFile[], file: PlacedFile): readonly InstructionFile[] {
  const entry = { path: file.path, kind: file.kind, content: file.content };
  const directory = file.path.slice(0, file.path.lastIndexOf("/") + 1);
  const isDeeper = (other: InstructionFile) =>
    isProjects(other) && other.path.startsWith(directory) && other.path.slice(directory.length).includes("/");
  const deeper = files.findIndex(isDeeper);
  const memory = files.findIndex(({ kind }) => kind === "memory");
  const at = deeper >= 0 ? deeper : memory >= 0 ? memory : files.length;
  return [...files.slice(0, at), entry, ...files.slice(at)];
}

function isProjects({ kind }: InstructionFile): boolean {
  return kind === "project" || kind === "local";
}

function ignore(): undefined {
  return undefined;
}
