import type { Evidence } from "./knowledge.ts";

/**
 * Which skills a model was told of, and which it loaded, in the contexts of a session. Pure. A skill's text is among the
 * files whose lines are searched, so what is known of it says whether it was loaded.
 */

export interface WatchedSkill {
  readonly name: string;
  readonly description: string;
  /** As in the session. */
  readonly path: string;
}

export interface SkillCounts {
  /** Contexts. */
  listed: number;
  loaded: number;
}

export interface SkillWatch {
  /** The client or a hook gave a text. */
  hear(text: string): void;
  /** A tool of the client loads a skill by its name. */
  load(name: string): void;
  /** The context ends or is compacted. */
  end(of: (path: string) => Evidence): void;
}

/** As much of a description as every listing shows, unless it shows none. */
const SHOWN_LENGTH = 40;
/** Where a listing may write a character in another way. */
const SPECIAL = /[<>&"'\s]/;

/** @input counts: by path, to be added to */
export function watchSkills(skills: readonly WatchedSkill[], counts: ReadonlyMap<string, SkillCounts>): SkillWatch {
  let listed = new Set<string>();
  let loaded = new Set<string>();
  const marks = skills.map(({ name, description, path }) => {
    const words = description.slice(0, SHOWN_LENGTH).split(SPECIAL);
    return { name, path, words: words.toSorted((left, right) => right.length - left.length).slice(0, 3) };
  });
  return {
    hear(text) {
      for (const { name, path, words } of marks) {
        if (listed.has(path)) continue;
        const isDescribed = () => text.includes(name) && words.every((word) => text.includes(word));
        if (text.includes(path) || isDescribed()) listed.add(path);
      }
    },
    load(name) {
      const plain = name.slice(name.lastIndexOf(":") + 1);
      for (const skill of skills) if (skill.name === name || skill.name === plain) loaded.add(skill.path);
    },
    end(of) {
      for (const { path } of skills) {
        const count = counts.get(path);
        if (count === undefined) continue;
        if (listed.has(path)) count.listed++;
        if (loaded.has(path) || of(path).extent === "whole") count.loaded++;
      }
      listed = new Set();
      loaded = new Set();
    },
  };
}
