import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { noop } from "../../../stream/core/result.js";
import { type Clock, systemClock } from "../../../stream/time/clock.js";
import { milliseconds, wholeNumber } from "../../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../../text/check-options.js";
import { invalidOptions } from "../../errors.js";
import { type CachedRequest, cachedModel, type AnswerStore } from "./cached-model.js";
import type { Middleware, ModelCall } from "../middleware.js";

/** The options of `cacheAnswers()`. */
export interface CacheAnswersOptions<Context = unknown> {
  /** Where answers are kept: a `Map`, or an object with `get` and `set`. */
  readonly store: AnswerStore;
  /**
   * Returns the value on which the key depends, or `undefined` for an answer that must not be kept. The key is its hash.
   * Default: the whole request.
   */
  readonly key?: (request: CachedRequest, call: ModelCall<Context>) => unknown;
  /** How long an answer is used, in milliseconds. Default: for ever. */
  readonly ttl?: number;
  /** Changes the chunks of a kept answer, for instance their pace. Default: they come at once. */
  readonly replay?: Operator<MessageChunk, MessageChunk>;
  /** The length of the longest answer that is kept, in characters of JSON. Default: 1,000,000. */
  readonly maxLength?: number;
  /** How long to wait for the store, in milliseconds. Default: 2,000. */
  readonly timeout?: number;
  /** Gets the errors of the store, which do not end the run. */
  readonly onError?: (error: unknown) => void;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** The date in milliseconds, for `ttl`. Default: `Date.now`. */
  readonly now?: () => number;
}

const optionNames = {
  store: true,
  key: true,
  ttl: true,
  replay: true,
  maxLength: true,
  timeout: true,
  onError: true,
  clock: true,
  now: true,
} satisfies OptionNames<CacheAnswersOptions>;

/**
 * Keeps complete answers of models, and repeats them chunk by chunk for equal requests. The request is the one that the
 * model really gets, after all middleware: messages, tools, response format and options.
 *
 * The key is the SHA-256 hash of the request, so it has no text of it. The answers themselves are in the store as they
 * are. An answer is kept when it has ended with the finish reason `stop` or `tool_calls`, and is no refusal. A repeated
 * answer has no usage. A store that fails or is too slow is passed over.
 *
 * @throws {AgentError} `invalid_options` without a store
 * @throws {RangeError} if `ttl`, `timeout` or `maxLength` is out of range
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { createAgent, textOf } from "millrace";
 * import { cacheAnswers } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Hel", "lo."]);
 * const agent = createAgent({ model, middleware: [cacheAnswers({ store: new Map() })] });
 * await agent.invoke("Hi");
 * const { messages } = await agent.invoke("Hi");
 * console.log(messages.map(textOf), model.calls.length); // ["Hi", "Hello."] 1
 * ```
 */
export function cacheAnswers<Context = unknown>(options: CacheAnswersOptions<Context>): Middleware<Context> {
  checkOptions("cacheAnswers()", options, optionNames);
  const {
    store,
    key,
    ttl = Infinity,
    replay,
    maxLength = 1_000_000,
    timeout = 2_000,
    onError = noop,
  } = options;
  const { clock = systemClock, now = Date.now } = options;
  if (typeof (store as Partial<AnswerStore> | undefined)?.get !== "function")
    throw invalidOptions("cacheAnswers() needs a store, such as new Map().");
  milliseconds("ttl", ttl);
  milliseconds("timeout", timeout);
  wholeNumber("maxLength", maxLength, 1);
  const kept = { store, ttl: ttl === Infinity ? undefined : ttl, replay, maxLength };
  const common = { ...kept, timeout, clock, now, onError };
  return {
    name: "cacheAnswers",
    aroundModel: (call, next) => {
      const keyOf = (request: CachedRequest): unknown => (key === undefined ? request : key(request, call));
      return next({ ...call, model: cachedModel(call.model, { ...common, keyOf }) });
    },
  };
}
