import { join } from "node:path";
import { bundle } from "./build.mjs";
import { capture } from "./capture.mjs";
import { root } from "./root.mjs";
import { ToolError } from "./tool.mjs";

const entry = join(root, "src", "public.ts");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

/** Types of the schemas alone: nothing of a platform. */
const declarations = [
  "--ignoreConfig --declaration --emitDeclarationOnly --strict --skipLibCheck --allowImportingTsExtensions".split(" "),
  "--target es2023 --module preserve --types".split(" "),
  "",
].flat();

/** Makes what programs import from the package, in `directory`: the schemas as a module, and their types. */
export async function makeLibrary(directory) {
  await bundle({ entry, outfile: join(directory, "public.mjs"), external: ["zod"] });
  const args = [compiler, ...declarations, "--outDir", join(directory, "types"), entry];
  const { code, output } = await capture(process.execPath, args, { cwd: root });
  if (code !== 0) throw new ToolError(`making the types failed:\n${output}`);
}
