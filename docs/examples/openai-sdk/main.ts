/**
 * The stream of the official `openai` package, read by millrace: typed partial values of what the SDK gives as text.
 */
import { parseArgs } from "node:util";
import { jsonParser, pipe, tap, type Usage } from "millrace";
import { decodeOpenAIChat } from "millrace/openai";
import OpenAI from "openai";
import { z } from "zod";
import { connect, modelOptions } from "../support/connect.js";
import { standIn } from "./stand-in.js";

const profile = z.object({
  name: z.string(),
  born: z.int().min(1000).max(2100),
  field: z.enum(["mathematics", "physics", "chemistry", "biology", "engineering"]),
  works: z.array(z.object({ title: z.string(), year: z.int() })),
});

const { values, positionals } = parseArgs({ options: modelOptions, allowPositionals: true });
const { endpoint, title, close } = await connect(values, standIn);
console.error(`Asking ${title}.`);

try {
  const { model, ...options } = endpoint;
  const client = new OpenAI(options);
  const stream = await client.chat.completions.create({
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: `A profile of ${positionals.join(" ") || "Ada Lovelace"}.` }],
    response_format: {
      type: "json_schema",
      json_schema: { name: "profile", strict: true, schema: z.toJSONSchema(profile) },
    },
  });

  let usage: Usage | undefined;
  const partials = pipe(
    stream,
    decodeOpenAIChat(), // the SDK's chunks become ours
    tap((chunk) => (usage = chunk.usage ?? usage)),
    jsonParser(profile).stream, // and their text typed values
  );
  let latest: unknown;
  for await (const partial of partials) {
    // A DeepPartial of the schema: `partial.works?.at(-1)?.title` compiles, `partial.works[0].title` does not.
    console.log(JSON.stringify(partial));
    latest = partial;
  }
  // The stream has ended without an error, so the last value satisfies the schema.
  const { name, born, works } = profile.parse(latest);
  const first = Math.min(...works.map(({ year }) => year));
  console.log(`${name} was ${first - born} at the time of the first of ${works.length} works.`);
  if (usage !== undefined) console.error(`${usage.outputTokens} tokens were written.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
