import { expect, test } from "bun:test";
import { withoutComments } from "../../src/check/own-text.ts";

const gap = (part: string) => part.replaceAll(/[^\n]/g, " ");

test.each([
  ["a comment", "a <!-- b --> c", "<!-- b -->"],
  [
    "what a tool keeps",
    "a\n<!-- BEGIN: x -->\nb <!-- c -->\nd\n<!-- END: x -->\ne",
    "<!-- BEGIN: x -->\nb <!-- c -->\nd\n<!-- END: x -->",
  ],
  ["from the last beginning on", "<!-- start --> a <!-- start --> b <!-- end --> c", "<!-- start --> b <!-- end -->"],
  ["an end without a beginning", "a <!-- end --> b", "<!-- end -->"],
  ["nothing of a comment that does not end", "a <!-- b", ""],
])("withoutComments() leaves out %s", (_, text, part) => {
  const first = text.startsWith("<!-- start -->") ? "<!-- start -->" : "";
  expect(withoutComments(text)).toBe(text.replace(part, gap).replace(first, gap));
});
