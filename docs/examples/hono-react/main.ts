/** A server that streams a recipe to a page while a model writes it. The page can be reloaded on the way. */
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { createAgent, pipe, throttle } from "millrace";
import { openai } from "millrace/openai";
import { boundedHandler, joinPatches, memoryLog, RequestError, toEventStream } from "millrace/serve";
import { Hono } from "hono";
import { z } from "zod";
import { connect, modelOptions } from "../support/connect.js";
import { loadPage } from "./load-page.js";
import { recipe } from "./recipe.js";
import { standIn } from "./stand-in.js";

const { values } = parseArgs({ options: { ...modelOptions, port: { type: "string", default: "8080" } } });
const { endpoint, title } = await connect(values, standIn);
const { html, css, script } = await loadPage();

const agent = createAgent({
  model: openai(endpoint),
  responseFormat: recipe,
  system: "You write recipes for soups: short, and in plain words.",
  append: true, // a string grows by what is new, not by the whole of it again
});

/** Keeps each run for five minutes after its end, so that a page can come back to it. */
const log = memoryLog();
const wish = z.object({ of: z.string().trim().min(1).max(80) });

/** Stands in front of what costs money: the origin, the size of the body, how many there are at once. */
const begin = boundedHandler(
  (body, request) => {
    const { success, data } = wish.safeParse(body);
    if (!success) throw new RequestError("invalid_input", "Say what the soup is made of.");
    const patches = pipe(
      agent.patches(`A soup of ${data.of}, please.`),
      throttle(50, { merge: joinPatches }), // twenty times a second is often enough for eyes
    );
    return toEventStream(patches, { log, id: idOf(request), onError: report });
  },
  { maxBody: 1_000, maxRuns: 20 },
);

const app = new Hono();
app.get("/", (c) => c.html(html));
app.get("/style.css", (c) => c.body(css, 200, { "content-type": "text/css; charset=utf-8" }));
app.get("/page.js", (c) => c.body(script, 200, { "content-type": "text/javascript; charset=utf-8" }));

// The run continues in the log without readers, so starting, reading and stopping are three requests.
app.post("/runs/:id", (c) => begin(c.req.raw));
app.get("/runs/:id", (c) => {
  const lastEventId = c.req.header("last-event-id");
  return toEventStream(undefined, { log, id: c.req.param("id"), lastEventId });
});
app.delete("/runs/:id", async (c) => c.json({ stopped: await log.stop(c.req.param("id")) }));

serve({ fetch: app.fetch, port: Number(values.port), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/ shows what is written by ${title}`);
});

function idOf(request: Request): string {
  return new URL(request.url).pathname.slice("/runs/".length);
}

/** The page learns only that the run failed. This message is for the operator. */
function report(error: unknown): undefined {
  console.error(error);
}
