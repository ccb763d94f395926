// Adds one more instruction file everywhere: $COMPANY_INSTRUCTIONS, or ~/company/AGENTS.md, where it is there.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

interface Chain {
  targets: string[];
  files: { path: string }[];
}

export default {
  "agents:chain"({ targets, files }: Chain): Chain | undefined {
    const path = process.env["COMPANY_INSTRUCTIONS"] ?? join(homedir(), "company", "AGENTS.md");
    return existsSync(path) ? { targets, files: [{ path }, ...files] } : undefined;
  },
};
