// The tools are plain JavaScript, so that they run before anything is installed. These are the parts that TypeScript
// calls: tests, and the bench, which builds its floor program with the flags of the product.

declare module "*/lib/build.mjs" {
  interface Program {
    readonly entry: string;
    readonly outfile: string;
    readonly target?: { readonly name: string; readonly bunTarget: string };
    readonly executable?: string;
  }
  export const buildInputs: readonly string[];
  export function compile(program: Program): Promise<void>;
  export function bundle(program: Program): Promise<void>;
}

declare module "*/lib/artifacts.mjs" {
  export const binaryPath: string;
  export const bundlePath: string;
}

declare module "*/lib/pack.mjs" {
  import type { Target } from "*/lib/targets.mjs";
  export function ensurePackages(): Promise<string>;
  export function packAll(chosen: readonly Target[], directory?: string): Promise<void>;
}

declare module "*/lib/executable.mjs" {
  export function executableTarget(bytes: Buffer): string | undefined;
}

declare module "*/lib/install.mjs" {
  export function ensureInstalled(dir: string): Promise<void>;
  export function hashInstallInputs(dir: string): string;
}

declare module "*/lib/lock.mjs" {
  export function withLock<T>(path: string, action: (share: (childPid: number) => void) => T | Promise<T>): Promise<T>;
}

declare module "*/lib/macho-signature.mjs" {
  export function isSignatureValid(bytes: Buffer): boolean;
  export function signAdHoc(bytes: Buffer, identifier: string): Buffer;
}

declare module "*/lib/run.mjs" {
  export function run(file: string, args: readonly string[], options?: { readonly stdio?: "ignore" }): Promise<number>;
}

declare module "*/lib/stamp.mjs" {
  export function hashFiles(dir: string, names: readonly string[], facts?: readonly string[]): string;
  export function isCurrent(stamp: string, hash: string): boolean;
  export function makeStamped(stamp: string, hash: string, make: () => void | Promise<void>): Promise<void>;
}

declare module "*/lib/test-run.mjs" {
  export function testEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string>;
  export function failureKeeper(): { add(chunk: string): void; readonly failures: readonly string[] };
  interface Summary {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  }
  export function summarize(report: string | undefined, exitCode: number): Summary;
  export function formatSummary(summary: Summary): string;
  export function isSuccess(summary: Summary): boolean;
}

declare module "*/lib/release-targets.mjs" {
  import type { Target } from "*/lib/targets.mjs";
  export function buildTarget(target: Target, outfile: string): Promise<void>;
}

declare module "*/lib/targets.mjs" {
  export interface Target {
    readonly name: string;
    readonly bunTarget: string;
    readonly runtimePackage: string;
    readonly extension: string;
  }
  export const targets: readonly Target[];
  export function hostTarget(): Target | undefined;
  export function targetName(platform: string, arch: string, musl: boolean): string;
}

declare module "*/lib/archive.mjs" {
  interface ArchivedFile {
    readonly name: string;
    readonly mode: number;
    readonly bytes: Buffer;
  }
  export function tar(files: readonly ArchivedFile[]): Buffer;
  export function tarGz(files: readonly ArchivedFile[]): Buffer;
  export function zip(files: readonly ArchivedFile[]): Buffer;
}

declare module "*/lib/release.mjs" {
  import type { SigningKey } from "*/lib/signing.mjs";
  interface Facts {
    readonly version: string;
    readonly description: string;
    readonly license: string;
    readonly homepage: string;
  }
  export function fillTemplates(directory: string, facts: Facts, url: string, publicKey?: string): void;
  export function xz(bytes: Buffer): Buffer | undefined;
  export function publishSchemas(directory: string, url: string): void;
  export function writeChecksums(directory: string, key: SigningKey | undefined): void;
}

declare module "*/lib/signing.mjs" {
  export interface SigningKey {
    readonly publicKey: string;
    sign(bytes: Uint8Array): string;
  }
  export function readSigningKey(pem: string | undefined): SigningKey | undefined;
}

declare module "*/lib/npm-packages.mjs" {
  export function linkedTo(homepage: string, readme: string): string;
}

declare module "*/lib/sbom.mjs" {
  export function billOfMaterials(lock: unknown): string;
}

declare module "*/prose/find-mistakes.mjs" {
  export function mistakeFinder(root: string): (file: string, text: string) => string[];
}
