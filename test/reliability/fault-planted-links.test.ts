import { expect, setDefaultTimeout, test } from "bun:test";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectAnswer } from "./lib/expect-answer.ts";
import { makeIdle } from "./lib/idle.ts";
import { namesIn, openStage } from "./lib/stage.ts";

setDefaultTimeout(60_000);

// A clone may have links in the place of our own directories: nothing is written or removed where they lead.
const PRECIOUS = { "precious/settings.json": "{}", "precious/photo.raw": "x".repeat(1000) };
const FORTY_DAYS_S = 40 * 24 * 60 * 60;
const ROOM_BYTES = 64 * 1024 * 1024;

test("a link in place of '.codelia/sessions': an idle session goes elsewhere or is forgotten, nothing else goes", async () => {
  using stage = openStage({ entries: { ...PRECIOUS, "repo/.codelia/sessions": { link: "../../precious" } } });
  const old = Date.now() / 1000 - FORTY_DAYS_S;
  for (const name of namesIn(stage.tree.path("precious"))) utimesSync(stage.tree.path("precious", name), old, old);
  const mtimeMs = stage.touch();
  await stage.run(["resolve", "--session", "idle", ...stage.paths]);
  makeIdle(stage, "idle", 25);
  const ending = await stage.run(["resolve", "--session", "new", ...stage.paths]);
  expect(namesIn(stage.tree.path("precious"))).toEqual(["photo.raw", "settings.json"]);
  expectAnswer(ending, { files: stage.files, mtimeMs, ...(ending.stderr === "" ? {} : { stderr: /warning/ }) });
});

test("a link in place of '.codelia/outputs': trim keeps nothing there, and removes nothing there", async () => {
  using stage = openStage({ entries: { ...PRECIOUS, "repo/.codelia/outputs": { link: "../../precious" } } });
  writeFileSync(stage.tree.path("input"), "line of a long output\n".repeat(Math.floor(ROOM_BYTES / 22)));
  const ending = await stage.run(["trim"], { through: ["sh", "-c", 'exec "$0" "$@" < ../input'] });
  expect(namesIn(stage.tree.path("precious"))).toEqual(["photo.raw", "settings.json"]);
  expect(ending.exit).toBe(0);
  expect(ending.stdout).toContain('<system-reminder type="tool.output.trimmed">');
});

test("a link in place of a lock, a draft or '.gitignore' is never written through", async () => {
  const target = "precious/settings.json";
  using stage = openStage({
    entries: {
      ...PRECIOUS,
      "repo/.codelia/session.json.lock": { link: join("../..", target) },
      "repo/.codelia/.gitignore": { link: join("../..", target) },
    },
  });
  const mtimeMs = stage.touch();
  expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
  expect(stage.tree.read(target)).toBe("{}");
});
