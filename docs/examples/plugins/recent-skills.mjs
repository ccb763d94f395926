// Shows the skills first that were loaded here last. What was loaded stands in the ledger, with a count that only grows.
import { existsSync, readFileSync } from "node:fs";

export default {
  "skills:ranked"({ results, ...asked }, { ledger }) {
    if (!existsSync(ledger)) return undefined;
    const lastUse = new Map();
    for (const session of Object.values(JSON.parse(readFileSync(ledger, "utf8")).sessions)) {
      for (const { loadedSkills } of Object.values(session.contexts)) {
        for (const [path, { n }] of Object.entries(loadedSkills))
          lastUse.set(path, Math.max(n, lastUse.get(path) ?? 0));
      }
    }
    const of = ({ skill }) => lastUse.get(skill.path) ?? -1;
    return { ...asked, results: results.toSorted((left, right) => of(right) - of(left)) };
  },
};
