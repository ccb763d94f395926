import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";

/** What `npm run conformance` has measured. */
export interface ConformanceRecord {
  readonly clients: Readonly<Record<string, { readonly title: string; readonly version: string }>>;
  /** By tree, then by client. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, RecordedCell>>>>;
}

/** What a run has shown, of one tree with one client. */
export interface Cell {
  readonly sightings: readonly Sighting[];
  readonly counts?:
    | { readonly bytes: number; readonly fromStart: number }
    | { readonly of: number; readonly named: number; readonly whole: number };
  /** Why there was nothing to run. */
  readonly cannot?: string;
}

export interface RecordedCell extends Cell {
  /** Of the tree that was played. */
  readonly tree: string;
  readonly version: string;
  readonly date: string;
}

/** Whether the model was sent a text: whole, only the path of its file, only a skill's name, or not at all. */
export interface Sighting {
  readonly label: string;
  readonly given: "text" | "path" | "name" | "no";
  /** Of the requests, counted from 0: the start of the session, or after so many steps. */
  readonly request?: number;
  readonly where?: string;
  /** How often it stands in that request. */
  readonly times?: number;
  readonly excerpt?: string;
}

export const RECORD = join(REPOSITORY, "docs/conformance.json");

export function readRecord(path = RECORD): ConformanceRecord {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ConformanceRecord) : { clients: {}, cells: {} };
}
