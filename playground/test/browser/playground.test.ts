import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Page, Route } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { recipeText } from "../../src/recipe.js";
import { dashboardComponents, dashboardText } from "../../src/page/input/dashboard-sample.js";
import { cutText } from "../../src/server/cut-text.js";
import { specParser } from "../../src/server/run-parser.js";
import { startPlayground, type StartedPlayground } from "../../src/start-playground.js";
import { childPointer } from "../../src/tree.js";
import { type Catalogue, type Clock, from, pipe } from "millrace";
import { manualClock, type ManualClock } from "millrace/testing";
import { hasty } from "../../../test/behaviour/browser/pages/hasty.js";
import { inChromium, type OpenPage } from "../../../test/behaviour/browser/support/chromium.js";

const root = join(import.meta.dirname, "../../..");
/** MILLRACE_SCREENSHOTS=1 updates the screenshots in docs/. */
const pictures = process.env["MILLRACE_SCREENSHOTS"] === "1" ? join(root, "docs/images") : undefined;

inChromium("the playground", (open) => {
  let playground: StartedPlayground;
  let folder: string;
  const failures: unknown[] = [];

  beforeAll(async () => {
    mkdirSync(join(root, "temp"), { recursive: true });
    folder = mkdtempSync(join(root, "temp/playground-"));
    await buildPage(folder);
    playground = await start();
  }, 60_000);
  afterAll(async () => {
    await playground?.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(failures).toEqual([]);
  });

  /** @param clock default: the runs are four times as fast as in use */
  function start(clock: Clock = hasty(4)): Promise<StartedPlayground> {
    return startPlayground({
      clock,
      page: folder,
      onError: (error) => failures.push(error),
    });
  }

  /** The page of an address, which plays on load. */
  async function visitMoving(address: string, options: Parameters<OpenPage>[0] = {}): Promise<Page> {
    const page = await open({ viewport: { width: 1280, height: 800 }, ...options });
    await page.goto(playground.url + address);
    return page;
  }

  /** The page at a pace. It does not play on load. */
  async function visit(
    options: Parameters<OpenPage>[0] = {},
    speed = fastest,
    { url } = playground,
  ): Promise<Page> {
    const page = await open({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    await page.goto(`${url}#sample=A+recipe`);
    await page.getByRole("slider", { name: "Speed" }).fill(String(speed));
    return page;
  }

  /** The page at its slowest pace, with a clock that the test controls. */
  async function stepped(clock: Clock): Promise<Page> {
    const own = await start(clock);
    onTestFinished(() => own.stop());
    return visit({}, slowest, own);
  }

  /** The page after a run of a sample. */
  async function sampled(sample: string, end: string): Promise<Page> {
    const page = await visit();
    await page.getByLabel("Sample").selectOption(sample);
    await page.getByRole("button", { name: "Run" }).click();
    await phase(page, end);
    return page;
  }

  test("updates the tree while a sample runs, until it shows the whole document", async () => {
    const page = await sampled("A recipe", "Complete");
    expect(await leavesOf(page)).toEqual(leavesIn(JSON.parse(recipeText)));
    expect(await page.locator(".node.open").count()).toBe(0);
    await page.getByRole("tab", { name: "Value" }).click();
    const ingredients = page.locator("[data-pointer='/ingredients']");
    await page.locator("[data-pointer='/ingredients/0/item'] > .row").click();
    expect(await ingredients.getAttribute("aria-expanded")).toBe("true");
    await ingredients.locator("> .row").click();
    expect(await ingredients.getAttribute("aria-expanded")).toBe("false");
    expect(await page.locator(".chunk").allTextContents()).toHaveLength(await chunks(page));
    expect((await page.locator(".chunk").allTextContents()).join("")).toBe(recipeText);
    await expect
      .poll(() => page.locator(".wire-note").last().textContent())
      .toMatch(/^Complete after \d+ patches$/);
  });

  test("continues by one chunk with each step, and marks open values", async () => {
    const clock = manualClock();
    const page = await stepped(clock);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await phase(page, "Streaming");
    await shows(1, page, clock);
    await paused(page, clock, () => page.getByRole("button", { name: "Pause" }).click());
    for (let i = 2; i <= 7; i++) {
      await page.getByRole("button", { name: "Step" }).click();
      await shows(i, page, clock);
    }
    const growing = page.locator("[data-pointer='/title']");
    expect(await growing.getAttribute("aria-busy")).toBe("true");
    expect(await growing.locator(".caret").count()).toBe(1);
    await page.getByRole("slider").fill(String(fastest));
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await phase(page, "Complete");
    expect(await growing.getAttribute("aria-busy")).toBe("false");
    expect(await growing.locator(".caret").count()).toBe(0);
  });

  test("reconnects after the last event when the connection is cut", async () => {
    const page = await visit({}, slow);
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => chunks(page)).toBeGreaterThan(5);
    await page.getByRole("button", { name: "Cut", exact: true }).click();
    const lost = await page
      .locator("#patches")
      .getByText(/^Connection lost/)
      .first()
      .textContent();
    const [, event] = /^Connection lost after event (\d+)\. Trying again in \d+ ms$/.exec(lost ?? "") ?? [];
    const again = page
      .locator("#patches")
      .getByText(/^Connected again/)
      .first();
    expect(await again.textContent()).toContain(` ${String(event)}`);
    await page.getByRole("slider").fill(String(fastest));
    await phase(page, "Complete");
    expect(await leavesOf(page)).toEqual(leavesIn(JSON.parse(recipeText)));
    const events = (await page.locator(".event").allTextContents()).map(Number);
    expect(new Set(events).size).toBe((events.at(-1) ?? 0) - (events[0] ?? 0) + 1);
  });

  test("can be used with the keyboard alone", async () => {
    const clock = manualClock();
    const page = await stepped(clock);
    await page.keyboard.press("k");
    await phase(page, "Streaming");
    await shows(1, page, clock);
    await paused(page, clock, () => page.keyboard.press("k"));
    await page.keyboard.press(".");
    await shows(2, page, clock);
    for (let i = slowest; i < fastest; i++) await page.keyboard.press("+");
    expect(await page.getByRole("slider").getAttribute("aria-valuetext")).toBe("as it comes");
    await page.keyboard.press("k");
    await phase(page, "Complete");

    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute("data-pointer") ?? null);
    await page.keyboard.press("v");
    expect(await focused()).toBe("");
    await page.keyboard.press("End");
    expect(await focused()).toBe("/tip");
    for (const key of ["ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
    expect(await focused()).toBe("/steps");
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator("[data-pointer='/steps']").getAttribute("aria-expanded")).toBe("false");

    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("text");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type('{"k": [1, 2]');
    await page.keyboard.press("Control+Enter");
    await expect.poll(inTime(clock, () => leavesOf(page))).toEqual({ "/k/0": "1", "/k/1": "2" });
    await phase(page, "Complete");
  });

  test("a key applies to the current state of the page", async () => {
    const page = await visit({}, slowest);
    await page.evaluate(() => {
      const status = document.querySelector("[role=status]") as HTMLElement;
      const observer = new MutationObserver(() => {
        if (status.textContent !== "Streaming") return;
        observer.disconnect();
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", bubbles: true }));
      });
      observer.observe(status, { characterData: true, childList: true, subtree: true });
    });
    await page.keyboard.press("k");
    await phase(page, "Paused");
  });

  test("sends orders one after the other, even if one is slow", async () => {
    const page = await visit({}, usual);
    await page.keyboard.press("k");
    await phase(page, "Streaming");
    const late = async (route: Route): Promise<void> => {
      await setTimeout(100);
      await route.continue();
    };
    await page.route("**/control", late, { times: 1 });
    await page.keyboard.press("k");
    await phase(page, "Paused");
    await page.keyboard.press("k");
    await page.getByRole("slider").fill(String(fastest));
    await phase(page, "Complete");
  });

  test("shows a schema violation at its place, and the text that was not read, until the next run begins", async () => {
    const page = await sampled("Breaks its schema", "Stopped early");
    expect(await page.locator(".note").textContent()).toMatch(/^\/stars: .*11/);
    expect(await page.locator(".chunk.wrong").textContent()).toContain("11");
    expect(await page.locator(".unread").textContent()).toMatch(/^\d+ characters/);
    await picture(page, "playground-violation");

    // The next run begins without them.
    expect(await page.locator(".note, .wrong, .unread").count()).toBe(3);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/runs", async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByRole("button", { name: "Run" }).click();
    await phase(page, "Ready");
    expect(await page.locator(".note, .wrong, .unread, .failure, .caret, .card-stop").count()).toBe(0);
    answer();
    await phase(page, "Stopped early");
  });

  test("plays the sample on load, unless the system asks for less motion or a model would be paid", async () => {
    await phase(await visit(), "Ready");
    await phase(await visitMoving("#kind=model"), "Ready");
    const page = await visitMoving("#sample=A+recipe&speed=5");
    await phase(page, "Complete");
    expect(await leavesOf(page)).toEqual(leavesIn(JSON.parse(recipeText)));
    await expectDistinctRegions(page);
    // The document as a page, beside the same text parsed again and again.
    const recipe = JSON.parse(recipeText) as { title: string; steps: string[]; tip: string };
    for (const name of ["Document, by patches", "Document, parsed again"]) {
      const card = page.getByRole("region", { name, exact: true });
      expect(await card.getByRole("heading", { level: 3 }).textContent()).toBe(recipe.title);
      expect(await card.locator(".numbered > li").allTextContents()).toEqual(recipe.steps);
      expect(await card.textContent()).toContain(recipe.tip);
    }
    const figures = await page.getByRole("list", { name: "Saved by this run" }).textContent();
    const [, fewer] = /(\d+)× fewer bytes/.exec(figures ?? "") ?? [];
    expect(Number(fewer)).toBeGreaterThan(10);
    expect(await page.locator("#again .again-note").textContent()).toMatch(/^\d+ parses? with partial-json/);
  });

  test("opens on a document that only one of the two pages shows", async () => {
    const page = await visitMoving("");
    await page.getByRole("slider").fill(String(fast));
    await phase(page, "Complete");
    expect(await page.locator("#page").textContent()).toContain("Flour, 5 kg");
    await expect.poll(() => page.locator("#again").textContent()).toContain("JSON.parse fails at the end");
    expect(await page.locator("#again").textContent()).not.toContain("Flour, 5 kg");
  });

  test("shows the text, the patches, the value and the cost in tabs", async () => {
    const page = await sampled("A recipe", "Complete");
    const tabs = page.getByRole("tablist", { name: "Details of the run" });
    await tabs.getByRole("tab", { name: "Text" }).focus();
    for (const id of ["patches", "value", "costs", "chunks"]) {
      await page.keyboard.press("ArrowRight");
      await page.locator(`#${id}`).waitFor();
      expect(await page.locator(".detail:visible").count()).toBe(1);
    }
    await tabs.getByRole("tab", { name: "Patches" }).click();
    const value = page.locator(".patch-value").last();
    expect(await value.textContent()).toBe('"ock."');
    expect(await value.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  });

  test("does not break a number of the dashboard, or cover a field when the schema is open", async () => {
    const page = await visitMoving("#story=dashboard&speed=0", { viewport: { width: 1000, height: 640 } });
    await phase(page, "Complete");
    const rows = page.locator("#page tbody tr");
    const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(Math.min(...heights) * 2);
    await page.getByText("Schema and rules").click();
    const boxes = await page
      .locator(".input :is(select, input, textarea):visible")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    for (const [i, one] of boxes.entries()) {
      for (const other of boxes.slice(i + 1)) {
        const beside = one.right <= other.left || other.right <= one.left;
        expect(beside || one.bottom <= other.top || other.bottom <= one.top).toBe(true);
      }
    }
  });

  test("tells how a wrong answer stops early", async () => {
    const page = await visitMoving("#speed=0");
    await page.getByRole("button", { name: "A wrong answer stops early" }).click();
    await phase(page, "Stopped early · 52 % never paid for");
    expect(await page.getByRole("list", { name: "Saved by this run" }).textContent()).toMatch(/52 % never/);
    const card = page.getByRole("region", { name: "Document, by patches", exact: true });
    expect(await card.locator(".card-field").allTextContents()).not.toContain("11");
    expect(await card.locator(".card-stop").textContent()).toMatch(/^stars.*11/);
    await expect.poll(() => page.locator("#again").textContent()).toContain("stars11");
    expect(await page.locator(".caret:visible").count()).toBe(0);
  });

  test("tells how a lost connection is resumed", async () => {
    const page = await visitMoving("#speed=0");
    // The page is dimmed for a part of a second.
    const lost = page.evaluate(
      () =>
        new Promise((resolve) => {
          const look = (): void => {
            const note = document.querySelector(".views-lost #page .page-note.lost");
            if (note === null) requestAnimationFrame(look);
            else resolve(note.textContent);
          };
          look();
        }),
    );
    await page.getByRole("button", { name: "Lose the connection" }).click();
    expect(await lost).toMatch(/^Connection lost after event \d+\. Trying again in \d\.\d s$/);
    await page.locator("#page .page-note.back").waitFor();
    expect(await page.locator("#page .page-note").textContent()).toMatch(
      /^Connected again: resumes after event \d+$/,
    );
    await page.getByRole("slider").fill(String(fastest));
    await phase(page, "Complete");
    expect(await leavesOf(page)).toEqual(leavesIn(JSON.parse(recipeText)));
  });

  test("tells how a model builds a dashboard, with a bad line and a lost connection", async () => {
    const clock = manualClock();
    const own = await start(clock);
    onTestFinished(() => own.stop());
    const page = await open({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    await page.goto(`${own.url}#story=dashboard&chunks=characters-120&speed=1000`);
    await page.keyboard.press("k");
    await phase(page, "Streaming");
    const moments: Moment[] = [];
    const counts = await patchCounts(120);
    for (const [i, count] of counts.entries()) {
      if (i > 0) await page.keyboard.press(".");
      await shows(i + 1, page, clock);
      await expect.poll(() => numberIn(page, "#patches")).toBe(count);
      if (i === 9) {
        const { patches } = await boardOf(page);
        await page.keyboard.press("c");
        await page.locator("#page .page-note.lost").waitFor();
        expect((await boardOf(page)).patches).toEqual(patches); // the page stays as it is
        await page
          .getByText(/^Connected again/)
          .first()
          .waitFor();
      }
      moments.push(await boardOf(page));
    }
    await phase(page, "Complete");
    await expectDistinctRegions(page);
    const end = await boardOf(page);
    const names = ["figures", "revenue", "orders", "guests", "wait", "summary", "days", "sold", "next"];
    expect(Object.keys(end.patches)).toEqual(["page", ...names]);
    expect(end.patches["guests"]).toBe("Regulars41 %▲ 3.5 %");
    expect(end.patches["days"]).toContain("904Wed");
    expect(await page.locator("#page :is(.pending, .blank, [aria-busy=true])").count()).toBe(0);
    // The repaired line is lost without repairs.
    const whole = ["page", ...names.filter((name) => name !== "guests")];
    await expect.poll(async () => Object.keys((await boardOf(page)).lines)).toEqual(whole);
    expect(await page.locator("#again [data-pending='guests']").count()).toBe(1);

    for (const name of ["summary", "sold", "next"]) {
      const first = moments.find(({ patches }) => name in patches);
      expect(first?.lines, name).not.toHaveProperty(name);
      expect(end.patches[name]?.startsWith(first?.patches[name] ?? "?"), name).toBe(true);
    }
    // The wrong chart was shown, taken back as far as its placeholder, and written again.
    const days = moments.map(({ patches }) => ("days" in patches ? "shown" : "pending"));
    expect(days.join(" ")).toMatch(/^(pending )+(shown )+(pending )+(shown ?)+$/);
    expect(await page.locator("#page .page-note.bad").textContent()).toContain(
      "/elements/days/props/bars/2/value",
    );
    expect(await page.locator(".repairs .repair-kind").allTextContents()).toEqual([
      ...["unquoted key", "quote", "trailing comma", "schema"],
    ]);
    const figures = await page.getByRole("list", { name: "Saved by this run" }).textContent();
    expect(figures).toMatch(/\d+ characters earlier.*3 repairs.*1 line taken back/);
    // Only what a patch changes renders, and once more when it is complete.
    expect(await numberIn(page, "#page")).toBeLessThan(4 * counts.length);
  });

  test("tells how bad JSON is read, and marks the repairs", async () => {
    const page = await visitMoving("#story=bad-json&speed=0");
    await phase(page, "Complete");
    expect(await page.getByRole("list", { name: "Saved by this run" }).textContent()).toMatch(/16 repairs/);
    expect(await page.locator("#page").textContent()).toContain("Stones");
    await expect.poll(() => page.locator("#again").textContent()).toContain("JSON.parse fails");
    expect(await page.locator("#again").textContent()).not.toContain("Stones");
    expect(await page.locator(".repair-kind").allTextContents()).toEqual(
      expect.arrayContaining(["comment", "unquoted key", "literal", "trailing comma", "missing closer"]),
    );
    expect(await page.locator(".chunk mark[title='trailing comma']").count()).toBe(2);
  });

  test("keeps the state in the address, so a link shows the same", async () => {
    const page = await visit({}, fast);
    await page.getByLabel("Sample").selectOption("Contacts");
    await page.getByRole("combobox", { name: "Chunks" }).selectOption("words");
    await page.getByText("Schema and rules").click();
    await page.getByLabel(/^Strict/).check();
    await page.getByRole("button", { name: "Code" }).click();
    await page.waitForURL(/strict=yes&.*view=code$/);
    const other = await visitMoving(new URL(page.url()).hash, { reducedMotion: "reduce" });
    expect(await other.getByLabel("Sample").inputValue()).toBe("Contacts");
    expect(await other.getByRole("combobox", { name: "Chunks" }).inputValue()).toBe("words");
    expect(await other.getByRole("slider").inputValue()).toBe(String(fast));
    expect(await other.getByLabel(/^Strict/).isChecked()).toBe(true);
    await other.getByRole("tab", { name: "server.ts" }).waitFor();
  });

  test("shows the run as an app, ready to copy", async () => {
    const page = await visitMoving("#view=code&speed=0", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    for (const name of ["schema.ts", "server.ts", "page.tsx"]) {
      await page.getByRole("tab", { name }).click();
      await page.getByRole("button", { name: `Copy ${name}` }).click();
      await page.getByRole("button", { name: `Copied ${name}` }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const file = page.getByRole("region", { name, exact: true });
      expect(copied).toBe(await file.locator("pre").textContent());
      expect(await file.locator("pre .code-keyword").count()).toBeGreaterThan(2);
    }
  });

  test("stops a run when the page is left", async () => {
    const page = await visit({}, slowest);
    const begun = page.waitForResponse((response) => response.url().endsWith("/document"));
    await page.getByRole("button", { name: "Run" }).click();
    const url = (await begun).url();
    await page.goto("about:blank");
    const events = await (await fetch(url)).text();
    expect(events).toContain('{"reason":"stopped"}');
  });

  test("names the missing configuration of a model", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const page = await visit();
    await page.getByRole("tab", { name: "Model" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("OPENAI_API_KEY");
  });

  test("follows the system's colour scheme until the user chooses one", async () => {
    const ground = (page: Page): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await visit({ colorScheme: "dark" });
    const light = await visit({ colorScheme: "light" });
    const before = await ground(light);
    expect(await ground(dark)).not.toBe(before);
    await light.getByRole("button", { name: "Dark theme" }).click();
    expect(await ground(light)).toBe(await ground(dark));
    await light.reload();
    expect(await ground(light)).toBe(await ground(dark));
  });

  test("fits a phone", async () => {
    const page = await visit({ viewport: { width: 390, height: 844 } });
    await page.getByRole("button", { name: "Run" }).click();
    await phase(page, "Complete");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const small = await page
      .locator("button:visible")
      .evaluateAll((all: HTMLElement[]) =>
        all.filter((one) => one.offsetHeight < 40).map((one) => one.textContent),
      );
    expect(small).toEqual([]);
    await page.evaluate(() => scrollTo(0, 0));
    for (const seen of [page.getByRole("button", { name: "Replay" }), page.locator("#page h3")]) {
      const { y = Infinity, height = 0 } = (await seen.boundingBox()) ?? {};
      expect(y + height).toBeLessThan(844 / 2);
    }
    const { y: form = 0 } = (await page.getByRole("form", { name: "Input" }).boundingBox()) ?? {};
    expect(form).toBeGreaterThan(844);
  });

  test.runIf(pictures !== undefined).each(["light", "dark"] as const)(
    "takes a screenshot, %s",
    async (colorScheme) => {
      const page = await visitMoving("#speed=50", { colorScheme });
      await expect.poll(() => chunks(page), { timeout: 20_000 }).toBeGreaterThan(140);
      await picture(page, `playground-${colorScheme}`);
    },
  );
  test.runIf(pictures !== undefined)("takes a screenshot of a dashboard", async () => {
    const page = await visitMoving("#story=dashboard", { viewport: { width: 1320, height: 850 } });
    await page.locator("#page [data-element='sold'] tbody tr").nth(1).waitFor({ timeout: 20_000 });
    await page.locator(".stage").screenshot({ path: join(pictures ?? "", "playground-dashboard.png") });
  });
});

/** The texts of the elements on the two pages of a dashboard. */
interface Moment {
  readonly patches: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, string>>;
}

function boardOf(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const textsIn = (panel: string): Record<string, string> =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLElement>(`${panel} [data-element]`)].map((one) => [
          one.dataset["element"] ?? "",
          one.textContent ?? "",
        ]),
      );
    return { patches: textsIn("#page"), lines: textsIn("#again") };
  });
}

/** The number of patches after each chunk of the dashboard. */
async function patchCounts(size: number): Promise<number[]> {
  const counts: number[] = [];
  let count = 0;
  function* chunks(): Generator<string> {
    for (const chunk of cutText(dashboardText, { by: "characters", size })) {
      yield chunk;
      counts.push(count);
    }
  }
  const components = dashboardComponents as Catalogue["components"];
  const { patches } = specParser(components, { onLineError: () => {} });
  for await (const _ of pipe(from(chunks()), patches)) count++;
  return counts;
}

/** Built like `npm run build`, with the production build of React. */
async function buildPage(outDir: string): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env["NODE_ENV"] = "production";
  try {
    await build({ configFile: join(root, "playground/vite.config.ts"), build: { outDir } });
  } finally {
    process.env["NODE_ENV"] = NODE_ENV;
  }
}

/** Positions of the slider. */
const slowest = 0;
const slow = 3;
const usual = 5;
const fast = 7;
const fastest = 8;

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function phase(page: Page, text: string): Promise<void> {
  await page.getByRole("status").filter({ hasText: text }).waitFor();
}

/** Pauses, and advances the clock far enough for chunks if the page were not paused. */
async function paused(page: Page, clock: ManualClock, pause: () => Promise<void>): Promise<void> {
  const known = page.waitForResponse((response) => response.url().endsWith("/control"));
  await pause();
  await known;
  await phase(page, "Paused");
  clock.advance(10_000);
}

/** Waits for this number of chunks. */
async function shows(count: number, page: Page, clock: ManualClock): Promise<void> {
  await expect.poll(inTime(clock, () => chunks(page))).toBe(count);
}

/** Inspects the page, which takes 20 ms of its clock. At the slowest pace the next chunk is due after 50 of them. */
function inTime<T>(clock: ManualClock, look: () => Promise<T>): () => Promise<T> {
  return () => {
    clock.advance(20);
    return look();
  };
}

/** Screen readers list the regions by their names. */
async function expectDistinctRegions(page: Page): Promise<void> {
  const names = (await page.locator("body").ariaSnapshot()).match(/(?<=- region )"[^"]+"/g) ?? [];
  expect(names.length).toBeGreaterThan(3);
  expect(names).toEqual([...new Set(names)]);
}

function chunks(page: Page): Promise<number> {
  return numberIn(page, "#chunks");
}

/** The number beside the title of a panel. */
async function numberIn(page: Page, panel: string): Promise<number> {
  return Number.parseInt(`0${(await page.locator(`${panel} .aside`).textContent()) ?? ""}`, 10);
}

/** The values in the tree, by pointer. */
function leavesOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(
    () =>
      Object.fromEntries(
        [...document.querySelectorAll("[role=treeitem]:not([aria-expanded])")].map((item) => [
          item.getAttribute("data-pointer"),
          item.querySelector(".string, .scalar, .size")?.textContent,
        ]),
      ) as Record<string, string>,
  );
}

/** The same values of a document. */
function leavesIn(value: unknown, pointer = ""): Record<string, string> {
  if (typeof value !== "object" || value === null) return { [pointer]: String(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, child]) => leavesIn(child, childPointer(pointer, key))),
  ) as Record<string, string>;
}
