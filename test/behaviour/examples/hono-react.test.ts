import { describe, expect } from "vitest";
import { inChromium } from "../browser/support/chromium.js";
import { showing } from "../browser/support/site.js";
import { writtenModel } from "./support/model.js";
import { type Start, test } from "./support/program.js";

inChromium("the page of the Hono sample", (open) => {
  test("shows the recipe while it arrives, keeps it after a reload, and continues", async ({
    start,
    onTestFinished,
  }) => {
    const model = await writtenModel();
    onTestFinished(() => model.stop());
    const page = await open();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/runs/")) asked.push(request.method());
    });
    await page.goto(await serving(start, model.baseURL));
    await page.fill("input", "carrots and ginger");
    await page.click("text=Write it");
    await showing(page, "output", "Asking …");
    await model.write('{"title": "Carr');
    await showing(page, "h1", "Carr");
    await showing(page, "output", "Writing …");
    await model.write('ot soup", "description": "Hot');
    await showing(page, "h1", "Carrot soup");
    await showing(page, "p.open", "Hot");
    await model.write(' and sweet.", "minutes": 2');
    await showing(page, "p.open", "Hot and sweet.");
    expect(await page.locator("header p").count()).toBe(0); // could be 2 or 25
    await model.write('5, "ingredients": [{"amount": "400 g", "item": "carrots"}, {"amount": "a thu');
    await showing(page, "header p", "25 minutes");
    await showing(page, "article > p:not(.open)", "Hot and sweet.");
    await showing(page, "li:not(.open)", "400 g carrots");
    await showing(page, "li.open", "a thu ");
    expect(await page.locator(".open").count()).toBe(1);

    const before = await page.locator("article").innerHTML();
    await page.reload();
    await showing(page, "li.open", "a thu ");
    expect(await page.locator("article").innerHTML()).toBe(before);
    await model.write('mb", "item": "ginger"}], "steps": ["Boil');
    await showing(page, "ul li:last-child", "a thumb ginger");
    await showing(page, "ol li.open", "Boil");
    await model.write(' all.", "Blend it."]}');
    await model.end();
    await showing(page, "output", "Done.");
    expect(await page.locator("ol li").allTextContents()).toEqual(["Boil all.", "Blend it."]);
    expect(await page.locator(".open").count()).toBe(0);

    // One run, started once and read twice. A finished run can be read too.
    expect(asked).toEqual(["POST", "GET"]);
    expect(model.requests).toHaveLength(1);
    const whole = await page.locator("article").innerHTML();
    await page.reload();
    await showing(page, "output", "Done.");
    expect(await page.locator("article").innerHTML()).toBe(whole);
    expect(model.requests).toHaveLength(1);
  });

  test("stops the model on request, and can start again", async ({ start, onTestFinished }) => {
    const model = await writtenModel();
    onTestFinished(() => model.stop());
    const page = await open();
    await page.goto(await serving(start, model.baseURL));
    await page.click("text=Write it");
    await model.write('{"title": "Leek');
    await showing(page, "h1", "Leek");
    await page.click("text=Stop");
    await showing(page, "output", "Stopped.");
    await expect.poll(model.left).toBe(1);
    expect(await page.innerText("h1")).toBe("Leek");
    await page.click("text=Write it");
    await model.write('{"title": "Potato');
    await showing(page, "h1", "Potato");
  });

  test("shows a whole recipe of the mock model without a key", async ({ start }) => {
    const page = await open();
    await page.goto(await serving(start));
    await page.click("text=Write it");
    await page.waitForSelector("h1");
    await page.reload();
    await showing(page, "output", "Done.");
    expect(await page.innerText("h1")).toBe("Soup of leeks and potatoes");
    expect(await page.locator("ul li").count()).toBe(6);
    expect(await page.locator("ol li").count()).toBe(4);
  });

  test("shows that a recipe has expired, and that the server cannot be reached", async ({ start }) => {
    const page = await open();
    const url = await serving(start);
    await page.goto(`${url}?run=nothing-of-this-name`);
    await page.waitForSelector("output[data-status=error]");
    await page.route("**/runs/*", (route) => route.abort());
    await page.click("text=Write it");
    await showing(page, "output", "The server cannot be reached.");
  });
});

describe("the server of the Hono sample", () => {
  test("rejects invalid requests, and other origins", async ({ start }) => {
    const url = await serving(start);
    const post = (body: unknown, headers = {}): Promise<Response> =>
      fetch(new URL("/runs/1", url), {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const blank = await post({ of: " " });
    expect(blank.status).toBe(400);
    expect(await blank.json()).toMatchObject({ code: "invalid_input" });
    expect((await post({ of: "x".repeat(2_000) })).status).toBe(413);
    expect((await post({ of: "leeks" }, { origin: "https://evil.example" })).status).toBe(403);
    expect((await fetch(new URL("/", url))).headers.get("content-type")).toMatch(/^text\/html/);
  });
});

/** Starts the server, and returns its address. */
async function serving(start: Start, baseURL = ""): Promise<string> {
  const { stdout } = await start("hono-react/main.ts", ["--port", "0", "--base-url", baseURL]);
  const line = await stdout.like(/^http:/);
  return line.split(" ")[0] ?? "";
}
