/**
 * The prose of a Markdown file, everything else blanked: no character moves, so a position in the result is one in the
 * file. Code, addresses and marks become `¤`, which is no word and keeps what stands beside it apart.
 */
export function proseOf(markdown) {
  return withoutFences(markdown)
    .replaceAll(/<!--[^]*?-->/gu, blank)
    .replaceAll(/(`+)[^`](?:[^]*?[^`])??\1(?!`)/gu, blank)
    .replaceAll(/(?<=\])\([^)\s]*\)/gu, blank)
    .replaceAll(/^\[[^\]]+\]: \S+$/gmu, blank)
    .replaceAll(/<\/?[a-z][^>]*>/giu, blank)
    .replaceAll(/https?:\/\/\S+/gu, blank)
    .replaceAll(/[|*]/gu, "¤");
}

/** The same of a JSON Schema: what it says in `description`. */
export function descriptionsIn(schema) {
  return schema
    .split("\n")
    .map((line) => {
      const start = /^\s*"description": "/u.exec(line)?.[0].length ?? line.length;
      return blank(line.slice(0, start)) + line.slice(start).replace(/",?$/u, blank);
    })
    .join("\n");
}

function withoutFences(markdown) {
  let fence;
  return markdown
    .split("\n")
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined;
        return blank(line);
      }
      fence = mark;
      return mark === undefined ? line : blank(line);
    })
    .join("\n");
}

function blank(text) {
  return text.replaceAll(/[^\n]/gu, "¤");
}
