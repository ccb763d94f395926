import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { parse } from "yaml";
import { shortHash } from "../../src/lib/hash.ts";

/** A skill, and what somebody may ask who needs it. */
export interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly queries: readonly string[];
}

/** Made up: what people ask in their own words, and sentences as the texts of skills have them. */
export function madeUpCollection(): Wanted[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "collection.json"), "utf8"));
}

/**
 * The skills below a directory, each name once. The queries of each are two sentences of its own text that no other has:
 * the first, and one that chance has taken, but always the same.
 */
export function collectionIn(directory: string): Wanted[] {
  const texts = new Map<string, { description: string; sentences: string[] }>();
  // Links lead to the same files again, or in circles.
  const paths = globSync("**/SKILL.md", { cwd: directory, dot: true, followSymbolicLinks: false });
  for (const path of paths.toSorted()) {
    const skill = skillOf(readFileSync(join(directory, path), "utf8"));
    if (skill !== undefined && !texts.has(skill.name)) texts.set(skill.name, skill);
  }
  const counts = new Map<string, number>();
  for (const { sentences } of texts.values()) {
    for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  }
  return [...texts].map(([name, { description, sentences }]) => {
    const own = sentences.filter((sentence) => counts.get(sentence) === 1);
    const drawn = own[Number.parseInt(shortHash(name).slice(0, 8), 16) % Math.max(1, own.length)];
    return { name, description, queries: own.length === 0 ? [] : [own[0] as string, drawn as string] };
  });
}

const HEADER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/;

function skillOf(text: string): { name: string; description: string; sentences: string[] } | undefined {
  const [, header = "", body = ""] = HEADER.exec(text) ?? [];
  try {
    const { name, description } = parse(header) as Record<string, unknown>;
    if (typeof name !== "string" || typeof description !== "string") return undefined;
    return {
      name: name.trim().toLowerCase(),
      description: description.trim(),
      sentences: [...new Set(sentencesIn(body))],
    };
  } catch {
    return undefined;
  }
}

/** Prose of 6 to 30 words, without code, headings and tables. */
function sentencesIn(body: string): string[] {
  const lines = body.replaceAll(/(```|~~~)[\s\S]*?(\1|$)/g, "\n").split(/\r?\n/);
  return lines
    .filter((line) => !/^\s*(#|\||>|<|!\[)/.test(line))
    .map((line) => line.replace(/^\s*([-*+]|\d+[.)])\s+(\[[ x]\]\s+)?/, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"))
    .flatMap((line) => line.replaceAll(/[*_`]+/g, "").split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => isBetween(sentence.split(/\s+/).length, 6, 30) && /[a-z]/i.test(sentence));
}

function isBetween(count: number, least: number, most: number): boolean {
  return count >= least && count <= most;
}
