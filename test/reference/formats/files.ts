/** What is written to files that a user or a program may read. */
export const FILES: readonly { readonly file: string; readonly format: string; readonly by: string }[] = [
  {
    file: "the FILE of `--baseline`",
    format: '`{ "version": 1, "findings": [{ fingerprint, rule, path, message }] }`; only the fingerprint decides',
    by: "`check --write-baseline`",
  },
  {
    file: "the FILE of `--summary`",
    format: "Markdown, appended: what it comes to, then a table, the gravest first",
    by: "`check --summary`",
  },
  {
    file: "the FILE of `--html`",
    format: "one page of HTML that loads nothing, with the facts as JSON in it; for browsers, not for programs",
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
    by: "whatever tells something",
  },
  {
    file: "`.codelia/session.json.late`",
    format: "a ledger a line, of what one call adds, until whoever has the lock next takes it into the one above",
    by: "what tells something while another process holds the ledger",
  },
  {
    file: "`.codelia/agents/INSTANCE.json`",
    format: "JSON of schema [agent-run](schema/agent-run.json)",
    by: "`agent run`, `agent start`, the Stop hook",
  },
  { file: "`.codelia/outputs/REF`", format: "the bytes that were given, as they were", by: "`trim`" },
];
