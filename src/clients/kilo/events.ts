/** Its plugins are those of opencode. */
export { events } from "../opencode/events.ts";
