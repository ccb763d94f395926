/** Every way the program can end. Never 2: clients read 2 as "block the tool". */
export const EXIT = { ok: 0, findings: 1, unusable: 3, usage: 64, internal: 70, interrupted: 130 } as const;
export type ExitName = keyof typeof EXIT;

export const EXIT_OF_CODE = {
  usage: "usage",
  unknown_command: "usage",
  unknown_flag: "usage",
  no_such_directory: "findings",
  config_unusable: "unusable",
  config_unsafe: "unusable",
  baseline_unusable: "unusable",
  changes_unknown: "unusable",
  not_found: "findings",
  ambiguous: "findings",
  denied: "findings",
  not_forgotten: "findings",
  skill_unusable: "findings",
  agent_unusable: "unusable",
  agent_failed: "findings",
  judgment_failed: "findings",
  connection_failed: "findings",
  rate_limited: "findings",
  session_expired: "findings",
  internal: "internal",
} as const satisfies Record<string, ExitName>;

export type ErrorCode = keyof typeof EXIT_OF_CODE;

export function exitOf(code: ErrorCode): ExitName {
  return EXIT_OF_CODE[code];
}

/**
 * The only error class. The message is a sentence in git's style: what failed, the subject in single quotes, why, and
 * the way out; no full stop. `--json` adds `details` to code and message.
 */
export class CodeliaError extends Error {
  override readonly name = "CodeliaError";
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
