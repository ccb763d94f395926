/**
 * A client's plugin, in TypeScript: it sends each event to codelia as JSON and puts the answer where the model reads it.
 *
 * @param call the words that call this program, as a list in JSON
 * @param body what it does with `ask(event)`, which gives the text to tell
 */
export function pluginScript(call: string, mark: string, body: string): string {
  return `// ${mark}, and written anew by it: changes are lost.
import { spawn } from "node:child_process"
import { homedir } from "node:os"

const [PROGRAM, ...ARGUMENTS] = [${call}]
const TIMEOUT_MS = 10_000

// What codelia says of an event; nothing where it is not there, fails or takes too long.
function ask(event: object): Promise<string> {
  return new Promise((resolve) => {
    // Windows looks for a program in the working directory first, which is a clone.
    const child = spawn(PROGRAM, ARGUMENTS, {
      cwd: homedir(),
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    })
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve(""))
    child.on("close", () => {
      try {
        resolve(said === "" ? "" : String(JSON.parse(said).context ?? ""))
      } catch {
        resolve("")
      }
    })
    child.stdin.end(JSON.stringify(event))
  })
}

${body}`;
}
