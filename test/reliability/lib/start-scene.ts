import { skillFile } from "../../support/skills-project.ts";
import { dir, tempTree, type TempTree } from "../../support/temp-tree.ts";
import { anyOf } from "./random.ts";
import type { Standing } from "./start-oracle.ts";

/** The directories of a chain from the root down, and two packages beside it. */
export const CHAIN = ["repo", "repo/a", "repo/a/b", "repo/a/b/c", "repo/a/b/c/d", "repo/a/b/c/d/e"];
const PACKAGES = ["repo/p", "repo/a/b/q"];
export const DIRECTORIES = [...CHAIN, ...PACKAGES];

/** No client reads files of these names by itself, so all of it must come from codelia. */
const CONFIG = { agents: { fallbackFilenames: ["RULES.md"] }, skills: { directories: [".kit"] } };
const MOST_BYTES = 60_000;
/** `agents.initial` has room for that much. */
const MOST_TOGETHER = 250_000;
const SKILL_COUNTS = [0, 1, 3, 20, 60, 150, 199, 240, 300];
const FILLERS = ["as it is done here", "", "規則を守ること", "über-größe"];
/** So many skills of names so long don't fit into one message. */
const LONG_NAME = `-${"n".repeat(56)}`;

/** A tree of nested instruction files and skills, which change. */
export interface StartScene {
  readonly tree: TempTree;
  readonly hasLongNames: boolean;
  /** What applies in a directory. */
  standing(cwd: string): Standing;
  /** Any of the skills, by name. */
  skill(): string;
  /** Changes, adds or removes a file or a skill. The path or name that is no longer what it was, if there is one. */
  change(): string | undefined;
  [Symbol.dispose](): void;
}

export function makeStartScene(random: () => number): StartScene {
  const tree = tempTree({ "home/": dir, "repo/.git/": dir, "repo/.codelia/config.json": JSON.stringify(CONFIG) });
  for (const directory of DIRECTORIES) tree.write(`${directory}/x.ts`, "");
  /** By directory. */
  const texts = new Map<string, string>();
  /** The directory of each. */
  const skills = new Map<string, string>();
  const hasLongNames = random() < 0.1;
  let versions = 0;

  function writeText(directory: string, bytes: number): void {
    const text = makeText(`w${DIRECTORIES.indexOf(directory)}v${++versions}n`, bytes, random);
    texts.set(directory, text);
    tree.write(`${directory}/RULES.md`, (random() < 0.1 ? "\u{feff}" : "") + text);
  }

  function writeSkill(index: number, directory: string, length: number): void {
    const name = `sk-${index}${hasLongNames ? LONG_NAME : ""}`;
    skills.set(name, directory);
    const description = `Does ${"what it says ".repeat(80)}`.slice(0, length + 5).trim();
    tree.write(`${directory}/.kit/${name}/SKILL.md`, skillFile(name, description));
  }

  let room = MOST_TOGETHER;
  const depth = 1 + Math.floor(random() * CHAIN.length);
  for (const directory of [...CHAIN.slice(0, depth), ...PACKAGES]) {
    if (random() < 0.2) continue;
    const bytes = Math.floor(random() < 0.4 ? random() * 3000 : random() ** 2 * MOST_BYTES);
    writeText(directory, Math.min(room, bytes));
    room -= Math.min(room, bytes);
  }
  const longest = anyOf([0, 30, 100, 400, 1000], random);
  for (let index = anyOf(SKILL_COUNTS, random) - 1; index >= 0; index--) {
    writeSkill(index, random() < 0.8 ? "repo" : anyOf(DIRECTORIES, random), Math.floor(random() * longest));
  }

  return {
    tree,
    hasLongNames,
    standing(cwd) {
      const files = CHAIN.concat(PACKAGES).flatMap((directory) => {
        const text = texts.get(directory) ?? "";
        if (!isAbove(directory, cwd) || text.trim() === "") return [];
        return [{ path: tree.path(directory, "RULES.md"), text, sizeBytes: Buffer.byteLength(text) }];
      });
      return { files, skills: [...skills].filter(([, directory]) => isAbove(directory, cwd)).map(([name]) => name) };
    },
    skill: () => anyOf([...skills.keys()], random) ?? "",
    change() {
      const directory = anyOf(CHAIN, random);
      const file = tree.path(directory, "RULES.md");
      switch (anyOf(["write", "write", "remove", "add skill", "remove skill"], random)) {
        case "write":
          writeText(directory, Math.floor(random() * 20_000));
          return file;
        case "remove":
          if (texts.delete(directory)) tree.remove(`${directory}/RULES.md`);
          return file;
        case "add skill":
          writeSkill(1000 + ++versions, "repo", 30);
          return undefined;
        default: {
          const [name = "", place = ""] = anyOf([...skills], random) ?? [];
          if (skills.delete(name)) tree.remove(`${place}/.kit/${name}`);
          return name;
        }
      }
    },
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}

/** Words of which each stands there once, in lines of a length that varies, some of them headings or blank. */
function makeText(mark: string, bytes: number, random: () => number): string {
  const [most, filler] = [anyOf([3, 12, 60, 4000], random), anyOf(FILLERS, random)];
  const lines: string[] = [];
  let size = 0;
  for (let word = 0; size < bytes;) {
    const words: string[] = [];
    for (let count = 1 + Math.floor(random() * most); count > 0 && size < bytes; count--) {
      words.push(`${mark}${word++} ${filler}`);
      size += Buffer.byteLength(words.at(-1) ?? "") + 1;
    }
    lines.push(`${random() < 0.05 ? "## " : ""}${words.join(" ")}`);
    if (random() < 0.1) lines.push("");
  }
  return lines.join("\n") + (lines.length > 0 && random() < 0.8 ? "\n" : "");
}

function isAbove(directory: string, other: string): boolean {
  return other === directory || other.startsWith(`${directory}/`);
}
