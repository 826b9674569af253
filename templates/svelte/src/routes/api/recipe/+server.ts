import { streamObject } from "millrace";
import { memoryLog, runHandler, type StreamLog } from "millrace/serve";
import { model } from "../../../lib/model.ts";
import { recipe } from "../../../lib/recipe.ts";

// One log for the process, also when Vite reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

const handle = runHandler(
  (prompt, run) => streamObject({ model, schema: recipe, prompt: String(prompt) }).toResponse(run),
  { log, maxBody: 2_000, onError: console.error },
);

const answer = ({ request }: { request: Request }) => handle(request);
export { answer as DELETE, answer as GET, answer as POST };
