import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { debianTree } from "./debian.ts";
import type { Answer, Subject } from "./play.ts";
import { runPlain } from "./subjects.ts";

// Wine, in a root directory of its own and a mount namespace that ends with each call. Input and output are files: what
// runs in Wine reads Unix pipes in its own way.

export interface Wine {
  readonly drive: string;
  /** Runs a shell's text below that root; `wine64` is on its PATH. */
  shell(script: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Wine says this now and then while a program ends that has answered. */
const WINE_FAULT = /^wine: Unhandled [^]*?starting debugger\.\.\.\r?\n?/;

const ENTER = `mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"`;
const CLEAN = [
  "/usr/bin/env",
  "-i",
  "HOME=/w",
  "LANG=C.UTF-8",
  "PATH=/usr/lib/wine:/usr/bin",
  "XDG_RUNTIME_DIR=/tmp",
  "WINEDEBUG=-all",
  "WINEPREFIX=/w/.wine",
  "NO_COLOR=1",
];

/** @error where there is no Wine, or this user may not give it a root directory */
export async function startWine(): Promise<Wine> {
  const root = await debianTree("amd64", ["wine64", "coreutils", "dash", "libc-bin"]);
  for (const name of ["dev", "proc", "w"]) mkdirSync(join(root, name), { recursive: true });
  if (!existsSync(join(root, "bin/sh"))) execFileSync("ln", ["-s", "dash", join(root, "usr/bin/sh")]);
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/w:/bin/sh\n");
  // A library that Debian has in a package of its own, and nearly all others need.
  const library = join(root, "usr/x86_64-w64-mingw32/lib/zlib1.dll");
  copyFileSync(library, join(root, "usr/lib/x86_64-linux-gnu/wine/x86_64-windows/zlib1.dll"));
  const shell = (script: string) =>
    runPlain(["unshare", "--map-root-user", "--mount", "sh", "-c", ENTER, root, ...CLEAN, "/bin/sh", "-c", script], {
      cwd: "/",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      stdin: "",
    });
  const drive = join(root, "w/.wine/drive_c");
  if (!existsSync(join(root, "w/.made"))) {
    const { exitCode, stderr } = await shell(
      "wine64 wineboot --init >/dev/null 2>&1; wineserver64 -w; echo made >/w/.made",
    );
    if (exitCode !== 0 || !existsSync(drive))
      throw new Error(`Wine does not start here: ${stderr.trim().split("\n")[0]}`);
  }
  copyFileSync(library, join(drive, "windows/system32/zlib1.dll"));
  mkdirSync(join(drive, "bin"), { recursive: true });
  return { drive, shell, stop: async () => void (await shell("wineserver64 -k")) };
}

/** Puts a program of Windows where Wine finds it: the path it has there. */
export function placeInWine({ drive }: Wine, file: string, name = basename(file)): string {
  copyFileSync(file, join(drive, "bin", name));
  return `C:\\bin\\${name}`;
}

/** @param command paths as Windows writes them */
export function wineSubject(wine: Wine, name: string, how: string, command: readonly string[]): Subject {
  const base = join(wine.drive, "play");
  const at = (path: string) =>
    path.startsWith("home")
      ? `C:\\users\\root${path.slice(4).replaceAll("/", "\\")}`
      : `C:\\play\\${path.replaceAll("/", "\\")}`;
  return {
    name,
    how,
    base,
    at,
    programs: command,
    async run(args, stdin) {
      // Wine says itself where the home directory is.
      copyHome(wine);
      writeFileSync(join(wine.drive, "in"), stdin);
      const words = [...command, ...args].map(inQuotes).join(" ");
      const call = () => wine.shell(`cd /w/.wine/drive_c/play/repo; wine64 ${words} <../../in >../../out 2>../../err`);
      let { exitCode } = await call();
      // Wine's own server ended while this began.
      if (read("err").startsWith("wine client error")) ({ exitCode } = await call());
      return { stdout: read("out"), stderr: read("err").replace(WINE_FAULT, ""), exitCode };
    },
  };

  function read(file: string): string {
    return readFileSync(join(wine.drive, file), "utf8");
  }
}

function copyHome({ drive }: Wine): void {
  const home = join(drive, "users/root/.codelia");
  mkdirSync(home, { recursive: true });
  execFileSync("cp", ["-p", join(drive, "play/home/.codelia/AGENTS.md"), home]);
}

export function inQuotes(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Has `install` write hooks and `doctor` call them: what went wrong. */
export async function callInstalledHooks(wine: Wine, program: string): Promise<readonly string[]> {
  const { base, run } = wineSubject(wine, "hooks", "", [program]);
  rmSync(base, { recursive: true, force: true });
  mkdirSync(join(base, "repo/.git"), { recursive: true });
  mkdirSync(join(base, "home/.codelia"), { recursive: true });
  writeFileSync(join(base, "home/.codelia/AGENTS.md"), "");
  const problems: string[] = [];
  for (const [client, scope] of [
    ["claude", "local"],
    ["codex", "user"],
  ] as const) {
    const installed = await run(["install", client, "--scope", scope, "--channel", "command", "--yes"], "");
    if (installed.exitCode !== 0) problems.push(`${client}: ${installed.stderr.trim()}`);
    const { stdout } = await run(["doctor", client, "--calls", "2", "--json"], "");
    const [host] = JSON.parse(stdout || "{}").hosts ?? [];
    const [call] = host?.calls ?? [];
    if (call === undefined) problems.push(`${client}: doctor calls no hook: ${JSON.stringify(host?.scopes)}`);
    else if (call.problem) problems.push(`${client}: ${call.problem}`);
    await run(["uninstall", client, "--scope", scope, "--yes"], "");
  }
  return problems;
}

/** How often one file was told, by how many rounds of hooks that ask about it at once. */
export async function raceInWine(wine: Wine, program: string, rounds: number): Promise<ReadonlyMap<number, number>> {
  const files = 4;
  const hooks = 8;
  const told = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    const repo = `race/${process.pid}-${round}`;
    const here = join(wine.drive, repo);
    mkdirSync(join(here, ".git"), { recursive: true });
    writeFileSync(join(here, ".git/HEAD"), "ref: refs/heads/main\n");
    for (let file = 0; file < files; file++) {
      mkdirSync(join(here, `d${file}`));
      writeFileSync(join(here, `d${file}/AGENTS.md`), `Rules ${file}\n`);
    }
    const calls = Array.from({ length: hooks }, (_, index) => {
      const event = {
        session_id: `race-${round}`,
        hook_event_name: "PreToolUse",
        cwd: `C:\\${repo.replaceAll("/", "\\")}`,
        tool_name: "Bash",
        tool_input: { command: `cat d${index % files}/f` },
      };
      writeFileSync(join(here, `in${index}`), JSON.stringify(event));
      return `wine64 ${inQuotes(program)} hook claude <in${index} >out${index} 2>&1 &`;
    });
    await wine.shell(`cd /w/.wine/drive_c/${repo}; ${calls.join(" ")} wait`);
    const answers = Array.from({ length: hooks }, (_, index) => readFileSync(join(here, `out${index}`), "utf8"));
    for (let file = 0; file < files; file++) {
      const times = answers.filter((answer) => answer.includes(`d${file}`)).length;
      told.set(times, (told.get(times) ?? 0) + 1);
    }
  }
  return told;
}
