import type { Host } from "./host.ts";
import type { NativeLoads } from "./client-profile.ts";

/** Of a client of which that is not known. */
const NOTHING: NativeLoads = { reach: () => ({ files: [] }), onTouch: () => [] };

/** What a host's client loads by itself: the profile that `explain` shows, where it has one. */
export async function nativeLoadsOf({ name, native }: Host): Promise<NativeLoads> {
  switch (name) {
    case "claude":
      return (await import("./claude/profile.ts")).claudeProfile;
    case "codex":
      return (await import("./codex/codex-profile.ts")).codexProfile;
    default:
      return native ?? NOTHING;
  }
}
