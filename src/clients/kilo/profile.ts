import { basename, extname, join } from "node:path";
import { isInside, namedDirectory } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { profileOf } from "../opencode/family.ts";
import { filesNamedIn, isRefusedFor, withNamedFiles } from "./tokens.ts";

const OWN = [".kilo", ".kilocode"];
/** Their rules are for one mode, but every session gets them. */
const MODES = ["code", "architect", "ask", "debug", "orchestrator"];

/**
 * Kilo Code's command-line program, as of 7.7. As opencode, with rules besides, in the working directory and of the
 * user's. It gives no file of a project that is outside it, by a link or because there is no repository, and it puts
 * other files into the texts.
 */
export const profile: Part<NativeClient> = profileOf({
  configDirectory,
  own: OWN,
  settings: ["kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"],
  ownSettings: ["kilo.jsonc", "kilo.json"],
  staysInside: true,
  more: (cwd, { home }, facts) => [
    { paths: rulesIn(home, "rules", facts), origin: "home", takes: "all" },
    { paths: ["", ...MODES].flatMap((mode) => rulesFor(cwd, mode, facts)), origin: "project", takes: "all" },
  ],
  textOf: withNamedFiles,
  rulesFor(top, facts) {
    const root = facts.realPath(top) ?? top;
    return {
      refuses({ path, realPath, origin }, text) {
        if (origin === "home") return undefined;
        if (!isInside(root, realPath)) return isInside(top, path) ? "link-outside-root" : "outside-root";
        return isRefusedFor(text, path, root, facts) ? "refused-token" : undefined;
      },
      importsOf: (text, path) => filesNamedIn(text, path, facts).map((named) => ({ path: named, by: path })),
    };
  },
  hides(skill, top, facts) {
    const root = facts.realPath(top) ?? top;
    if (!isInside(top, skill.place)) return false;
    return !isInside(root, skill.realPath) || isRefusedFor(lossyText(skill.start()), skill.path, root, facts);
  },
});

function configDirectory({ home, env }: UserEnvironment): string {
  return namedDirectory(env["KILO_CONFIG_DIR"], xdgDirectory({ home, env }));
}

/** Where it looks for plugins, whatever its own variable says. */
export function xdgDirectory({ home, env }: UserEnvironment): string {
  return join(namedDirectory(env["XDG_CONFIG_HOME"], join(home, ".config")), "kilo");
}

function rulesFor(cwd: string, mode: string, facts: TreeFacts): string[] {
  const suffix = mode === "" ? "" : `-${mode}`;
  const old = join(cwd, `.kilocoderules${suffix}`);
  return rulesIn(cwd, `rules${suffix}`, facts).concat(facts.at(old)?.kind === "file" ? old : []);
}

/** Of two with the same name the first counts. Links are passed over. */
function rulesIn(directory: string, folder: string, facts: TreeFacts): string[] {
  const paths = OWN.map((name) => join(directory, name, folder)).flatMap((place) =>
    facts.list(place).map((name) => join(place, name)),
  );
  const files = paths.filter((path) => {
    const what = facts.at(path);
    return extname(path) === ".md" && what?.kind === "file" && !what.isLink;
  });
  return files.filter((path, index) => files.findIndex((each) => basename(each) === basename(path)) === index);
}
