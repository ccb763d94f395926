import { byName } from "../../lib/table.ts";
import { changeDirectory, touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import type { Access } from "../paths.ts";

// What PowerShell's own commands do with their arguments, by name and alias.

interface Cmdlet {
  /** What it does with its paths; undefined if it has none. */
  readonly access: Access | undefined;
  /** The parameters for its positional arguments. */
  readonly places: readonly Parameter[];
  /** Without a path it lists the working directory. */
  readonly isHere?: true;
}

type Parameter = "path" | "destination" | "pattern" | "value" | "other";

/** Runs a cmdlet; false for another program. */
export function runCmdlet(state: ShellState, args: readonly (readonly Value[])[]): boolean {
  const name = args[0]?.[0]?.text.toLowerCase() ?? "";
  const location = LOCATIONS.get(name);
  const cmdlet = location === undefined ? CMDLETS.get(name) : location;
  if (cmdlet === undefined) return false;
  const given = assignParameters(args.slice(1), cmdlet.places);
  if (location !== undefined) {
    const [directory] = given.find(({ parameter }) => parameter === "path")?.values ?? [];
    if (directory !== undefined) changeDirectory(state, directory);
    return true;
  }
  const { access } = cmdlet;
  if (access === undefined) return true;
  for (const { parameter, values } of given) {
    if (parameter !== "path" && parameter !== "destination") continue;
    for (const value of values) touchValue(state, value, parameter === "path" ? access : "write");
  }
  if (cmdlet.isHere === true && !given.some(({ parameter }) => parameter === "path")) touchText(state, ".", "list");
  return true;
}

interface Given {
  readonly parameter: Parameter;
  readonly values: readonly Value[];
}

function assignParameters(args: readonly (readonly Value[])[], places: readonly Parameter[]): Given[] {
  const named: Given[] = [];
  const unnamed: (readonly Value[])[] = [];
  for (let index = 0; index < args.length; index++) {
    const values = args[index] as readonly Value[];
    const [, name, inline] = /^-([a-z]\w*)(?::(.+))?$/i.exec(values[0]?.text ?? "") ?? [];
    if (name === undefined) {
      unnamed.push(values);
      continue;
    }
    const parameter = parameterOf(name.toLowerCase());
    if (parameter === undefined) continue;
    const value: readonly Value[] | undefined = inline === undefined ? args[++index] : [{ text: inline, rest: "" }];
    if (value !== undefined) named.push({ parameter, values: value });
  }
  const open = [...places];
  for (const { parameter } of named) if (open.includes(parameter)) open.splice(open.indexOf(parameter), 1);
  return [...named, ...unnamed.map((values, index) => ({ parameter: open[index] ?? "other", values }))];
}

/** Undefined for a switch. A name may be shortened. */
function parameterOf(name: string): Parameter | undefined {
  const found = PARAMETERS.get(name);
  if (found !== undefined || SWITCHES.has(name)) return found;
  for (const [full, parameter] of PARAMETERS) if (full.startsWith(name)) return parameter;
  return undefined;
}

const PARAMETERS = byName<Parameter>([
  ["path, literalpath, lp, pspath, filepath", "path"],
  ["destination", "destination"],
  ["pattern", "pattern"],
  ["value", "value"],
  ["encoding, totalcount, head, first, tail, last, skip, readcount, delimiter, filter, include, exclude", "other"],
  ["context, itemtype, type, name, newname, depth, stream, property, width, inputobject, erroraction, ea", "other"],
]);

/** Those that share their beginning with another parameter. */
const SWITCHES = new Set(["f", "force", "r", "recurse", "raw", "wait", "list", "file", "directory", "append"]);

const LOCATIONS = byName<Cmdlet>([
  ["set-location, cd, sl, chdir, push-location, pushd", { access: "list", places: ["path"] }],
]);

const CMDLETS = byName<Cmdlet>([
  ["get-content, gc, cat, type, import-csv, ipcsv, get-filehash", { access: "read", places: ["path"] }],
  ["select-string, sls", { access: "read", places: ["pattern", "path"] }],
  ["set-content, sc, add-content, ac", { access: "write", places: ["path", "value"] }],
  ["out-file, tee-object, tee, export-csv, epcsv, clear-content, clc", { access: "write", places: ["path"] }],
  [
    "new-item, ni, mkdir, md, remove-item, ri, rm, rmdir, rd, del, erase, rename-item, rni, ren",
    { access: "write", places: ["path"] },
  ],
  ["copy-item, cpi, cp, copy", { access: "read", places: ["path", "destination"] }],
  ["move-item, mi, mv, move", { access: "write", places: ["path", "destination"] }],
  ["get-childitem, gci, ls, dir", { access: "list", places: ["path"], isHere: true }],
  ["get-item, gi, test-path, resolve-path, rvpa", { access: "list", places: ["path"] }],
  [
    "write-output, write-host, echo, select-object, select, where-object, where, foreach-object, foreach, sort-object, measure-object, join-path, split-path",
    { access: undefined, places: [] },
  ],
]);
