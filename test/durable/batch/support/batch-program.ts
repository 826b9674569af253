/** A program that asks about documents in batches: node batch-program.mjs JOURNAL BASE_URL DOCUMENT… */
import { extractAll } from "millrace";
import { fileJournal, providerBatch } from "millrace/durable";
import { z } from "zod";

const [folder = "", baseURL = "", ...documents] = process.argv.slice(2);
const model = await providerBatch("openai:gpt-5-mini", {
  journal: fileJournal(folder),
  apiKey: "k",
  baseURL,
});
const schema = z.object({ n: z.int() });
for await (const result of extractAll(documents, { model, schema, concurrency: 2 })) {
  console.log(result.index);
}
