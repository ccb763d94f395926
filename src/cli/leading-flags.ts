import { COMMON_ARGS, findFlag } from "./args.ts";
import { VERBS } from "./guide.ts";

/** Moves the flags before a verb to after it: `-C DIR --json skills list` becomes `skills list -C DIR --json`. */
export function flagsBehindVerb(argv: readonly string[]): readonly string[] {
  const end = countLeadingFlags(argv);
  const [first, second, ...others] = argv.slice(end);
  if (first === undefined) return argv;
  const flags = argv.slice(0, end);
  const isInGroup = typeof VERBS[first] === "object" && second !== undefined && !second.startsWith("-");
  const rest = second === undefined ? [] : [second, ...others];
  return isInGroup ? [first, second, ...flags, ...others] : [first, ...flags, ...rest];
}

/** How many words the flags before a verb take, with their values. */
export function countLeadingFlags(argv: readonly string[]): number {
  let end = 0;
  while (argv[end]?.startsWith("-")) end += takesNextWord(argv[end] as string) ? 2 : 1;
  return end;
}

function takesNextWord(word: string): boolean {
  const name = findFlag(word, COMMON_ARGS);
  return name !== undefined && COMMON_ARGS[name as keyof typeof COMMON_ARGS].type === "string";
}
