import type { PassedOver } from "./chain.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";

/** Warns of files that can't be used. Those that are only hidden or met twice are as their authors meant them. */
export function warnPassedOver(world: World, passedOver: readonly PassedOver[]): void {
  for (const { path, reason } of passedOver) {
    if (reason !== "hidden" && reason !== "duplicate") world.warn(`'${visible(path)}' is passed over: ${WHY[reason]}`);
  }
}

const WHY: Readonly<Record<Exclude<PassedOver["reason"], "hidden" | "duplicate">, string>> = {
  "not-a-regular-file": "it is not a regular file",
  "dangling-link": "it is a link that leads nowhere",
  "link-outside-root": "it is a link that leads outside the root",
  "no-permission": "it may not be read",
  unreadable: "it can't be read",
};
