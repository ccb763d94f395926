import { describe, expect, test } from "bun:test";
import { pathToFileURL } from "node:url";
import { edit, hook, optionsOf, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { recordOfWrite } from "../support/samples.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { BROWSER, openPage } from "./lib/browser.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";

// The pages that `report --html` and `audit --html` write, in a real browser.

const HOSTILE = `<img src=x onerror="window.hit=1">`;
const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/AGENTS.md": "Root rules.\n",
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/app/a.ts": "a\n",
  [`repo/${HOSTILE}/AGENTS.md`]: "Never applied.\n",
  "repo/.agents/skills/notes/SKILL.md": skillFile("notes", "Write release notes"),
};

function worked(more: Readonly<Record<string, Entry>> = {}): TempTree {
  const tree = tempTree({ ...TREE, ...more });
  for (const session_id of ["1", "2", "3", "4", "5"]) {
    hook(tree, { ...start(), session_id });
    hook(tree, { ...edit(tree.path("repo/app/a.ts")), session_id });
  }
  return tree;
}

async function openPageOf(tree: TempTree, ...args: string[]) {
  const page = tree.path("home/page.html");
  const ran = runCodelia([...args, "--html", page], { ...optionsOf(tree, ""), timeoutMs: 60_000 });
  expect(ran).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  return openPage(pathToFileURL(page).href);
}

const rows = `[...document.querySelectorAll(".listing .item a, .listing .item b")].map((link) => link.textContent)`;
const focused = `document.activeElement.textContent`;
const press = (key: string) =>
  `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(key)}, bubbles: true, cancelable: true }))`;

describe.skipIf(BROWSER.missing !== undefined)("The page of report", () => {
  test(
    "says the verdict first, then the advice, then each file, those with losses first; names are only text",
    async () => {
      using tree = worked();
      await using page = await openPageOf(tree, "report");
      expect(
        await page.evaluate(`[...document.querySelectorAll(".verdicts p")].map((each) => each.textContent)`),
      ).toEqual([
        "1 of your 3 instruction files reached a model, 1 only by name, 1 applied in no context, in 5 sessions with 5 contexts.",
        "Your one skill was never loaded.",
      ]);
      expect(await page.evaluate(`document.querySelectorAll(".advice .card").length`)).toBe(4);
      expect(await page.evaluate(rows)).toEqual(["app/AGENTS.md", `${HOSTILE}/AGENTS.md`, "AGENTS.md", "notes"]);
      expect(await page.evaluate(`document.querySelector(".bar").getAttribute("aria-label")`)).toBe(
        "5 named, 5 named with an edit, 5 not read",
      );
      expect(await page.evaluate(`document.querySelectorAll("img, iframe, link").length`)).toBe(0);
      expect(await page.evaluate(`typeof window.hit`)).toBe("undefined");
      expect(page.requests).toHaveLength(1);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "is used by keyboard: '/' filters, arrows move, Escape shows all again; each file has an address",
    async () => {
      using tree = worked();
      await using page = await openPageOf(tree, "report");
      await page.evaluate(press("/"));
      expect(await page.evaluate(`document.activeElement.getAttribute("aria-label")`)).toBe("filter files");
      await page.evaluate(
        `document.activeElement.value = "app"; document.activeElement.dispatchEvent(new Event("input"))`,
      );
      expect(await page.evaluate(rows)).toEqual(["app/AGENTS.md", "notes"]);
      await page.evaluate(press("Escape"));
      expect(await page.evaluate(rows)).toHaveLength(4);
      await page.evaluate(press("ArrowDown"));
      expect(await page.evaluate(focused)).toStartWith("app/AGENTS.md");
      await page.evaluate(press("ArrowDown"));
      expect(await page.evaluate(focused)).toStartWith(HOSTILE);
      await page.evaluate(`new Promise((resolve) => {
        addEventListener("hashchange", () => setTimeout(resolve));
        location.hash = "#AGENTS.md";
      })`);
      expect(await page.evaluate(focused)).toStartWith("AGENTS.md");
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "fits a phone, light and dark",
    async () => {
      using tree = worked();
      await using page = await openPageOf(tree, "report");
      await page.command("Emulation.setDeviceMetricsOverride", {
        width: 390,
        height: 800,
        deviceScaleFactor: 1,
        mobile: true,
      });
      expect(await page.evaluate(`[innerWidth, document.documentElement.scrollWidth]`)).toEqual([390, 390]);
      const paper = `getComputedStyle(document.body).backgroundColor`;
      const light = await page.evaluate(paper);
      await page.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
      expect(await page.evaluate(paper)).not.toBe(light);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "shows 2,000 directories in less than a second, and the rest of a long list on demand",
    async () => {
      const many = Array.from({ length: 2000 }, (_, index) => [
        `repo/group${index % 40}/package${index}/AGENTS.md`,
        "Rules.",
      ]);
      using tree = tempTree({ ...TREE, ...Object.fromEntries(many) });
      await using page = await openPageOf(tree, "report");
      await page.evaluate(`document.body.offsetHeight`);
      const { metrics } = (await page.command("Performance.getMetrics")) as {
        metrics: { name: string; value: number }[];
      };
      expect(metrics.find(({ name }) => name === "TaskDuration")?.value).toBeLessThan(1);
      expect(await page.evaluate(`document.querySelector("[role=status]").textContent`)).toBe("2,003 files");
      expect(await page.evaluate(`document.querySelector(".list").children.length`)).toBe(200);
      await page.evaluate(`document.querySelector(".listing > button").click()`);
      expect(await page.evaluate(`document.querySelector(".list").children.length`)).toBe(2003);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(BROWSER.missing !== undefined)("The page of audit", () => {
  test(
    "says the verdict first, then each write with what the model had; fits a phone; filters; has addresses",
    async () => {
      using tree = tempTree(TREE);
      tree.write("repo/session.jsonl", recordOfWrite(tree.path("repo"), tree.path("repo/app/a.ts")));
      await using page = await openPageOf(tree, "audit", "session.jsonl");
      expect(await page.evaluate(`document.querySelector(".verdicts p").textContent`)).toBe(
        "1 write: 1 without all that applied; most often missing: AGENTS.md (1), app/AGENTS.md (1).",
      );
      expect(await page.evaluate(rows)).toEqual(["app/a.ts"]);
      expect(
        await page.evaluate(`[...document.querySelectorAll(".known li")].map((each) => each.textContent)`),
      ).toEqual(["not at allAGENTS.md", "not at allapp/AGENTS.md"]);
      await page.command("Emulation.setDeviceMetricsOverride", {
        width: 390,
        height: 800,
        deviceScaleFactor: 1,
        mobile: true,
      });
      expect(await page.evaluate(`[innerWidth, document.documentElement.scrollWidth]`)).toEqual([390, 390]);
      await page.evaluate(`document.querySelector(".item a").click()`);
      expect(await page.evaluate(`location.hash`)).toBe("#0.0.0");
      await page.evaluate(press("/"));
      await page.evaluate(
        `document.activeElement.value = "other"; document.activeElement.dispatchEvent(new Event("input"))`,
      );
      expect(await page.evaluate(rows)).toEqual([]);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});
