import { join } from "node:path";
import type { Part } from "../client.ts";
import { settings as opencode } from "../opencode/settings.ts";
import type { ClientSettings } from "../settings/model.ts";
import { xdgDirectory } from "./profile.ts";

/** The plugin is that of opencode, in other places. */
export const settings: Part<ClientSettings> = {
  ...opencode,
  settingsFile: (scope, { root, home, env }) =>
    join(scope === "user" ? xdgDirectory({ home, env }) : join(root, ".kilo"), "plugins"),
};
