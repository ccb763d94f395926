export type Answer = "once" | "always" | "no";

/** The answer typed at `[y]es once, [a]lways, [N]o`; end of input or any other word means no. */
export function readAnswer(line: string | undefined): Answer {
  switch (line?.trim().toLowerCase()) {
    case "y":
    case "yes":
      return "once";
    case "a":
    case "always":
      return "always";
    default:
      return "no";
  }
}
