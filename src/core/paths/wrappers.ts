import { isNamed } from "./program-arguments.ts";
import { touchValue, type ShellState, type Value } from "./shell-state.ts";

/** The command that a command runs: what it is given besides, and whether it adds operands of its own. */
export type Inner = { readonly args: readonly Value[]; readonly isFed: boolean };

/** What `sudo`, `env`, `timeout`, `xargs`, `npx` and their like run; undefined for what runs nothing. */
export function unwrapped(state: ShellState, args: readonly Value[]): Inner | undefined {
  const name = args[0]?.text ?? "";
  switch (name) {
    case "nohup":
    case "setsid":
    case "chronic":
    case "builtin":
    case "exec":
      return behind(args, 1, "a");
    case "command":
      // `command -v name` runs nothing.
      return isNamed("-v -V", args[1]?.text ?? "") ? { args: [], isFed: false } : behind(args, 1, "");
    case "time":
      return behind(args, 1, "o f output format");
    case "sudo":
    case "doas":
      return behindAssignments(args, "u g h p C r t user group host prompt");
    case "env":
      return behindAssignments(args, "u C S unset chdir");
    case "nice":
      return behind(args, 1, "n adjustment");
    case "ionice":
      return behind(args, 1, "c n class classdata");
    case "stdbuf":
      return behind(args, 1, "i o e input output error");
    case "timeout":
    case "gtimeout": {
      const inner = behind(args, 1, "s k signal kill-after");
      return { args: inner.args.slice(1), isFed: false };
    }
    case "watch":
      return behind(args, 1, "n interval");
    case "npx":
    case "bunx":
    case "pnpx":
    case "uvx":
    case "pipx":
      return withoutVersion(behind(args, 1, "p c package call from with w workspace"));
    case "uv":
    case "poetry":
    case "pipenv":
    case "rye":
    case "pdm":
    case "hatch":
      return args[1]?.text === "run" ? behind(args, 2, "with python p extra group directory project m") : undefined;
    case "bundle":
    case "direnv":
      return args[1]?.text === "exec" ? behind(args, 2, "") : undefined;
    case "xargs": {
      for (const [index, arg] of args.entries()) {
        const file = args[index + 1];
        if (arg.text === "-a" && file !== undefined) touchValue(state, file, "read");
      }
      return {
        args: behind(args, 1, "I n P L d s a E max-args max-procs replace delimiter arg-file").args,
        isFed: true,
      };
    }
    default:
      return undefined;
  }
}

/** From the first argument that is neither an option nor an option's value. */
function behind(args: readonly Value[], from: number, withValue: string): Inner {
  let index = from;
  for (; index < args.length; index++) {
    const { text } = args[index] as Value;
    if (text === "--") {
      index++;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    const name = text.startsWith("--") ? text.slice(2) : text.slice(1);
    if (isNamed(withValue, name)) index++;
  }
  return { args: args.slice(index), isFed: false };
}

function behindAssignments(args: readonly Value[], withValue: string): Inner {
  const inner = behind(args, 1, withValue).args;
  let index = 0;
  while (index < inner.length && /^[A-Za-z_]\w*=/.test(inner[index]?.text ?? "")) index++;
  return { args: inner.slice(index), isFed: false };
}

/** `npx tsc@5` runs tsc. */
function withoutVersion({ args, isFed }: Inner): Inner {
  const first = args[0];
  const at = first?.text.indexOf("@") ?? -1;
  if (first === undefined || at < 1) return { args, isFed };
  return { args: [{ text: first.text.slice(0, at), rest: "" }, ...args.slice(1)], isFed };
}
