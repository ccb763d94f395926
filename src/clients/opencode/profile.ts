import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { NativeClient, Part } from "../client.ts";
import { profileOf } from "./family.ts";

/** opencode, as of 1.18. */
export const profile: Part<NativeClient> = profileOf({
  configDirectory: ({ home, env }) => join(namedDirectory(env["XDG_CONFIG_HOME"], join(home, ".config")), "opencode"),
  own: [".opencode"],
  settings: ["opencode.json", "opencode.jsonc"],
  ownSettings: ["opencode.json", "opencode.jsonc"],
});
