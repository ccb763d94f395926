import { dirname } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { acquireLock, HELD } from "../lib/lock.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { createWhole, writeWhole } from "../lib/write-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { DEFAULT_SESSION } from "./contexts.ts";
import { forgetSession } from "./forget.ts";
import { claimedRoot, claimPaths, locateLedger } from "./location.ts";
import { viewIn, type SessionView } from "./read.ts";
import { retireTree } from "./tree.ts";

const CLAIM_WAIT_MS = 1000;
/** The lock is held for a few writes. A holder that hangs may be replaced: it checks the lock before it writes. */
const CLAIM_PATIENCE_MS = 300;
const MODES = { directoryMode: 0o700, fileMode: 0o600 };

/**
 * Claims the root whose ledger records a session. The root is claimed before the first record, so that concurrent calls
 * in two roots agree; a lost claim is made again. If two ledgers had the session, a compaction recorded in one would be
 * unknown to the other.
 *
 * @input  view: what is known of the session that is about to be recorded
 * @output the view to go on with; undefined if another process holds the claim's lock for too long
 * @effect a file in the user's state directory; if two ledgers have the session anyway, both forget it; a warning if
 *          the root of a new session can't be claimed
 */
export function settleRoot(world: World, workspace: Workspace, view: SessionView): SessionView | undefined {
  const { key, userDirectories } = workspace;
  const { root } = view.location;
  if (key.session === DEFAULT_SESSION || claimedRoot(userDirectories, key.session) === root) return view;
  const claim = claimRoot(world, userDirectories, key.session, root);
  if (claim.kind === "failed") {
    if (view.session === undefined) warnUnclaimed(world, key.session, claim.reason);
    return view;
  }
  if (claim.kind === "held") return undefined;
  if (claim.root === root) return view;
  const location = locateLedger(claim.root, userDirectories, world.home);
  if (view.session !== undefined) for (const each of [view.location, location]) forgetSession(world, each, key.session);
  world.trace("moved-to-origin", { root: claim.root });
  return viewIn(location, key.session);
}

type Claim =
  | { readonly kind: "claimed"; readonly root: string }
  | { readonly kind: "held" }
  | { readonly kind: "failed"; readonly reason: string };

/** Claims it in the first directory that can be written. */
function claimRoot(world: World, userDirectories: UserDirectories, id: string, root: string): Claim {
  let failed: Claim = { kind: "failed", reason: "" };
  for (const path of claimPaths(userDirectories, id)) {
    const claim = claimAt(world, userDirectories, path, { id, root });
    if (claim.kind !== "failed") return claim;
    if (failed.reason === "") failed = claim;
  }
  return failed;
}

/** A root that no longer exists loses its claim and its ledger. */
function claimAt(
  world: World,
  userDirectories: UserDirectories,
  path: string,
  wanted: { readonly id: string; readonly root: string },
): Claim {
  const text = `${JSON.stringify(wanted)}\n`;
  // Usually nobody else claims it. Only an existing claim is decided about under a lock.
  if (createWhole(world, path, text, MODES).kind === "written") return { kind: "claimed", root: wanted.root };
  try {
    disk.makeDirectory(dirname(path), MODES.directoryMode);
  } catch (error) {
    return { kind: "failed", reason: errnoOf(error) };
  }
  const attempt = acquireLock(world, {
    path: `${path}.lock`,
    waitMs: CLAIM_WAIT_MS,
    patienceMs: CLAIM_PATIENCE_MS,
  });
  if (attempt.kind !== "locked") {
    const isFailed = attempt.kind === "failed" && attempt.reason !== HELD;
    return isFailed ? { kind: "failed", reason: attempt.reason } : { kind: "held" };
  }
  const present = claimedRoot(userDirectories, wanted.id);
  if (present !== undefined && (present === wanted.root || isDirectory(present))) {
    attempt.lock.release();
    return { kind: "claimed", root: present };
  }
  // If the root comes back, its ledger doesn't know what the session has forgotten since.
  if (present !== undefined) retireTree(world, locateLedger(present, userDirectories, world.home));
  let claim: Claim = { kind: "held" };
  attempt.lock.finish(() => {
    const written = writeWhole(world, path, text, MODES);
    claim =
      written.kind === "failed" ? { kind: "failed", reason: written.errno } : { kind: "claimed", root: wanted.root };
  });
  return claim;
}

function warnUnclaimed(world: World, id: string, reason: string): void {
  world.warn(`could not record where session '${id}' began (${reason}); another root will take it for a new one`);
}
