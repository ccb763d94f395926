import { stripVTControlCharacters } from "node:util";

const result = /^\((pass|fail|skip|todo)\) /u;
const minLines = 3;
const maxLines = 60;

/** Keeps what the output of `bun test` says of each failed test, so that it can be said again at the end. */
export function failureKeeper() {
  const failures = [];
  let lines = [];
  let rest = "";
  return {
    add(chunk) {
      const [last, ...whole] = `${rest}${chunk}`.split("\n").toReversed();
      rest = last;
      for (const line of whole.toReversed()) {
        lines.push(line);
        const verdict = result.exec(stripVTControlCharacters(line))?.[1];
        // At its end bun repeats the names alone.
        if (verdict === "fail" && lines.length > minLines) failures.push(lines.slice(-maxLines).join("\n"));
        if (verdict !== undefined) lines = [];
      }
    },
    failures,
  };
}
