/** One line for the person watching, on stderr: stdout belongs to the program that is being started. */
export function note(text) {
  console.error(`codelia: ${text}`);
}
