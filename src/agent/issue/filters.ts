import { join } from "node:path";
import { checkoutFilters, filterSettings, readSettings } from "../../lib/git-stand-in.ts";
import type { UserPlaces } from "../../config/user-places.ts";
import { saidBy, type Git, type GitAnswer } from "../../lib/git.ts";
import { areFiltersTrusted } from "../../trust/filters.ts";
import { ConfigurationError, ExecutionError } from "../errors.ts";

/**
 * Puts the filters of the clone's own git config in force for a checkout, where the user trusts them. Those that the
 * user's own config sets up are in force anyway, and come before the clone's of the same name.
 *
 * @input  tree: the main working tree; revision: what is to be checked out
 * @effect processes
 * @error  ConfigurationError where a file to be checked out needs one that is not trusted
 */
export function allowFilters(git: Git, places: UserPlaces, tree: string, revision: string): void {
  const settings = filterSettings(git.settings);
  const own = checkoutFilters(ownSettings(git));
  const theirs = [...checkoutFilters(settings)].filter((name) => !own.has(name));
  if (theirs.length === 0) return;
  const needing = fileNeeding(git, revision, theirs);
  if (needing === undefined) return;
  const { file, filter } = needing;
  const allowed = settings.filter(({ key }) => theirs.some((name) => key.startsWith(`filter.${name}.`)));
  if (areFiltersTrusted(places, tree, settings)) return git.allow(allowed);
  throw new ConfigurationError(
    `an issue's worktree can't be made: '${file}' is changed as it is checked out by filter '${filter}' of the clone's own git config, which you have not trusted as it is now; run 'codelia trust ${tree}' to review it`,
  );
}

/** The filters of the user's own config: of the clone's, none is in force yet. */
function ownSettings(git: Git): ReturnType<typeof readSettings> {
  const answer = git.ask(["config", "--null", "--get-regexp", String.raw`^filter\.`]);
  return answer.kind === "ok" ? readSettings(answer.stdout) : [];
}

function fileNeeding(
  git: Git,
  revision: string,
  filters: readonly string[],
): { readonly file: string; readonly filter: string } | undefined {
  const index = join(git.standIn, "index");
  output(git.ask(["read-tree", revision], { index }));
  const files = output(git.ask(["ls-files", "--cached", "-z"], { index }));
  const words = ["check-attr", "--cached", "-z", "--stdin", "filter"];
  const told = output(git.ask(words, { index, stdin: files })).split("\0");
  // Path, attribute, value: of each file three.
  const at = told.findIndex((value, place) => place % 3 === 2 && filters.includes(value));
  return at < 0 ? undefined : { file: told[at - 2] ?? "", filter: told[at] ?? "" };
}

function output(answer: GitAnswer): string {
  if (answer.kind === "ok") return answer.stdout;
  throw new ExecutionError(`git can't tell which filters the worktree needs: ${saidBy(answer)}`, {
    recoverable: false,
  });
}
