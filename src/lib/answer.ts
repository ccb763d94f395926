export type Answer = "once" | "always" | "no";

/** What a line typed at `[y]es once, [a]lways, [N]o` means; an end without a line, and any other word, is a no. */
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
