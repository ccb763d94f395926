import { codexProfile } from "../hosts/codex-profile.ts";

/** The names that we read ourselves, whatever the settings say. */
export const OWN_NAMES: readonly string[] = ["AGENTS.override.md", "AGENTS.md"];
/** Those and the ones of clients. */
export const KNOWN_NAMES: readonly string[] = [...new Set([...OWN_NAMES, ...codexProfile.names])];
