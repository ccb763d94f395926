import { targetName } from "./targets.mjs";

const elfMachines = { 62: "x64", 183: "arm64" };
const machOMachines = { 0x01000007: "x64", 0x0100000c: "arm64" };
const peMachines = { 0x8664: "x64", 0xaa64: "arm64" };

/** The target of an executable according to its own headers; undefined if unknown. */
export function executableTarget(bytes) {
  if (bytes.readUInt32BE(0) === 0x7f454c46) {
    const musl = readElfInterpreter(bytes).startsWith("/lib/ld-musl-");
    return nameTarget("linux", elfMachines[bytes.readUInt16LE(18)], musl);
  }
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return nameTarget("darwin", machOMachines[bytes.readUInt32LE(4)], false);
  if (bytes.toString("latin1", 0, 2) === "MZ") {
    const header = bytes.readUInt32LE(0x3c);
    if (bytes.toString("latin1", header, header + 4) !== "PE\0\0") return undefined;
    return nameTarget("win32", peMachines[bytes.readUInt16LE(header + 4)], false);
  }
  return undefined;
}

function nameTarget(platform, machine, musl) {
  return machine && targetName(platform, machine, musl);
}

/** The loader that the program names, the only difference between musl and glibc. */
function readElfInterpreter(bytes) {
  const interpreter = 3;
  const table = Number(bytes.readBigUInt64LE(32));
  const entrySize = bytes.readUInt16LE(54);
  for (let index = 0; index < bytes.readUInt16LE(56); index++) {
    const entry = table + index * entrySize;
    if (bytes.readUInt32LE(entry) !== interpreter) continue;
    const start = Number(bytes.readBigUInt64LE(entry + 8));
    const size = Number(bytes.readBigUInt64LE(entry + 32));
    return bytes.toString("latin1", start, start + size - 1);
  }
  return "";
}
