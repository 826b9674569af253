import { Hono } from "hono";
import { memoryLog, type StreamLog } from "millrace/serve";
import { fileThreads, threadHandler } from "millrace/thread";
import { agent } from "./agent.ts";
import { isScripted } from "./model.ts";

// One log for the process, also when Vite reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

const chat = threadHandler({
  agent,
  log,
  store: fileThreads("data"),
  clientId: () => "me", // return the user of the session
  maxBody: 1_000_000,
  onError: console.error,
});

const app = new Hono().basePath("/api");

app.all("/chat", ({ req }) => chat(req.raw));
app.get("/model", (context) => context.json({ isScripted }));

export default app;
