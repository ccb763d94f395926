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
    const ran = runCodelia(["explain", "--html", page, "--quiet"], {
      cwd: tree.path(cwd),
      home: home.root,
      timeoutMs: 60_000,
    });
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

  const rowsOf = `[...document.querySelectorAll("[role=treeitem]")].map((row) => [row.querySelector(".name").lastChild.textContent, ...[...row.querySelectorAll(".dot")].map((dot) => dot.className.slice(4))].join(" "))`;
  const shownDirectory = `document.querySelector(".detail h2").textContent`;
  const verdicts = `[...document.querySelectorAll(".verdicts p")].map((text) => text.textContent)`;

  test(
    "says the verdict first, then shows each directory without codelia and with it",
    async () => {
      await using page = await openPageOf(PROJECT, "app/deep");
      expect(await page.evaluate(verdicts)).toEqual([
        "Claude Code does not read 1 of your 4 instruction files; with codelia's hooks it gets all of them.",
        "Codex does not read 1 of your 4 instruction files and cuts 1; with codelia's hooks it gets all of them.",
      ]);
      const tree = await page.evaluate(rowsOf);
      expect((tree as string[]).slice(1)).toEqual(["app/ loaded cut", "deep/ loaded left-out", "lib/ shadowed loaded"]);
      expect(await page.evaluate(shownDirectory)).toBe("deep/");
      expect(
        await page.evaluate(`[...document.querySelectorAll(".budgets .soft")].map((text) => text.textContent)`),
      ).toEqual([
        "35,100 bytes by itself, no limit",
        "32,768 of 32,768 bytes by itself",
        "2,332 bytes of 2 files do not reach the model",
      ]);
      // Only Codex has a limit.
      expect(await page.evaluate(`document.querySelectorAll(".bar").length`)).toBe(1);
      const widths = `[...document.querySelectorAll(".bar i")].map((bar) => Math.round(parseFloat(bar.style.width)))`;
      expect(await page.evaluate(widths)).toEqual([92, 8]);
      const command = `[...document.querySelectorAll(".problems .command code")].map((code) => code.textContent)`;
      expect(new Set((await page.evaluate(command)) as string[])).toEqual(
        new Set(["codelia install claude", "codelia install codex"]),
      );

      await page.evaluate(`document.querySelectorAll(".switch button")[1].click()`);
      expect(((await page.evaluate(rowsOf)) as string[]).slice(1)).toEqual([
        "app/ loaded given",
        "deep/ loaded given",
        "lib/ given loaded",
      ]);
      expect(await page.evaluate(verdicts)).toEqual([
        "With codelia's hooks Claude Code gets all 4 of your instruction files: 3 by itself, 1 from codelia.",
        "With codelia's hooks Codex gets all 4 of your instruction files: 2 by itself, 2 from codelia.",
      ]);
      expect(await page.evaluate(`document.querySelectorAll(".problems .solved").length`)).toBe(3);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "says why, shows a file's text and the skills on demand, and has an address for each directory",
    async () => {
      const skill = "---\nname: notes\ndescription: Writes notes\n---\nBegin.\n";
      await using page = await openPageOf({ ...PROJECT, ".agents/skills/notes/SKILL.md": skill });
      await page.evaluate(`new Promise((resolve) => {
        addEventListener("hashchange", () => setTimeout(resolve));
        location.hash = "#lib";
      })`);
      expect(await page.evaluate(shownDirectory)).toBe("lib/");
      const cell = `[...document.querySelectorAll("tr")].findLast((row) => row.cells[0]?.textContent === "AGENTS.md").cells[1].textContent`;
      expect(await page.evaluate(cell)).toBe(
        "not readAGENTS.md is read only where no CLAUDE.md has content: lib/CLAUDE.md",
      );
      expect(await page.evaluate(`document.querySelector("pre.text")`)).toBeNull();
      await page.evaluate(
        `[...document.querySelectorAll("td button")].find((button) => button.textContent === "CLAUDE.md").click()`,
      );
      expect(await page.evaluate(`document.querySelector("pre.text").textContent`)).toBe("Memory.");
      const skills = `[...document.querySelectorAll(".skills tbody tr")].map((row) => [...row.cells].map((each) => each.textContent))`;
      expect(await page.evaluate(skills)).toEqual([["notes", "not listed", "listed"]]);
      await page.evaluate(`document.querySelectorAll(".switch button")[1].click()`);
      expect(await page.evaluate(skills)).toEqual([["notes", "named by codelia", "listed"]]);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "is used by keyboard, filtered and collapsed, and fits a phone, in the dark too",
    async () => {
      await using page = await openPageOf(PROJECT);
      const press = async (key: string) => {
        const text = key.length === 1 ? { text: key } : {};
        await page.command("Input.dispatchKeyEvent", { type: "keyDown", key, ...text });
        await page.command("Input.dispatchKeyEvent", { type: "keyUp", key });
      };
      const focused = `document.activeElement.getAttribute("aria-label").split(",")[0]`;
      await page.evaluate(`document.querySelector("[role=treeitem]").focus()`);
      await press("ArrowDown");
      expect(await page.evaluate(focused)).toBe("app");
      await press("ArrowLeft");
      expect(await page.evaluate(`[...document.querySelectorAll("[role=treeitem] .name")].length`)).toBe(3);
      expect(await page.evaluate(focused)).toBe("app");
      await press("ArrowRight");
      await press("ArrowRight");
      expect(await page.evaluate(focused)).toBe("deep");
      await page.evaluate(
        `void (window.moved = new Promise((resolve) => addEventListener("hashchange", () => setTimeout(resolve))))`,
      );
      await press("Enter");
      await page.evaluate(`window.moved`);
      expect(await page.evaluate(`[location.hash, document.querySelector(".detail h2").textContent]`)).toEqual([
        "#app/deep",
        "deep/",
      ]);
      expect(await page.evaluate(focused)).toBe("deep");
      await press("/");
      for (const letter of "lib") await press(letter);
      expect(((await page.evaluate(rowsOf)) as string[]).slice(1)).toEqual(["lib/ shadowed loaded"]);
      await press("Escape");
      expect(await page.evaluate(`document.querySelectorAll("[role=treeitem]").length`)).toBe(4);

      const phone = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true };
      await page.command("Emulation.setDeviceMetricsOverride", phone);
      const paper = `getComputedStyle(document.body).backgroundColor`;
      const light = await page.evaluate(paper);
      await page.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
      expect(await page.evaluate(paper)).not.toBe(light);
      expect(await page.evaluate(`[innerWidth, document.documentElement.scrollWidth]`)).toEqual([390, 390]);
      expect(page.problems).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "shows 2,000 directories in less than a second",
    async () => {
      const many = Array.from({ length: 2000 }, (_, index) => [
        `group${index % 40}/package${index}/AGENTS.md`,
        "Rules.",
      ]);
      await using page = await openPageOf({ ...PROJECT, ...Object.fromEntries(many) });
      expect(await page.evaluate(`document.querySelector(".names").textContent`)).toContain("2,004 directories");
      await page.evaluate(`document.body.offsetHeight`);
      const { metrics } = (await page.command("Performance.getMetrics")) as {
        metrics: { name: string; value: number }[];
      };
      expect(metrics.find(({ name }) => name === "TaskDuration")?.value).toBeLessThan(1);
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
      expect(await page.evaluate(`document.scripts.length`)).toBe(3);
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
