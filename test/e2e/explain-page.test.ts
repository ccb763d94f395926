import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";
import { BROWSER, openPage } from "./lib/browser.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";

// The page that `explain --html` writes, in a real browser.

const PROJECT: Readonly<Record<string, Entry>> = {
  ".codelia/config.json": JSON.stringify({ agents: { initial: { maxBytes: 32_768 } } }),
  ".git/HEAD": "ref: refs/heads/main\n",
  "AGENTS.md": "x".repeat(30_000),
  "app/AGENTS.md": "y".repeat(5000),
  "app/deep/AGENTS.md": "z".repeat(100),
  "lib/AGENTS.override.md": "Override.",
  "lib/AGENTS.md": "Hidden.",
  "lib/CLAUDE.md": "Memory.",
};

describe.skipIf(BROWSER.missing !== undefined)("The page of explain", () => {
  async function openPageOf(files: Readonly<Record<string, Entry>>, cwd = ".") {
    const tree = tempTree(files);
    const home = tempTree({ "page.html": "" });
    const page = home.path("page.html");
    const ran = runCodelia(["explain", "--html", page, "--quiet"], { cwd: tree.path(cwd), home: home.root });
    expect(ran).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    const opened = await openPage(pathToFileURL(page).href);
    return {
      ...opened,
      html: readFileSync(page, "utf8"),
      [Symbol.asyncDispose]: async () => {
        await opened[Symbol.asyncDispose]();
        tree[Symbol.dispose]();
        home[Symbol.dispose]();
      },
    };
  }

  test(
    "colours the tree by reach, shows budgets, and says why on a click",
    async () => {
      await using page = await openPageOf(PROJECT, "app/deep");
      const tree = await page.evaluate(
        `[...document.querySelectorAll("nav button")].map((button) => [button.firstChild.textContent, ...[...button.querySelectorAll(".dot")].map((dot) => dot.className.slice(4))].join(" "))`,
      );
      expect((tree as string[]).slice(1)).toEqual([
        "app/ cut loaded cut",
        "deep/ left-out loaded left-out",
        "lib/ loaded loaded loaded",
      ]);
      expect(await page.evaluate(`document.querySelector("h2").textContent`)).toBe("deep/");
      expect(
        await page.evaluate(`[...document.querySelectorAll(".card .soft")].map((text) => text.textContent)`),
      ).toEqual([
        "32,768 of 32,768 bytes; 2,332 bytes of 2 files do not fit",
        "35,100 bytes, no limit",
        "32,768 of 32,768 bytes; 2,332 bytes of 2 files do not fit",
      ]);
      const widths = `[...document.querySelectorAll(".card")].at(-1).querySelectorAll(".bar i")`;
      expect(await page.evaluate(`[...${widths}].map((bar) => Math.round(parseFloat(bar.style.width)))`)).toEqual([
        92, 8,
      ]);

      await page.evaluate(`[...document.querySelectorAll("nav button")].at(-1).click()`);
      expect(await page.evaluate(`document.querySelector("h2").textContent`)).toBe("lib/");
      const hidden = `[...document.querySelectorAll("tr")].findLast((row) => row.cells[0].textContent === "AGENTS.md" && row.querySelector(".shadowed"))`;
      const why = `${hidden}.querySelectorAll(".why")`;
      expect(await page.evaluate(`[...${why}].map((text) => text.checkVisibility())`)).toEqual([false, false, false]);
      await page.evaluate(`${hidden}.querySelectorAll("button").forEach((button) => button.click())`);
      expect(
        await page.evaluate(
          `[...${why}].map((text) => text.checkVisibility() && text.textContent.replace(/ \\(.*/, ""))`,
        ),
      ).toEqual([
        "another file in the directory takes precedence",
        "AGENTS.md is read only where no CLAUDE.md has content",
        "another file in the directory takes precedence",
      ]);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "shows hostile names as they are, runs nothing of them, and asks the network for nothing",
    async () => {
      const names = [
        `<img src=x onerror="window.hit=1">`,
        `x"><svg onload=window.hit=1>`,
        "</script><script>window.hit=1</script>",
        "<!--<script>",
        "&lt;b&gt;",
        "a\u202Eb\nc",
        "__proto__",
      ];
      const files = names.map((name) => [`${name}/AGENTS.md`, "<script>window.hit=1</script>"]);
      await using page = await openPageOf({ ...PROJECT, ...Object.fromEntries(files) });
      expect(page.problems).toEqual([]);
      const shown = (await page.evaluate(`document.querySelector("nav").textContent`)) as string;
      for (const name of [names[0]!, names[1]!, names[3]!, names[4]!, names[6]!, "a\\u{202e}b\\u{a}c"]) {
        expect(shown).toContain(`${name}/`);
      }
      expect(await page.evaluate(`typeof window.hit`)).toBe("undefined");
      expect(await page.evaluate(`document.querySelectorAll("img, svg, b, iframe, link").length`)).toBe(0);
      expect(await page.evaluate(`document.scripts.length`)).toBe(2);
      expect(page.problems).toEqual([]);
      expect(page.requests).toHaveLength(1);
      expect(page.requests[0]).toStartWith("file:///");
      expect(page.html).not.toContain("window.hit=1</script>");

      // Even what should get in would find that the page's policy refuses it.
      const refused = await page.evaluate(`new Promise((resolve) => {
        const directives = [];
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
          if (directives.push(effectiveDirective) === 2) resolve(directives.sort());
        });
        document.body.append(Object.assign(document.createElement("script"), { textContent: "window.hit = 2" }));
        document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/" }));
      })`);
      expect(refused).toEqual(["img-src", "script-src-elem"]);
      expect(await page.evaluate(`typeof window.hit`)).toBe("undefined");
    },
    TEST_TIMEOUT_MS,
  );
});
