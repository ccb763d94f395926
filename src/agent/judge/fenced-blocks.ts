interface Fence {
  /** Its backticks or tildes. */
  readonly mark: string;
  readonly info: string;
  /** What stands between it and the next fence. */
  readonly body: string;
}

interface Block {
  readonly body: string;
  /** The fence around it, where there is one. */
  readonly within: Fence | undefined;
}

/**
 * What stands in fences that say `json`, or nothing; the last is the one to be tried first. A fence may be indented, longer
 * than three, of tildes, and left open at the end of the text.
 *
 * No line of a JSON object looks like a fence, so each body ends at the next one. Which fences begin a block is read in two
 * ways: as CommonMark does, where a block knows nothing but its end, and as those mean it who quote a fence in another of the
 * same length. A quoted block comes before all others: it is an example, unless there is none besides.
 */
export function fencedBlocks(text: string): string[] {
  const blocks: Block[] = [];
  const nested: Fence[] = [];
  let plain: Fence | undefined;
  for (const fence of fencesIn(text)) {
    const beginsPlainly = plain === undefined;
    if (plain === undefined) plain = fence;
    else if (closes(fence, plain)) plain = undefined;
    const around = nested.at(-1);
    const begins = around === undefined || (fence.info !== "" && isAsStrong(fence, around));
    if (begins) nested.push(fence);
    else if (closes(fence, around)) nested.pop();
    if ((beginsPlainly || begins) && /^(json[c5]?)?$/i.test(fence.info)) {
      blocks.push({ body: fence.body, within: beginsPlainly ? undefined : around });
    }
  }
  // What never ends quotes nothing: somebody forgot its end, or it is one too many.
  const endless = new Set(nested);
  const isQuoted = ({ within }: Block) => within !== undefined && !endless.has(within);
  return [...blocks.filter(isQuoted), ...blocks.filter((block) => !isQuoted(block))].map(({ body }) => body);
}

function fencesIn(text: string): Fence[] {
  const lines = text.split(/\r?\n/);
  const heads = lines.flatMap((line, index) => {
    const head = readFence(line);
    return head === undefined ? [] : [{ ...head, index }];
  });
  return heads.map(({ mark, info, index }, at) => ({
    mark,
    info,
    body: lines.slice(index + 1, heads[at + 1]?.index).join("\n"),
  }));
}

function readFence(line: string): { mark: string; info: string } | undefined {
  const [, mark, info = ""] = /^[ \t]*(`{3,}|~{3,})([^]*)$/.exec(line) ?? [];
  const isFence = mark !== undefined && !(mark.startsWith("`") && info.includes("`"));
  return isFence ? { mark, info: info.trim() } : undefined;
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.info === "" && isAsStrong(fence, open);
}

function isAsStrong({ mark }: Fence, other: Fence): boolean {
  return mark[0] === other.mark[0] && mark.length >= other.mark.length;
}
