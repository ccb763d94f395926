import { isNamed } from "./programs/arguments.ts";
import { changeDirectory, exactly, touchValue, type ShellState, type Value } from "./shell/state.ts";

/** The command that a command runs: what it is given besides, and whether it adds operands of its own. */
export type Inner = { readonly state: ShellState; readonly args: readonly Value[]; readonly isFed: boolean };

/** What `sudo`, `env`, `timeout`, `xargs`, `npx` and their like run; undefined for what runs nothing. */
export function unwrapped(state: ShellState, args: readonly Value[]): Inner | undefined {
  const name = args[0]?.text ?? "";
  switch (name) {
    case "nohup":
    case "setsid":
    case "chronic":
    case "builtin":
    case "exec":
      return behind(state, args, 1, "a");
    case "command":
      // `command -v name` runs nothing.
      return isNamed("-v -V", args[1]?.text ?? "") ? { state, args: [], isFed: false } : behind(state, args, 1, "");
    case "time":
      return behind(state, args, 1, "o f output format");
    case "sudo":
    case "doas":
      return behindAssignments(state, args, "u g h p C r t user group host prompt");
    case "env":
      return behindAssignments(state, args, "u C S unset chdir", "C chdir");
    case "nice":
      return behind(state, args, 1, "n adjustment");
    case "ionice":
      return behind(state, args, 1, "c n class classdata");
    case "stdbuf":
      return behind(state, args, 1, "i o e input output error");
    case "timeout":
    case "gtimeout": {
      const inner = behind(state, args, 1, "s k signal kill-after");
      return { ...inner, args: inner.args.slice(1) };
    }
    case "watch":
      return behind(state, args, 1, "n interval");
    case "npx":
    case "bunx":
    case "pnpx":
    case "uvx":
    case "pipx":
      return withoutVersion(behind(state, args, 1, "p c package call from with w workspace"));
    case "uv":
    case "poetry":
    case "pipenv":
    case "rye":
    case "pdm":
    case "hatch": {
      const verb = behind(state, args, 1, PROJECT_OPTIONS, "C directory");
      return verb.args[0]?.text === "run"
        ? behind(verb.state, verb.args, 1, PROJECT_OPTIONS, "C directory")
        : undefined;
    }
    case "bundle":
    case "direnv":
      return args[1]?.text === "exec" ? behind(state, args, 2, "") : undefined;
    case "xargs": {
      for (const [index, arg] of args.entries()) {
        const file = args[index + 1];
        if (arg.text === "-a" && file !== undefined) touchValue(state, file, "read");
      }
      const inner = behind(state, args, 1, "I n P L d s a E max-args max-procs replace delimiter arg-file");
      return { ...inner, isFed: true };
    }
    default:
      return undefined;
  }
}

const PROJECT_OPTIONS = "with python p extra group C directory project m";

/** From the first argument that is neither an option nor an option's value; some say where it runs. */
function behind(outer: ShellState, args: readonly Value[], from: number, withValue: string, places = ""): Inner {
  let state = outer;
  let index = from;
  for (; index < args.length; index++) {
    const { text, rest } = args[index] as Value;
    if (text === "--") {
      index++;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    const equals = text.indexOf("=");
    const name = text.slice(text.startsWith("--") ? 2 : 1, equals === -1 ? text.length : equals);
    const value = equals === -1 ? args[index + 1] : { text: text.slice(equals + 1), rest };
    if (equals === -1 && isNamed(withValue, name)) index++;
    if (value === undefined || !isNamed(places, name)) continue;
    if (state === outer) state = { ...outer };
    changeDirectory(state, value);
  }
  return { state, args: args.slice(index), isFed: false };
}

function behindAssignments(outer: ShellState, args: readonly Value[], withValue: string, places = ""): Inner {
  const inner = behind(outer, args, 1, withValue, places);
  let index = 0;
  while (index < inner.args.length && /^[A-Za-z_]\w*=/.test(inner.args[index]?.text ?? "")) index++;
  return { ...inner, args: inner.args.slice(index) };
}

/** `npx tsc@5` runs tsc. */
function withoutVersion(inner: Inner): Inner {
  const [first, ...rest] = inner.args;
  const at = first?.text.indexOf("@") ?? -1;
  return first === undefined || at < 1 ? inner : { ...inner, args: [exactly(first.text.slice(0, at)), ...rest] };
}
