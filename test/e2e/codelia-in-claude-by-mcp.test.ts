import { playOwnFiles } from "./lib/in-claude-own-files.ts";
import { playScenes } from "./lib/in-claude-scenes.ts";

playScenes("mcp");
playOwnFiles("mcp");
