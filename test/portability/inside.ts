import { play } from "./play.ts";
import { localSubject } from "./subjects.ts";

// inside.ts PROGRAM DIRECTORY: plays all calls there, and prints the answers. A process of its own, because what is
// mounted for it is seen by nobody else.

const [program = "", base = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await play(localSubject("inside", "", [program], base))));
