import type { Host } from "../core/hooks/host.ts";
import type { NativeLoads } from "../core/profiles/client-profile.ts";

/** Of a client of which that is not known. */
const NOTHING: NativeLoads = { reach: () => ({ files: [] }), onTouch: () => [] };

/** What a host's client loads by itself: the profile that `explain` shows, where it has one. */
export async function nativeLoadsOf({ name, native }: Host): Promise<NativeLoads> {
  switch (name) {
    case "claude":
      return (await import("../hosts/claude-profile.ts")).claudeProfile;
    case "codex":
      return (await import("../hosts/codex-profile.ts")).codexProfile;
    default:
      return native ?? NOTHING;
  }
}
