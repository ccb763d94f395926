/** Whether to print colours at a terminal: FORCE_COLOR (except 0) over NO_COLOR over what the terminal is. */
export function hasColour(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
