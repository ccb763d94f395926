const KEY_LINE = /^([A-Za-z][A-Za-z0-9_-]*):(?:[ \t](.*))?$/s;
const BLOCK = /^[|>][-+0-9]*[ \t]*$/;

/**
 * A header that YAML refuses, read as its author meant it: what follows a key is its value, colons and all, and what
 * stands below without a key of its own goes with it. Of two lines with one key the first counts.
 */
export function readLooseHeader(header: string): Record<string, string> {
  const values = new Map<string, string>();
  let key: string | undefined;
  let separator = " ";
  for (const line of header.split(/\r?\n/)) {
    const [, name, written = ""] = KEY_LINE.exec(line) ?? [];
    const value = written.trimStart();
    if (name !== undefined) {
      key = values.has(name) ? undefined : name;
      const isBlock = BLOCK.test(value);
      separator = isBlock && value.startsWith("|") ? "\n" : " ";
      if (key !== undefined) values.set(key, isBlock ? "" : value.trim());
    } else if (key !== undefined && /^\s*[^\s#]/.test(line)) {
      const before = values.get(key) ?? "";
      values.set(key, before === "" ? line.trim() : before + separator + line.trim());
    }
  }
  return Object.fromEntries([...values].map(([name, value]) => [name, withoutQuotes(value)]));
}

function withoutQuotes(value: string): string {
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
