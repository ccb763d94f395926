import { isBuiltin } from "node:module";
import { posix } from "node:path";
import {
  BANNED_NAMES,
  COMPUTED,
  EFFECTS,
  GLOBAL_USERS,
  isBefore,
  LAZY,
  MAX_LINES,
  OUTSIDE,
  PURE_BUILTINS,
  PURE_FILES,
  roomOf,
  SCHEMA_FILES,
  SHARED_PACKAGE,
} from "./architecture-law.ts";
import { factsOf, type SourceFacts, type ValueImport } from "./source-facts.ts";

export interface SourceFile {
  /** From the repository root, with slashes: `src/lib/paths.ts`. */
  readonly path: string;
  readonly text: string;
}

interface Violation {
  readonly rule: Rule;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

type Rule =
  | "unreadable"
  | "place"
  | "name"
  | "length"
  | "room"
  | "lazy"
  | "computed"
  | "builtin"
  | "package"
  | "one package, one file"
  | "one file, one package"
  | "cycle"
  | "global"
  | "default export"
  | "effect";

/** Everything in src that breaks the law of its rooms. @param pure the files that are decisions */
export function judge(files: readonly SourceFile[], pure: readonly string[] = PURE_FILES): Violation[] {
  const modules = files.map((file) => ({ ...file, ...readFacts(file) }));
  return [
    ...modules.flatMap(({ violations }) => violations),
    ...modules.flatMap((module) => judgeFile(module, module.facts)),
    ...judgePackages(modules),
    ...judgeCycles(modules),
    ...judgePurity(modules, pure),
  ];
}

type Module = SourceFile & { readonly facts: SourceFacts };

function readFacts(file: SourceFile): { facts: SourceFacts; violations: Violation[] } {
  try {
    return { facts: factsOf(file.text), violations: [] };
  } catch (error) {
    const message = `its tokens can't be told: ${(error as Error).message}`;
    return {
      facts: { imports: [], globals: [], defaultExports: [] },
      violations: [{ rule: "unreadable", path: file.path, line: 1, message }],
    };
  }
}

function judgeFile({ path, text }: SourceFile, facts: SourceFacts): Violation[] {
  const broken = (rule: Rule, line: number, message: string): Violation => ({ rule, path, line, message });
  const length = text.replace(/\n$/, "").split("\n").length;
  return [
    ...(roomOf(path) === undefined ? [broken("place", 1, "no room of the house has its place here")] : []),
    ...(BANNED_NAMES.test(posix.basename(path)) ? [broken("name", 1, "name the file after its subject")] : []),
    ...(length > MAX_LINES ? [broken("length", MAX_LINES + 1, `${length} lines, ${MAX_LINES} at most`)] : []),
    ...facts.imports.flatMap((found) => {
      const judged = judgeImport(path, found);
      return judged === undefined ? [] : [broken(judged[0], found.line, judged[1])];
    }),
    ...facts.globals
      .filter(({ name }) => GLOBAL_USERS[path]?.includes(name) !== true)
      .map(({ name, line }) => broken("global", line, `'${name}' is not for this file`)),
    ...facts.defaultExports.map((line) => broken("default export", line, "export it by its name")),
  ];
}

function judgeImport(path: string, { specifier, dynamic }: ValueImport): [Rule, string] | undefined {
  if (specifier === undefined) {
    return COMPUTED.has(path) ? undefined : ["computed", "what it imports is known only at run time"];
  }
  if (specifier.startsWith(".")) return judgeNeighbour(path, specifier, dynamic);
  if (specifier === "bun" || specifier.startsWith("bun:")) return ["global", `'${specifier}' exists in Bun only`];
  if (isBuiltin(specifier)) return judgeBuiltin(path, specifier);
  const isAllowed = packageOf(specifier) !== SHARED_PACKAGE || SCHEMA_FILES.test(path);
  return isAllowed ? undefined : ["package", `'${SHARED_PACKAGE}' is for files that are named schema.ts`];
}

function judgeNeighbour(path: string, specifier: string, dynamic: boolean): [Rule, string] | undefined {
  const target = resolveImport(path, specifier);
  if (OUTSIDE.has(target)) return undefined;
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === undefined || to === undefined) return ["room", `'${target}' is in no room`];
  if (from !== to && !isBefore(to, from))
    return ["room", `'${from}' may not import values from '${to}' (${specifier})`];
  return LAZY[path] === to && !dynamic ? ["lazy", `may import '${specifier}' only by import(), at its use`] : undefined;
}

