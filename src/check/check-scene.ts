import type { InstructionFiles } from "./instruction-texts.ts";
import type { WalkedRepository } from "./walk-repository.ts";
import type { Workspace } from "../workspace.ts";
import type { Finding } from "./findings.ts";

/** What is checked: one walk's worth of a repository. */
export interface CheckScene {
  readonly workspace: Workspace;
  /** Canonical. */
  readonly root: string;
  /** Canonical: the root, or what the command line names of it; a file, or a directory with all that is below. */
  readonly asked: string;
  readonly walked: WalkedRepository;
  /** Every name that an instruction file may have; those of them that we read ourselves. */
  readonly names: readonly string[];
  readonly ownNames: readonly string[];
  /** Those that are nobody's choice: in another letter case they are a mistake. */
  readonly wellKnownNames: readonly string[];
  readonly instructions: InstructionFiles;
}

/** What one family of rules found. */
export interface FamilyCheck {
  readonly findings: readonly Finding[];
  /** What it looked at. */
  readonly checked: readonly string[];
}
