const callersOwn = /^(?:CODELIA_|CLAUDE|CODEX|XDG_)/u;
const switches = new Set(["NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "INIT_CWD"]);

/** The environment of a test run: without what would make a result depend on who runs it, as an agent or in CI. */
export function testEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !callersOwn.test(name) && !switches.has(name)));
}