function judgeBuiltin(path: string, specifier: string): [Rule, string] | undefined {
  if (!specifier.startsWith("node:")) return ["builtin", `write 'node:${specifier}'`];
  if (specifier === "node:process") return ["global", `'${specifier}' is not for this file`];
  const mayHaveEffects = Object.keys(EFFECTS).some((place) => path === place || path.startsWith(place));
  if (mayHaveEffects || PURE_BUILTINS.has(specifier)) return undefined;
  return ["builtin", `'${specifier}' is for src/lib: add there what is missing`];
}

/** Follows what each decision loads. */
function judgePurity(modules: readonly Module[], decisions: readonly string[]): Violation[] {
  const importsOf = new Map(modules.map(({ path, facts }) => [path, facts.imports]));
  return decisions.flatMap((pure): Violation[] => {
    if (!importsOf.has(pure)) return [{ rule: "place", path: pure, line: 1, message: "there is no such decision" }];
    const seen = new Set([pure]);
    for (const path of seen) {
      for (const { specifier = "" } of importsOf.get(path) ?? []) {
        if (specifier.startsWith(".")) seen.add(resolveImport(path, specifier));
        else if (isBuiltin(specifier) && !PURE_BUILTINS.has(specifier)) {
          return [{ rule: "effect", path: pure, line: 1, message: `it loads '${specifier}' by way of '${path}'` }];
        }
      }
    }
    return [];
  });
}

function judgePackages(modules: readonly Module[]): Violation[] {
  const usersOf = new Map<string, string[]>();
  const crowded: Violation[] = [];
  for (const { path, facts } of modules) {
    const names = new Set(facts.imports.flatMap(({ specifier }) => packageName(specifier) ?? []));
    for (const name of names) usersOf.set(name, [...(usersOf.get(name) ?? []), path]);
    if (names.size > 1) {
      const message = `imports ${[...names].join(" and ")}: give each a file`;
      crowded.push({ rule: "one file, one package", path, line: 1, message });
    }
  }
  const shared = [...usersOf].filter(([name, paths]) => name !== SHARED_PACKAGE && paths.length > 1);
  return [
    ...crowded,
    ...shared.map(([name, paths]): Violation => {
      const message = `'${name}' is imported by ${paths.join(" and ")}: let one of them stand for it`;
      return { rule: "one package, one file", path: paths[0] ?? "", line: 1, message };
    }),
  ];
}

function judgeCycles(modules: readonly Module[]): Violation[] {
  const edges = new Map(
    modules.map(({ path, facts }) => [
      path,
      facts.imports.flatMap(({ specifier }) =>
        specifier?.startsWith(".") === true ? resolveImport(path, specifier) : [],
      ),
    ]),
  );
  return cyclesIn(edges).map((cycle) => ({
    rule: "cycle",
    path: cycle[0] ?? "",
    line: 1,
    message: [...cycle, cycle[0]].join(" → "),
  }));
}

function resolveImport(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

function packageName(specifier: string | undefined): string | undefined {
  if (specifier === undefined || /^(\.|bun(:|$))/.test(specifier) || isBuiltin(specifier)) return undefined;
  return packageOf(specifier);
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/**
 * The cycles of a graph, at least one for every set of nodes that reach each other. Each begins with its alphabetically
 * first node.
 */
export function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found = new Map<string, string[]>();
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (node: string): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      const cycle = fromFirst(path.slice(at));
      found.set(cycle.join("\n"), cycle);
      return;
    }
    if (done.has(node)) return;
    path.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };

  for (const node of edges.keys()) visit(node);
  return [...found.values()];
}

function fromFirst(cycle: readonly string[]): string[] {
  const at = cycle.indexOf(cycle.toSorted()[0] ?? "");
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
