/** A text without what stands between two marks, the marks included; a first without a second stays. Linear in its length. */
export function withoutSpans(text: string, open: string, close: string, instead: string): string {
  let kept = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return kept + text.slice(at);
    kept += text.slice(at, start) + instead;
    at = end + close.length;
  }
}
