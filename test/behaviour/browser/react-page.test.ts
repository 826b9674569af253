import type { ServerResponse } from "node:http";
import { from, type JsonPatch } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { memoryLog, toEventStream, toNodeResponse } from "millrace/serve";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { applyPatch } from "../../json/support/apply-patch.js";
import { inChromium } from "./support/chromium.js";
import { cut, type Cut } from "./support/cut.js";
import type { Listening } from "./support/listen.js";
import { documentOf } from "./support/page.js";
import type { StreamedPage } from "./pages/streamed.js";
import { probeOf, showing, siteOf } from "./support/site.js";
import { written } from "./support/written.js";

const whole: JsonPatch = [{ op: "replace", path: "", value: { title: "Tea", steps: [] } }];
const step = (text: string): JsonPatch => [{ op: "add", path: "/steps/-", value: text }];
const grow = (text: string): JsonPatch => [{ op: "append", path: "/title", value: text }];

inChromium("a page of React", (open) => {
  let document: string;
  let site: Listening | undefined;
  beforeAll(async () => {
    document = await documentOf("recipe.ts");
  });
  afterEach(() => site?.close());

  /** Opens the page on a site with one answer for each request, in order. The last answer is repeated. */
  const openOn = (...answers: readonly Answer[]): Promise<Page> => openAt("/", ...answers);
  const openAt = async (path: string, ...answers: readonly Answer[]): Promise<Page> => {
    let requests = 0;
    site = await siteOf(document, (request, response) => {
      const answer = answers[Math.min(requests++, answers.length - 1)] as Answer;
      return answer(response, request.headers["last-event-id"] as string | undefined);
    });
    const page = await open();
    await page.goto(site.url + path);
    return page;
  };

  test("updates while patches arrive", async () => {
    const { patches, write, end } = written();
    const page = await openOn(streaming(from(patches)));
    await showing(page, "output", "connecting: ");
    write(whole);
    await showing(page, "h1", "Tea");
    await showing(page, "output", "streaming: ");
    write(grow(" for two"));
    await showing(page, "h1", "Tea for two");
    write(step("boil"));
    await showing(page, "li", "boil");
    end();
    await showing(page, "output", "done: ");
  });

  test("renders a component that selects a field only when that changes", async () => {
    const { patches, write } = written();
    const page = await openOn(streaming(from(patches)));
    write(whole);
    await showing(page, "h1", "Tea");
    const before = await probeOf(page);
    for (let i = 0; i < 5; i++) {
      write(step(`step ${i}`));
      await showing(page, "li:last-child", `step ${i}`);
    }
    const after = await probeOf(page);
    expect(after.renders).toEqual({ ...before.renders, steps: (before.renders["steps"] as number) + 5 });
    write(grow("!"));
    await showing(page, "h1", "Tea!");
    expect((await probeOf(page)).renders).toEqual({
      ...after.renders,
      title: (after.renders["title"] as number) + 1,
    });
  });

  test("renders at most once per animation frame", async () => {
    const burst = Array.from({ length: 10_000 }, (_, i) => grow(`${i} `));
    const page = await openOn(streaming(from([whole, ...burst])));
    await showing(page, "output", "done: ");
    const { renders, frames, ids } = await probeOf(page);
    expect(ids).toHaveLength(10_001);
    expect(renders["title"]).toBeLessThanOrEqual(frames + 2);
    const text = `Tea${Array.from(burst, (_, i) => `${i} `).join("")}`;
    expect(await page.textContent("h1")).toBe(text);
  });

  // G-wire-9
  // G-wire-11
  test("renders only the changed ones of 2,000 <Streamed> elements, once per frame, with their fallbacks", async () => {
    site = await siteOf(await documentOf("streamed.tsx"), (_request, response) => response.end());
    const page = await open();
    await page.goto(site.url);
    // As text, because the types of Playwright are too deep for JSON values.
    const apply = (...patches: readonly AnyPatchOperation[][]): ReturnType<StreamedPage["apply"]> =>
      page.evaluate((text) => {
        const { page: shown } = globalThis as unknown as { readonly page: StreamedPage };
        return shown.apply(...(JSON.parse(text) as AnyPatchOperation[][]));
      }, JSON.stringify(patches));
    const children = Array.from({ length: 2_000 }, (_, i) => `e${i}`);
    const elements = Object.fromEntries(children.slice(1).map((name) => [name, { text: name }]));
    const first = await apply([
      {
        op: "replace",
        path: "",
        value: { elements: { ...elements, a: { text: "A", children } }, root: "a" },
      },
    ]);
    expect([first.rendered.length, first.titles, first.text]).toEqual([2_000, [], "nothing"]);
    expect(await page.locator("i").allTextContents()).toEqual(["e0"]); // pending

    const late = await apply([{ op: "add", path: "/elements/e0", value: { text: "late" } }]);
    expect(late.rendered).toEqual(["e0"]);
    expect(await page.locator("i").count()).toBe(0);

    const title = await apply([{ op: "add", path: "/title", value: "Te" }]);
    expect([title.titles, title.text]).toEqual([["Te…"], "Te…"]); // incomplete
    expect(title.rendered).toEqual(["e0"]); // e0 has become complete

    const grown = ["e5", "e7", "e1999", "e5"];
    const many = await apply(
      ...grown.map((name) => [{ op: "append" as const, path: `/elements/${name}/text`, value: "." }]),
    );
    expect(many.rendered.toSorted()).toEqual(["e1999", "e5", "e7"]);
    expect([many.titles, many.text]).toEqual([["Te!"], "Te!"]); // complete
    expect(await page.locator("#e5").textContent()).toBe("e5..");
    const only = await apply([{ op: "append", path: "/elements/e5/text", value: "." }]);
    expect([only.rendered, only.titles]).toEqual([["e5"], []]);
  });

  test("is complete after the connection was cut at ten positions, and applies each patch once", async () => {
    const patches = [
      whole,
      ...Array.from({ length: 30 }, (_, i) => (i % 3 === 2 ? step(`${i}.`) : grow("🍵☕"))),
    ];
    const log = memoryLog({ createToken: () => "t" });
    const cuts: readonly Cut[] = [
      { events: 1, bytes: 0 },
      { events: 0, bytes: 0 },
      { events: 0, bytes: 2 },
      { events: 1, bytes: 9 },
      { events: 2, bytes: 30, reset: true },
      { events: 1, bytes: -1 },
      { events: 2, bytes: -2, reset: true },
      { events: 3, bytes: -7 }, // in the middle of a character
      { events: 4, bytes: 0, reset: true },
      { events: 0, bytes: -5 },
    ];
    let begun = false;
    const resume = (response: ServerResponse, lastEventId?: string): unknown => {
      const run = begun ? undefined : from(patches);
      begun = true;
      return toNodeResponse(toEventStream(run, { log, id: "run", lastEventId }), response);
    };
    const page = await openOn(
      ...cuts.map(
        (it): Answer =>
          (response, id) =>
            resume(cut(response, it), id),
      ),
      resume,
    );
    await showing(page, "output", "done: ");
    const { ids, retries, shown } = await probeOf(page);
    expect(retries).toBe(cuts.length);
    expect(ids).toEqual(patches.map((_, i) => `${i + 1}-t`));
    const states = patches.map((_, i) => JSON.stringify(patches.slice(0, i + 1).reduce(applyPatch, null)));
    const places = shown.map((value) => ["null", ...states].indexOf(value));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(places.at(-1)).toBe(states.length);
  });

  test("shows an error for a message that is not a patch, and starts again", async () => {
    const page = await openOn(
      sending(`data: ${JSON.stringify(whole)}\n\ndata: {"title":"Coffee"}\n\n`),
      streaming(from([whole, step("boil")])),
    );
    await showing(page, "output", "error: ClientError protocol ");
    await page.click("button");
    await showing(page, "output", "done: ");
    expect(await page.textContent("article")).toBe("Teaboildone: Again");
  });

  test("keeps its value when a patch does not fit, and starts again", async () => {
    const { patches, write } = written();
    const page = await openOn(streaming(from(patches)), streaming(from([whole, step("boil")])));
    write(whole);
    await showing(page, "h1", "Tea");
    write([...grow(" never shown"), { op: "append", path: "/steps/0", value: "there is none" }]);
    await showing(page, "output", "error: JsonPatchError misfit");
    expect(await page.textContent("h1")).toBe("Tea");
    await page.click("button");
    await showing(page, "output", "done: ");
    expect(await page.textContent("article")).toBe("Teaboildone: Again");
  });

  test("shows that the run has expired", async () => {
    const log = memoryLog();
    const page = await openOn((response) =>
      toNodeResponse(toEventStream(undefined, { log, id: "none" }), response),
    );
    await showing(page, "output", "error: ClientError run unknown_run");
  });

  test("shows the status of a proxy's error page", async () => {
    const page = await openOn(
      (response) => response.setHeader("content-type", "text/html").end("<h1>Sign in</h1>"),
      (response) => response.writeHead(403).end(),
    );
    await showing(page, "output", "error: ClientError protocol ");
    await page.click("button");
    await showing(page, "output", "error: ClientError http ");
  });

  test("is complete behind a proxy that buffers the whole stream", async () => {
    const page = await openOn(async (response) => {
      sending(await toEventStream(from([whole, step("boil")])).text())(response);
    });
    await showing(page, "output", "done: ");
    expect(await page.textContent("article")).toBe("Teaboildone: Again");
  });

  test("treats a proxy that sends nothing as a lost connection", async () => {
    const page = await openAt("/?idle=5000", (response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
    );
    await showing(page, "output", "error: ClientError cut ");
    expect((await probeOf(page)).retries).toBe(5);
  });
});

type Answer = (response: ServerResponse, lastEventId?: string) => unknown;

function streaming(patches: AsyncIterable<JsonPatch>): Answer {
  return (response) => toNodeResponse(toEventStream(patches), response);
}

function sending(text: string): Answer {
  return (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
}
