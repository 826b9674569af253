import { checkModel } from "../../models/contract/check-call-options.js";
import type { MessagesInput } from "../../messages/to-messages.js";
import { parallel } from "../../stream/core/parallel.js";
import { positive, wholeNumber } from "../../text/check-number.js";
import { abortable } from "../../stream/operators/abortable.js";
import { from, type StreamInput } from "../../stream/sources/from.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { type ObjectOf, objectOptionNames, type ObjectOptions, type ObjectSchema } from "../stream-object.js";
import type { Extraction, ExtractionRetry } from "./extraction.js";
import { extractOne } from "./extract-one.js";
import { limitedAgent } from "./limited-agent.js";
import { RateLimiter } from "./rate-limiter.js";

/** The options of `extractAll()`: those of `generateObject()`, and how to work on many inputs. */
export interface ExtractAllOptions<
  In = unknown,
  Schema extends ObjectSchema = ObjectSchema,
  Elements extends boolean = boolean,
> extends Omit<ObjectOptions<Schema, Elements>, "append"> {
  /**
   * Returns the prompt or the messages for an input. An error that it throws is a failure of this input. Default: the
   * input itself if it is a text, otherwise its JSON
   */
  readonly prompt?: (input: In, index: number) => MessagesInput | PromiseLike<MessagesInput>;
  /** The maximum number of inputs in work at the same time. Default: 8, or 10,000 for `providerBatch()` */
  readonly concurrency?: number;
  /**
   * The maximum number of requests in each minute, retries included. It is not exceeded, and lowered for a while when
   * the server refuses many requests with status 429. Default: no limit until then
   */
  readonly requestsPerMinute?: number;
  /**
   * The maximum number of tokens in each minute, of input and output. Those of a request are estimated. Default: no
   * limit
   */
  readonly tokensPerMinute?: number;
  /**
   * The maximum number of times that a request is sent again for an input after a failure that may pass: status 429 or
   * 5xx, no response, a timeout, a stream that was cut. Default: 8, or 2 for `providerBatch()`
   */
  readonly maxRequestRetries?: number;
  /** Called when a request is sent again, to count or log the reasons. It must not throw. */
  readonly onRetry?: (retry: ExtractionRetry<In>) => void;
  /**
   * Whether the results come in the order of the inputs. At most four times `concurrency` results wait for a slow
   * input. Default: false, the results come as they arrive
   */
  readonly ordered?: boolean;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Randomness for the back-off: returns a number from 0 to 1. Default: `Math.random` */
  readonly random?: () => number;
}

// prettier-ignore
const optionNames = {
  ...objectOptionNames, concurrency: true, requestsPerMinute: true, tokensPerMinute: true,
  maxRequestRetries: true, onRetry: true, ordered: true, clock: true, random: true,
} satisfies OptionNames<ExtractAllOptions>;

const hints = {
  messages: "Write prompt: (input) => messages.",
  rpm: 'Write "requestsPerMinute".',
  tpm: 'Write "tokensPerMinute".',
};

/**
 * Asks a model for an object for each input, several at a time: `for await (const result of extractAll(documents, { …
 * }))`.
 *
 * Each result is a value: `ok` with the `object`, or not `ok` with the `failure` and its `error`. So one bad input does
 * not end the others. A request that fails for a reason that may pass is sent again after a while, which is the one
 * that the server asks for (`Retry-After`). After an invalid object it asks again, as `generateObject()` does.
 *
 * The source is read only as fast as results are taken: at most `concurrency` inputs are in work or wait to be taken.
 * Leaving the loop, or aborting `signal`, closes all connections.
 *
 * The stream ends with an error if all inputs would fail: the `ModelError` of a wrong key, a wrong model, a schema that
 * the provider cannot express, an exceeded quota, or a server that asks to wait for more than ten minutes. An error of
 * the source comes after the results of the inputs before it.
 *
 * @throws {TypeError} for an unknown option
 * @throws {RangeError} if a number is out of its range
 * @throws {SchemaError} if a schema is invalid
 *
 * @example
 * ```ts
 * import { extractAll } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const results = extractAll(["Ada, born 1815", "Alan, born 1912"], {
 *   model: scriptedModel(({ index }) => [index === 0 ? '{"born": 1815}' : '{"born": 1912}']), // or "openai:gpt-6.1-terra"
 *   schema: z.object({ born: z.int() }),
 *   prompt: (text) => `When was this person born? ${text}`,
 *   ordered: true,
 * });
 * for await (const result of results) {
 *   if (result.ok) console.log(result.input, result.object.born);
 *   else console.error(result.input, result.failure, result.error);
 * }
 * ```
 *
 * ```text prints
 * Ada, born 1815 1815
 * Alan, born 1912 1912
 * ```
 */
export function extractAll<In, const Schema extends ObjectSchema, const Elements extends boolean = false>(
  source: StreamInput<In>,
  options: ExtractAllOptions<In, Schema, Elements>,
): AsyncIterable<Extraction<ObjectOf<Schema, Elements>, In>> {
  checkOptions("extractAll()", options, optionNames, hints);
  if (typeof options.model !== "string") checkModel("extractAll()", options.model);
  const isBatch = typeof options.model !== "string" && options.model.profile.batch === true;
  // prettier-ignore
  const {
    prompt = asPrompt, concurrency = isBatch ? 10_000 : 8, requestsPerMinute = Infinity, tokensPerMinute = Infinity,
    maxRequestRetries = isBatch ? 2 : 8, onRetry, ordered = false, clock = systemClock, random = Math.random, signal, ...call
  } = options;
  finite("concurrency of extractAll", concurrency, 1);
  finite("maxRequestRetries of extractAll", maxRequestRetries, 0);
  positive("requestsPerMinute of extractAll", requestsPerMinute);
  positive("tokensPerMinute of extractAll", tokensPerMinute);
  if (isBatch && (requestsPerMinute !== Infinity || tokensPerMinute !== Infinity)) {
    throw new RangeError(
      "Batches have no limits per minute. Leave out requestsPerMinute and tokensPerMinute.",
    );
  }
  const limiter = new RateLimiter({ requestsPerMinute, tokensPerMinute, clock, random });
  const agent = limitedAgent(call, limiter);
  const work = { agent, prompt, maxRequestRetries, onRetry, clock, random };
  type Result = Extraction<ObjectOf<Schema, Elements>, In>;
  const results = parallel<In, Result>(
    from(source),
    (input, index, stop) => extractOne(input, index, stop, work),
    { concurrency, ordered, maxHeld: ordered ? concurrency * 4 : concurrency },
  );
  return signal === undefined ? results : abortable<Result>(signal)(results);
}

function asPrompt(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** @throws {RangeError} naming the option */
function finite(name: string, value: number, least: number): void {
  if (wholeNumber(name, value, least) === Infinity) throw new RangeError(`${name} must be finite.`);
}
