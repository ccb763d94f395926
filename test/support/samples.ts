import { dirname } from "node:path";
import type { InstructionFile } from "../../src/instructions/chain.ts";
import type { LazyFacts } from "../../src/instructions/pending.ts";
import type { Context, LoadedVersion } from "../../src/ledger/schema.ts";
import type { FileVersion } from "../../src/lib/fs.ts";

export const VERSION: FileVersion = { mtimeMs: 1000, sizeBytes: 10 };
export const SURROUNDINGS = { cwd: "/r/a", root: "/r", markers: [".git"] };
export const EMPTY: Context = { epoch: 0, coveredDirs: [], loadedVersions: {}, loadedSkills: {} };

/** A file as a probe finds it. Its path is its identity by default. */
export function fileAt(path: string, details: Partial<InstructionFile> = {}): InstructionFile {
  return { kind: "file", path, directory: dirname(path), version: VERSION, identity: path, realPath: path, ...details };
}

/** A context that was told these files, by default in the version of `fileAt`. */
export function contextTold(paths: readonly string[], version: FileVersion = VERSION): Context {
  const entries = paths.map((path): [string, LoadedVersion] => [path, { ...version, n: 1 }]);
  return {
    ...EMPTY,
    coveredDirs: [...new Set(paths.map((path) => dirname(path)))].toSorted(),
    loadedVersions: Object.fromEntries(entries),
  };
}

/** The facts of a disk that has only these files. */
export function factsOf(files: readonly InstructionFile[], blank: readonly string[] = []): LazyFacts {
  return {
    isBlank: (file) => blank.includes(file.path),
    isUnread: () => false,
    digestOf: ({ path }) => path.length,
    identityAt(path, version) {
      const file = files.find((candidate) => candidate.path === path);
      const isSame = file?.version.mtimeMs === version.mtimeMs && file.version.sizeBytes === version.sizeBytes;
      return isSame ? file?.identity : undefined;
    },
  };
}

/** Claude Code's transcript of a session whose model writes one file. */
export function recordOfWrite(cwd: string, path: string, name = "Write"): string {
  const call = { type: "tool_use", id: "1", name, input: { file_path: path } };
  const line = { sessionId: "s", type: "assistant", timestamp: name, cwd, message: { content: [call] } };
  return `${JSON.stringify(line)}\n`;
}
