import { playScenes } from "./lib/in-claude-scenes.ts";

playScenes("mod");
