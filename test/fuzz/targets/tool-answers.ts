import { ok } from "node:assert/strict";
import { quotedIn, textsIn } from "../../../src/hooks/shown.ts";
import type { FuzzTarget } from "../lib/target.ts";

const RULES = "Rules of a.\nMore of them.\n";

/** What a tool has answered, in any shape, and whether an instruction file stands in it. */
export const target: FuzzTarget = {
  read(input) {
    const wasPrinted = quotedIn(textsIn(parsed(input)));
    return [wasPrinted(RULES), wasPrinted(input)];
  },
  check(input) {
    const texts = textsIn(parsed(input));
    ok(texts.length <= 1001, `${texts.length} texts`);
    // A blank behind its number is taken for the number's, and a number may stand behind any end of a line.
    if (input !== input.trim() || /^ /m.test(input) || /[\r\u2028\u2029]/.test(input)) return;
    const numbered = input.split("\n").map((line, index) => `${index + 1}\t${line}`);
    for (const whole of [`x\n${input}\ny`, numbered.join("\n")]) {
      ok(quotedIn([whole])(input), "a text does not stand in itself");
    }
  },
  words: ['{"text":"Rules of a.\\nMore of them."}', '["', '"]', '"{\\"a\\":1}"', "    1\\tRules of a.\\n"],
  parts: ["[", "{", '"', '"a",', '"[\\"a\\"]",', "\\n", "1", "\\t", " ", "a", '"k№":"a",'],
  frames: [["[", "]"], ['"', '"'], ["", ""]],
  growth: [16_384, 131_072],
}; // prettier-ignore

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
