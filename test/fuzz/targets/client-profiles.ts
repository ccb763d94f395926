import { equal, ok } from "node:assert/strict";
import type { TreeFacts } from "../../../src/clients/client.ts";
import { isTable } from "../../../src/lib/table.ts";
import { loadProfiles } from "../../../src/clients/registry.ts";
import { parseJsonc } from "../../../src/lib/jsonc.ts";
import { factsOf } from "../../support/table-facts.ts";
import type { FuzzTarget } from "../lib/target.ts";

const CLIENTS = await loadProfiles();
const PLACE = { home: "/home/u", env: {} };
const CWD = "/r/a/b";
const SKILLS = ["a", "b"].map((name) => ({
  path: `/r/.agents/skills/${name}/SKILL.md`,
  place: "/r/.agents/skills",
  header: { name, description: "Reviews one part of the code." },
}));
const TRUSTED = { projects: { "/r": { trust_level: "trusted" } } };

/** The settings that come with a clone, and the files that they decide about. */
function factsWith(data: unknown): TreeFacts {
  const settings = isTable(data) ? { data } : { data: {} };
  return factsOf({
    "/r/.git/HEAD": "",
    "/r/.claude/settings.json": settings,
    "/r/a/b/.claude/settings.json": settings,
    "/r/.codex/config.toml": settings,
    "/home/u/.codex/config.toml": { data: TRUSTED },
    "/r/CLAUDE.md": "Root. @a/more.md\n",
    "/r/a/more.md": "More.\n",
    "/r/a/AGENTS.md": "Of a.\n",
    "/r/a/b/CLAUDE.md": "Of b.\n",
    "/r/a/b/AGENTS.md": "Of b.\n",
  });
}

function dataOf(input: string): unknown {
  const read = parseJsonc(input);
  return read.kind === "data" ? read.data : {};
}

/** The settings of Claude Code and Codex, all as JSON: what each reads because of them. */
export const target: FuzzTarget = {
  read(input) {
    const facts = factsWith(dataOf(input));
    return CLIENTS.map((client) => client.reach(CWD, PLACE, facts));
  },
  check(input) {
    const facts = factsWith(dataOf(input));
    for (const client of CLIENTS) {
      const reach = client.reach(CWD, PLACE, facts);
      client.onTouch(CWD, { tool: "Read", path: "/r/a/b/c/x.ts" }, PLACE, facts);
      const isSilent = reach.files.every(({ bytesShown }) => bytesShown === 0);
      equal(client.text(reach, facts) === "", isSilent, "a text of nothing, or none of something");
      for (const { path, shown, wanted } of client.skillListing(CWD, PLACE, facts)?.show?.(SKILLS) ?? []) {
        ok(shown <= wanted, `more of the description of '${path}' is listed than there is`);
      }
      for (const { bytesShown, bytesTotal, status, path } of reach.files) {
        ok(bytesShown <= bytesTotal, `more of '${path}' is shown than there is`);
        ok(bytesShown === 0 || status === "loaded" || status === "cut", `'${path}' is ${status}, and shown`);
      }
    }
  },
  words: ['{"claudeMdExcludes":["**/CLAUDE.md"]}', '{"skillListingBudgetFraction":0.0001}', '"skillListingMaxDescChars":9', '"skillOverrides":{"a":"name-only"}', '"skills":{"max_context_tokens":30}', '"enabledPlugins":{"cc-plugin-agents-md@builtin":false}', '{"project_doc_max_bytes":9}', '"project_doc_fallback_filenames":["CLAUDE.md"]', '"project_root_markers":[".git"]'],
  parts: ["*", "a", "/", "{", ",", "!", " ", '","', '"n№.md",'],
  frames: [
    ['{"claudeMdExcludes":["', '"]}'],
    ['{"project_doc_fallback_filenames":["', '"]}'],
    ['{"project_doc_fallback_filenames":[', "]}"],
  ],
  growth: [16_384, 131_072],
}; // prettier-ignore
