import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";
import { generatedPages, rulePagesModule } from "./pages.ts";

// npm run reference: writes the pages that are made from the program's definitions, and puts those of the rules
// into the program.
for (const [name, text] of await generatedPages()) writeFileSync(join(REPOSITORY, "docs", name), text);
writeFileSync(join(REPOSITORY, "src/check/rule-pages.ts"), rulePagesModule());
