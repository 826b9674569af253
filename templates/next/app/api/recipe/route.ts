import { streamObject } from "millrace";
import { memoryLog, runHandler, type StreamLog } from "millrace/serve";
import { model } from "../../../lib/model.ts";
import { recipe } from "../../../lib/recipe.ts";

// Survives a hot reload.
const log = ((globalThis as { runs?: StreamLog }).runs ??= memoryLog());

const handle = runHandler(
  (prompt, run) => streamObject({ model, schema: recipe, prompt: String(prompt) }).toResponse(run),
  { log, maxBody: 2_000, onError: console.error },
);
export { handle as DELETE, handle as GET, handle as POST };
