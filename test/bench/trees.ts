import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeText } from "../delivery/play.ts";

/** The trees that the bench works in, each with a home of its own beside it. */
export interface BenchTree {
  readonly root: string;
  readonly home: string;
}

const PARAGRAPH = "Prefer small functions. Run the tests before you commit. Explain why, not what.\n".repeat(4);

/** A repository with instruction files on every level down to `packages/app/src`. */
export function plainTree(base: string): BenchTree {
  const tree = emptyTree(base);
  for (const directory of ["", "packages", "packages/app", "packages/app/src"]) {
    write(join(tree.root, directory, "AGENTS.md"), `# Rules for ${directory || "the root"}\n${PARAGRAPH}`);
  }
  return tree;
}

/** Forty instruction files on one ladder, and fifty skills. */
export function deepTree(base: string): BenchTree & { readonly deepest: string } {
  const tree = emptyTree(base);
  let directory = tree.root;
  for (let level = 0; level < 40; level++) {
    write(join(directory, "AGENTS.md"), `# Level ${level}\n${PARAGRAPH}`);
    directory = join(directory, `level-${level}`);
  }
  mkdirSync(directory, { recursive: true });
  writeSkills(tree.root, 50);
  return { ...tree, deepest: directory };
}

/** A repository whose root has as much to say as the longest chain of instruction files seen in a public one. */
export function longTree(base: string): BenchTree {
  const tree = emptyTree(base);
  write(join(tree.root, "CLAUDE.md"), "Be brief.\n");
  write(join(tree.root, "AGENTS.md"), makeText("AGENTS.md", 134_000));
  return tree;
}

export function skillTree(base: string, count: number): BenchTree {
  const tree = emptyTree(base);
  writeSkills(tree.root, count);
  // Where the peer looks for the same skills.
  mkdirSync(join(tree.root, ".claude"));
  symlinkSync("../.agents/skills", join(tree.root, ".claude/skills"));
  return tree;
}

/** A ledger with many sessions and contexts in it, as a busy machine leaves it. */
export function crowdLedger(tree: BenchTree, tell: (session: string, agent: string) => void): void {
  const path = join(tree.root, ".codelia", "session.json");
  tell("session-0", "context-0");
  const ledger = JSON.parse(readFileSync(path, "utf8"));
  const [session] = Object.values(ledger.sessions) as [{ contexts: Record<string, unknown> }];
  const directories = Array.from({ length: 40 }, (_, index) =>
    join(tree.root, `services/group-${index % 5}/unit-${index}`),
  );
  const context = {
    epoch: 1,
    coveredDirs: directories,
    loadedVersions: Object.fromEntries(
      directories.map((directory, index) => [
        join(directory, "AGENTS.md"),
        { mtimeMs: 1_738_970_000_000, sizeBytes: 1234, n: index },
      ]),
    ),
    loadedSkills: {},
  };
  const lines = Array.from({ length: 32 }, (_, index) => {
    const contexts = Object.fromEntries([0, 1, 2, 3, 4, 5].map((nth) => [`context-${nth}`, context]));
    const told = index === 0 ? { ...contexts, ...session.contexts } : contexts;
    return `${JSON.stringify(`session-${index}`)}:${JSON.stringify({ ...session, contexts: told })}`;
  });
  const { version, tree: identity } = ledger;
  const head = JSON.stringify({ version, tree: identity, n: 1000 }).slice(0, -1);
  writeFileSync(path, `${head},"sessions":{\n${lines.join(",\n")}\n}}\n`);
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function emptyTree(base: string): BenchTree {
  rmSync(base, { recursive: true, force: true });
  const tree = { root: join(base, "repo"), home: join(base, "home") };
  mkdirSync(join(tree.root, ".git"), { recursive: true });
  mkdirSync(tree.home, { recursive: true });
  return tree;
}

function writeSkills(root: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const name = `${VERBS[index % VERBS.length]}-${NOUNS[(index * 7) % NOUNS.length]}-${index}`;
    const header = `---\nname: ${name}\ndescription: Helps to ${name.replaceAll("-", " ")} in this repository\n---\n`;
    write(join(root, ".agents/skills", name, "SKILL.md"), `${header}\n# ${name}\n\n${PARAGRAPH}`);
  }
}

const VERBS = ["review", "release", "format", "measure", "deploy", "explain", "migrate", "translate"];
const NOUNS = ["database", "notes", "figures", "service", "schema", "report", "pipeline", "backup", "invoice"];
