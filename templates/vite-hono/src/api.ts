import { Hono } from "hono";
import { streamObject } from "millrace";
import { memoryLog, runHandler, type StreamLog } from "millrace/serve";
import { isScripted, model } from "./model.ts";
import { recipe } from "./recipe.ts";

// One log for the process, also when Vite reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

const handle = runHandler(
  (prompt, run) => streamObject({ model, schema: recipe, prompt: String(prompt) }).toResponse(run),
  { log, maxBody: 2_000, onError: console.error },
);

const app = new Hono().basePath("/api");

app.all("/recipe", ({ req }) => handle(req.raw));
app.get("/model", (context) => context.json({ isScripted }));

export default app;
