/** What can be passed as a session's id: it comes from a file, and must be neither a flag nor a name to search for. */
export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
