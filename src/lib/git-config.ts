/** One setting of a git config, as `git config --null --list` prints it: section and name in lower case. */
export interface GitSetting {
  readonly key: string;
  readonly value: string;
}

/**
 * What git may still be told of a clone's own config: how its files and objects are stored, and names of branches and
 * remotes. None of these can name a program or a file to read, and what is not listed here is not in force.
 */
const HARMLESS = new Set([
  "core.repositoryformatversion",
  "core.bare",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.autocrlf",
  "core.eol",
  "core.checkstat",
  "core.trustctime",
  "core.longpaths",
  "user.name",
  "user.email",
]);
const HARMLESS_OF_NAMED = /^(?:branch\..+\.(?:remote|merge)|remote\..+\.(?:url|fetch|gh-resolved))$/s;
const EXTENSION = /^extensions\.[a-z]+$/;
/** In a clone with several working trees these may stand in the config of one of them. */
const SPARSE = new Set(["core.sparsecheckout", "core.sparsecheckoutcone"]);
/** They say where missing objects come from, and that there is another config. */
const EXTENSIONS_LEFT_OUT = new Set(["extensions.partialclone", "extensions.worktreeconfig"]);
const PLAIN_VALUE = /^[A-Za-z0-9_-]*$/;

/** The entries of `git config --null --list`; a name without a value is `true`. */
export function readSettings(listed: string): GitSetting[] {
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return entries.map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? { key: entry, value: "true" } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
  });
}

/** A config that holds the harmless ones, in their order. */
export function harmlessConfig(settings: readonly GitSetting[]): string {
  return writeConfig(settings.filter(isHarmless));
}

function isHarmless({ key, value }: GitSetting): boolean {
  if (EXTENSION.test(key)) return !EXTENSIONS_LEFT_OUT.has(key) && PLAIN_VALUE.test(value);
  return HARMLESS.has(key) || SPARSE.has(key) || HARMLESS_OF_NAMED.test(key);
}

/** Those that say which files a working tree has. */
export function sparseSettings(settings: readonly GitSetting[]): GitSetting[] {
  return settings.filter(({ key }) => SPARSE.has(key));
}

const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/s;

/** Those that say which programs change files as they are checked out and in. */
export function filterSettings(settings: readonly GitSetting[]): GitSetting[] {
  return settings.filter(({ key }) => FILTER.test(key));
}

/** The names of the filters that change files as they are checked out. */
export function checkoutFilters(settings: readonly GitSetting[]): Set<string> {
  const changing = settings.filter(({ key, value }) => /\.(?:smudge|process)$/.test(key) && value !== "");
  return new Set(changing.flatMap(({ key }) => FILTER.exec(key)?.[1] ?? []));
}

/** Whether each working tree has a config of its own besides. */
export function hasConfigEach(settings: readonly GitSetting[]): boolean {
  return settings.some(({ key, value }) => key === "extensions.worktreeconfig" && value !== "false");
}

/** The text of a config with these settings, and no others. */
export function writeConfig(settings: readonly GitSetting[]): string {
  return settings.map(({ key, value }) => `${sectionOf(key)}\n\t${nameIn(key)} = ${quoted(value)}\n`).join("");
}

/** `remote.a.b.url` is `url` in the section `[remote "a.b"]`. */
function sectionOf(key: string): string {
  const [section, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const name = key.slice(0, section);
  return section === last ? `[${name}]` : `[${name} "${key.slice(section + 1, last).replaceAll(/["\\]/g, "\\$&")}"]`;
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
