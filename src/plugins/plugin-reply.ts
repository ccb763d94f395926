/** What a module gave back stands behind this, to the end of the line: it may have printed other things. */
const REPLY = "codelia-plugin-reply:";

/** The line that says what a module's hook gave back: JSON, or "" for nothing. */
export function replyLine(json: string): string {
  return `${REPLY}${json}\n`;
}

/** What the last such line says; undefined where there is none. */
export function replyIn(printed: string): string | undefined {
  const line = printed.split("\n").findLast((text) => text.includes(REPLY));
  return line?.slice(line.indexOf(REPLY) + REPLY.length);
}
