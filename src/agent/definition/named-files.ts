import type { AgentCommand } from "../../trust/agent-commands.ts";
import { whyNamedNotTrusted } from "../../trust/records.ts";
import type { UserPlaces } from "../../config/user-places.ts";
import { readNamedFiles } from "../../trust/named-files.ts";
import { storeOf } from "../../trust/records.ts";
import type { TrustedFile } from "../../trust/schema.ts";
import type { World } from "../../world.ts";
import { ExecutionError } from "../errors.ts";

/** What a definition was trusted with beside its own files. */
export interface TrustedNames {
  /** The definition as the user named it, which is what `codelia trust` is given. */
  readonly definition: string;
  readonly named: readonly TrustedFile[];
}

/**
 * Why the files of the clone that commands name are not those that were trusted with the definition.
 *
 * @input  commands: their words as they are run; cwd: where
 * @output undefined where they are, or there are none
 * @effect reads them
 * @error  none
 */
export function whyNamesNotTrusted(
  world: World,
  places: UserPlaces,
  { definition, named }: TrustedNames,
  commands: readonly AgentCommand[],
  cwd: string,
): string | undefined {
  const read = readNamedFiles(world, commands, { definition, own: storeOf(places), cwds: [cwd] });
  return read.kind === "unusable" ? read.problem : whyNamedNotTrusted(named, read.files);
}

/**
 * Looks at them again, right before they are run: a model that works in the clone may have changed them since.
 *
 * @error  ExecutionError
 */
export function assertNamesTrusted(
  world: World,
  places: UserPlaces,
  trusted: TrustedNames,
  commands: readonly AgentCommand[],
  cwd: string,
): void {
  const why = whyNamesNotTrusted(world, places, trusted, commands, cwd);
  if (why === undefined) return;
  const keys = commands.map(({ key }) => key).join(", ");
  const message = `${keys} is not run in '${cwd}': ${why}; run 'codelia trust ${trusted.definition}' there to review it`;
  throw new ExecutionError(message, { recoverable: false });
}
