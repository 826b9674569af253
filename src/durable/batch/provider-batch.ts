import type { Journal } from "../../agent/journal.js";
import type { ChatModel } from "../../models/contract/chat-model.js";
import { chatModel } from "../../models/contract/create-chat-model.js";
import { invalidRequest, ModelError } from "../../models/contract/errors.js";
import type { ProviderOptions } from "../../models/contract/provider-options.js";
import { initModel, readModelName } from "../../models/init-model.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { fieldOf } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import { batchFetch } from "./batch-sender.js";

/** The options of `providerBatch()`. */
export interface ProviderBatchOptions extends Pick<
  ProviderOptions,
  "apiKey" | "baseURL" | "headers" | "fetch"
> {
  /** Records the batches, so that the next run finds them: `fileJournal(folder)`. Its owner must close it. */
  readonly journal: Journal;
  /** Whether requests that failed in the batches of earlier runs are sent again. Default: false */
  readonly retryErrors?: boolean;
}

const optionNames = {
  ...{ apiKey: true, baseURL: true, headers: true, fetch: true },
  ...{ journal: true, retryErrors: true },
} satisfies OptionNames<ProviderBatchOptions>;

const hints = { folder: "Write journal: fileJournal(folder)." };

/**
 * Creates a model whose requests go to the batch endpoints of OpenAI or Anthropic, for `extractAll()`. They cost half,
 * and take up to a day.
 *
 * Requests are collected, and sent as one batch when no new one comes for half a second. So a batch has as many
 * requests as `extractAll()` has inputs in work: `concurrency`, 10,000 by default. One batch is under way at a time.
 *
 * - **Restart.** When a program starts again with the same journal and the same inputs, in any order, it waits for the
 *   batches of the runs before, and gets their answers. A request is sent once, as long as the provider keeps the
 *   answers: 29 days.
 * - **Leaving** the loop of `extractAll()`, or aborting its `signal`, leaves the batch at the provider.
 * - **A request that fails** is a failure of its input. One that expired at the provider is sent again.
 * - **A batch that fails as a whole** ends the stream with a `ModelError` with the code `batch`, as a wrong key does.
 *
 * @param name as for `initModel()`: `openai:gpt-6.1-terra`, `anthropic:claude-haiku-4-5`
 * @throws {ModelError} `invalid_request` for another provider, and those of `initModel()`
 *
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { fileJournal, providerBatch } from "millrace/durable";
 *
 * const journal = fileJournal(await mkdtemp("/tmp/letters-")); // in your program, a folder that stays: "letters.batches"
 * const model = await providerBatch("openai:gpt-6.1-terra", { journal, apiKey: "an example" });
 * console.log(model.model, model.profile.batch); // "gpt-6.1-terra" true
 * // for await (const result of extractAll(letters, { model, schema })) …
 * await journal.close();
 * ```
 */
export async function providerBatch(name: string, options: ProviderBatchOptions): Promise<ChatModel> {
  checkOptions("providerBatch()", options, optionNames, hints);
  const { journal, retryErrors = false, fetch, ...connection } = options;
  const { provider } = readModelName(name);
  if (provider !== "openai" && provider !== "anthropic") {
    throw invalidRequest(`Batches are for openai:… and anthropic:…, but the model is ${name}.`);
  }
  const send = batchFetch({
    ...{ provider, journal, retryErrors },
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  });
  const timeouts = { firstToken: Infinity, idle: Infinity };
  const model = await initModel(name, { ...connection, fetch: send, timeouts });
  return chatModel({
    ...model,
    profile: { ...model.profile, batch: true },
    async *stream(input, call) {
      try {
        yield* model.stream(input, call);
      } catch (error) {
        // A model reports any error of fetch() as a network that failed.
        const cause = fieldOf(error, "cause");
        if (fieldOf(cause, "code") !== "batch") throw error;
        throw new ModelError("batch", messageOf(cause), { cause: fieldOf(cause, "cause") });
      }
    },
  });
}
