import { Hono } from "hono";
import { streamObject } from "millrace";
import { memoryLog, type StreamLog, toEventStream } from "millrace/serve";
import { model } from "./model.ts";
import { recipe } from "./recipe.ts";

// One log for the process, also when Vite reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

const app = new Hono().basePath("/api");

app.post("/recipe", async ({ req }) => {
  const call = streamObject({ model, schema: recipe, prompt: await req.json() });
  return call.toResponse({ log, id: req.query("run") ?? "", onError: console.error });
});

app.get("/recipe", ({ req }) => {
  const lastEventId = req.header("last-event-id");
  return toEventStream(undefined, { log, id: req.query("run") ?? "", lastEventId });
});

app.delete("/recipe", async ({ req, json }) => json({ stopped: await log.stop(req.query("run") ?? "") }));

export default app;
