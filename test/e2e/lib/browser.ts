import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { tempTree } from "../../support/temp-tree.ts";

/** A browser's program, or why there is none. */
export interface Browser {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where its own fonts are. */
  readonly fonts?: string;
  readonly missing: string | undefined;
}

const PACKAGES = join(import.meta.dirname, "../node_modules");
const PACKED = join(PACKAGES, "@sparticuz/chromium/bin");
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const START_MS = 20_000;
const ARGUMENTS =
  "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking --no-first-run".split(
    " ",
  );

export const BROWSER = findBrowser();

/** That of the package where it is made for this machine, else one that is installed. */
function findBrowser(): Browser {
  if (process.platform === "linux" && process.arch === "x64" && existsSync(PACKED)) return unpack();
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((directory) => NAMES.map((name) => join(directory, name)))
    .find((path) => existsSync(path));
  if (found !== undefined) return { program: found, args: [], env: {}, missing: undefined };
  const missing = `npm has no browser for ${process.platform} ${process.arch}, and none of ${NAMES.join(", ")} is on PATH`;
  console.error(`e2e: the tests in a browser are skipped: ${missing}`);
  return { program: "", args: [], env: {}, missing };
}

/** Next to the package, once: it unpacks to 200 MB. */
function unpack(): Browser {
  const place = join(PACKAGES, ".browser");
  if (!existsSync(place)) {
    const making = `${place}.${process.pid}`;
    mkdirSync(join(making, "fonts"), { recursive: true });
    const read = (name: string) => brotliDecompressSync(readFileSync(join(PACKED, name)));
    writeFileSync(join(making, "chromium"), read("chromium.br"), { mode: 0o755 });
    execFileSync("tar", ["-xf", "-", "-C", making], { input: read("al2023.tar.br") });
    execFileSync("tar", ["-xf", "-", "-C", join(making, "fonts")], { input: read("fonts.tar.br") });
    try {
      renameSync(making, place);
    } catch (error) {
      rmSync(making, { recursive: true });
      if (!existsSync(place)) throw error;
    }
  }
  return {
    program: join(place, "chromium"),
    args: ["--no-zygote"],
    env: { LD_LIBRARY_PATH: join(place, "lib") },
    fonts: join(place, "fonts", "fonts"),
    missing: undefined,
  };
}

export interface Page {
  /** The value of an expression in the page, a promise's included. */
  evaluate(expression: string): Promise<unknown>;
  /** A command of the browser's debugging protocol, for the page. */
  command(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
  /** What went wrong in the page or was refused there, and each address that it asked for. */
  readonly problems: readonly string[];
  readonly requests: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens an address in a browser of its own, with a home of its own, and waits until it is loaded. */
export async function openPage(address: string): Promise<Page> {
  const home = tempTree();
  const { fonts } = BROWSER;
  if (fonts !== undefined) home.write("fonts.conf", `<fontconfig><dir>${fonts}</dir></fontconfig>`);
  const fontsAt = fonts === undefined ? {} : { FONTCONFIG_FILE: home.path("fonts.conf") };
  const own = ["--remote-debugging-port=0", `--user-data-dir=${home.path("data")}`, "about:blank"];
  const child = spawn(BROWSER.program, [...ARGUMENTS, ...BROWSER.args, ...own], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home.root, ...BROWSER.env, ...fontsAt },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => void child.on("exit", () => resolve()));
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
    home[Symbol.dispose]();
  };
  try {
    const { send, problems, requests, loaded } = await connect(await debuggerAddress(child.stderr));
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    // Time that other processes take does not count.
    await send("Performance.enable", { timeDomain: "threadTicks" }, sessionId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await send(`${domain}.enable`, {}, sessionId);
    await send("Page.navigate", { url: address }, sessionId);
    await loaded;
    const evaluate = async (expression: string) => {
      const options = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await send("Runtime.evaluate", options, sessionId);
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value?: unknown }).value;
    };
    const command = (method: string, params: object = {}) => send(method, params, sessionId);
    return { evaluate, command, problems, requests, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function debuggerAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error(`the browser did not start: ${said}`)), START_MS);
  stderr.on("data", (chunk: Uint8Array) => {
    said += String(chunk);
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address !== undefined) resolve(address);
  });
  stderr.on("end", () => reject(new Error(`the browser ended: ${said}`)));
  return promise.finally(() => clearTimeout(timer));
}

type Reply = Readonly<Record<string, unknown>>;
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Reply;
  readonly result?: Reply;
  readonly error?: unknown;
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, (message: Message) => void>();
  const problems: string[] = [];
  const requests: string[] = [];
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "Page.loadEventFired") load();
    if (message.method === "Runtime.exceptionThrown" || message.method === "Log.entryAdded") {
      problems.push(JSON.stringify(message.params));
    }
    if (message.method === "Page.javascriptDialogOpening") problems.push("a dialog");
    if (message.method === "Network.requestWillBeSent") {
      const request = message.params?.["request"] as { readonly url: string } | undefined;
      requests.push(request?.url ?? "");
    }
  });
  let last = 0;
  const send = async (method: string, params: object, sessionId?: unknown): Promise<Reply> => {
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result, error } = await promise;
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  return { send, problems, requests, loaded };
}
