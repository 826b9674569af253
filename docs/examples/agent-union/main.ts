/** An agent with two tools that answers with one of two schemas: a trip, or a question about what it needs to know. */
import { parseArgs } from "node:util";
import { createAgent } from "millrace";
import { openai } from "millrace/openai";
import { connect, modelOptions } from "../support/connect.js";
import { print } from "./print.js";
import { Question, Trip } from "./schemas.js";
import { standIn } from "./stand-in.js";
import { forecast, trains } from "./tools.js";

const { values, positionals } = parseArgs({ options: modelOptions, allowPositionals: true });
const { endpoint, title, close } = await connect(values, standIn);

const agent = createAgent({
  model: openai(endpoint),
  tools: [forecast, trains],
  responseFormat: [Trip, Question],
  system:
    "You plan day trips from Oslo. Look up the weather and the trains of the destination. " +
    "If no destination is named, do not guess: ask.",
  maxSteps: 6,
});

const stop = new AbortController();
process.once("SIGINT", () => {
  stop.abort(new Error("Interrupted."));
});

console.log(`Asking ${title}.`);
try {
  const request = positionals.join(" ") || "A day in Bergen on Saturday, please.";
  for await (const event of agent.stream(request, { signal: stop.signal })) print(event);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
