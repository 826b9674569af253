import { defineEventHandler, toWebRequest } from "h3";
import { streamObject } from "millrace";
import { memoryLog, runHandler, type StreamLog } from "millrace/serve";
import { recipe } from "../../shared/recipe.ts";
import { model } from "../model.ts";

// One log for the process, also when Nitro reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

const handle = runHandler(
  (prompt, run) => streamObject({ model, schema: recipe, prompt: String(prompt) }).toResponse(run),
  { log, maxBody: 2_000, onError: console.error },
);

export default defineEventHandler((event) => handle(toWebRequest(event)));
