import type { Ledger } from "../ledger/schema.ts";
import type { SkillLoadError, SkillMetadata } from "../skills/schema.ts";
import type { PassedOver } from "../instructions/chain.ts";
import type { EffectiveValue } from "./effective-values.ts";
import type { Root } from "../instructions/root.ts";

/** All that the program goes by in a directory. */
export interface Inspection {
  readonly cwd: string;
  readonly root: Root;
  readonly config: {
    readonly unusable: readonly string[];
    readonly values: readonly EffectiveValue[];
  };
  readonly instructions: {
    readonly files: readonly InspectedFile[];
    readonly passedOver: readonly PassedOver[];
  };
  readonly ledger: {
    readonly directory: string;
    /** Why the file that is there is not used. */
    readonly problem: string | null;
    readonly sessions: Ledger["sessions"];
  };
  readonly skills?: InspectedSkills;
}

export interface InspectedFile {
  readonly path: string;
  readonly origin: "home" | "project";
  readonly mtimeMs: number;
  readonly sizeBytes: number;
  /** It says nothing, so nobody is told of it. */
  readonly isBlank: boolean;
}

export interface InspectedSkills {
  readonly skills: readonly SkillMetadata[];
  readonly errors: readonly SkillLoadError[];
  readonly warnings: readonly SkillLoadError[];
  readonly truncated: boolean;
  /** How many of them, from the first on, a context is told of at its start. */
  readonly initial: number;
  /** Names that are turned off. */
  readonly disabled: readonly string[];
}
