const callersOwn = /^(?:CODELIA_|CLAUDE|CODEX|XDG_)/u;
/** Variables for developers who run the tests. */
const asked = new Set(["CODELIA_UPDATE"]);
const switches = new Set(["NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "INIT_CWD"]);

/**
 * The environment of a test run: without variables that would make a result depend on who runs it, as an agent or in
 * CI.
 */
export function testEnvironment(env) {
  const isKept = (name) => asked.has(name) || (!callersOwn.test(name) && !switches.has(name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}
