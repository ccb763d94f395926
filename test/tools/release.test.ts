import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { binaryPath } from "../../.tools/lib/artifacts.mjs";
import { executableTarget } from "../../.tools/lib/executable.mjs";
import { isSignatureValid, signAdHoc } from "../../.tools/lib/macho-signature.mjs";
import { hostTarget, targetName, targets } from "../../.tools/lib/targets.mjs";
import packageLock from "../../package-lock.json";

test.each([
  ["linux", "x64", false, "linux-x64"],
  ["linux", "arm64", true, "linux-arm64-musl"],
  ["darwin", "arm64", false, "darwin-arm64"],
  ["win32", "x64", false, "windows-x64"],
])("targetName() names %s %s, musl %p", (platform, arch, musl, expected) => {
  expect(targetName(platform, arch, musl)).toBe(expected);
});

test("the lockfile has the runtime of every target", () => {
  const locked = new Set(Object.keys(packageLock.packages));
  const missing = targets.filter((target) => !locked.has(`node_modules/${target.runtimePackage}`));
  expect(missing).toEqual([]);
});

describe("executableTarget()", () => {
  test("tells this machine's binary", () => {
    expect(executableTarget(readFileSync(binaryPath))).toBe(hostTarget()?.name);
  });

  test.each([
    ["linux-arm64", elf(183, "/lib/ld-linux-aarch64.so.1")],
    ["linux-x64-musl", elf(62, "/lib/ld-musl-x86_64.so.1")],
    ["darwin-arm64", machO(0x0100000c)],
    ["darwin-x64", machO(0x01000007)],
    ["windows-arm64", pe(0xaa64)],
    ["windows-x64", pe(0x8664)],
    ["unknown machine", pe(0x14c)],
    ["unknown format", Buffer.from("#!/bin/sh\nexit 0\n".padEnd(80))],
  ])("tells %s", (expected, bytes) => {
    expect(executableTarget(bytes)).toBe(expected.startsWith("unknown") ? undefined : expected);
  });
});

describe("signAdHoc()", () => {
  const unsigned = machO(0x01000007);
  const signed = signAdHoc(unsigned, "codelia");

  test("makes a signature that holds", () => {
    expect(isSignatureValid(unsigned)).toBe(false);
    expect(isSignatureValid(signed)).toBe(true);
    expect(signAdHoc(signed, "codelia")).toEqual(signed);
  });

  test("makes one that no longer holds when a byte of the program changes", () => {
    const changed = signAdHoc(unsigned, "codelia");
    changed[5000] = 1;
    expect(isSignatureValid(changed)).toBe(false);
  });

  test("stretches the last segment over it", () => {
    const linkEdit = 32 + 72;
    expect(Number(signed.readBigUInt64LE(linkEdit + 40) + signed.readBigUInt64LE(linkEdit + 48))).toBe(signed.length);
  });
});

/** The headers of a program for Linux: one entry in the program table, the interpreter. */
function elf(machine: number, interpreter: string): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.writeUInt32BE(0x7f454c46, 0);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(3, 64);
  bytes.writeBigUInt64LE(120n, 64 + 8);
  bytes.writeBigUInt64LE(BigInt(interpreter.length + 1), 64 + 32);
  bytes.write(interpreter, 120);
  return bytes;
}

/** A program for macOS of two segments and a signature that holds for nothing. */
function machO(machine: number): Buffer {
  const limit = 10_000;
  const bytes = Buffer.alloc(limit + 64);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(machine, 4);
  bytes.writeUInt32LE(3, 16);
  writeSegment(bytes, 32, "__TEXT", 0, 8192);
  writeSegment(bytes, 32 + 72, "__LINKEDIT", 8192, limit + 64 - 8192);
  for (const [index, field] of [0x1d, 16, limit, 64].entries()) bytes.writeUInt32LE(field, 32 + 144 + index * 4);
  return bytes;
}

function writeSegment(bytes: Buffer, at: number, name: string, offset: number, size: number): void {
  bytes.writeUInt32LE(0x19, at);
  bytes.writeUInt32LE(72, at + 4);
  bytes.write(name, at + 8);
  bytes.writeBigUInt64LE(BigInt(size), at + 32);
  bytes.writeBigUInt64LE(BigInt(offset), at + 40);
  bytes.writeBigUInt64LE(BigInt(size), at + 48);
}

/** The headers of a program for Windows. */
function pe(machine: number): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.write("MZ", 0);
  bytes.writeUInt32LE(128, 0x3c);
  bytes.write("PE\0\0", 128);
  bytes.writeUInt16LE(machine, 132);
  return bytes;
}
