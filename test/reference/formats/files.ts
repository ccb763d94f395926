/** The files that a user or a program may read. */
export const FILES: readonly { readonly file: string; readonly format: string; readonly by: string }[] = [
  {
    file: "the FILE of `--baseline`",
    format: '`{ "version": 1, "findings": [{ fingerprint, rule, path, message }] }`; only the fingerprint decides',
    by: "`check --write-baseline`",
  },
  {
    file: "the FILE of `--summary`",
    format: "Markdown, appended: a summary, then a table, most severe first",
    by: "`check --summary`",
  },
  {
    file: "the FILE of `--html`",
    format: "one HTML page that loads nothing and contains its facts as JSON; for browsers, not for programs",
    by: "`explain --html`",
  },
  {
    file: "the FILE of `--log`",
    format: "[lines of JSON](#the-log-of-a-run), appended as the run goes on",
    by: "`agent run --log`",
  },
  {
    file: "`.codelia/session.json`",
    format: "JSON of schema [ledger](schema/ledger.json)",
    by: "every command that tells a context something",
  },
  {
    file: "`.codelia/session.json.late`",
    format:
      "one ledger a line, with what one call adds, until the next holder of the lock merges it into the file above",
    by: "a command that tells something while another process holds the lock",
  },
  {
    file: "`.codelia/agents/INSTANCE.json`",
    format: "JSON of schema [agent-run](schema/agent-run.json)",
    by: "`agent run`, `agent start`, the Stop hook",
  },
  { file: "`.codelia/outputs/REF`", format: "the input, unchanged", by: "`trim`" },
  {
    file: "`$XDG_STATE_HOME/codelia/beginnings/HASH.json`",
    format: "what a context began with, for `--again`; the newest hundred",
    by: "`init-context`",
  },
];
