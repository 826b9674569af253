import { checkChunk } from "../../../messages/check-chunk.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import type { Message } from "../../../messages/message.js";
import { type MessagesInput, toMessages } from "../../../messages/to-messages.js";
import type { CallOptions, ChatModel, ToolDefinition } from "../../../models/contract/chat-model.js";
import { chatModel } from "../../../models/contract/create-chat-model.js";
import { last } from "../../../stream/collect.js";
import type { Operator } from "../../../stream/operator.js";
import { mapAsync } from "../../../stream/operators/map-async.js";
import { timeout } from "../../../stream/operators/timeout.js";
import { pipe } from "../../../stream/pipe.js";
import { from } from "../../../stream/sources/from.js";
import type { Clock } from "../../../stream/time/clock.js";
import { hexOf } from "../../../text/bytes/hex.js";
import { canonicalJson, jsonText } from "../../../text/json-text.js";

/** Keeps texts by keys: a `Map`, or a few lines for Redis or a database. */
export interface AnswerStore {
  get(key: string): string | null | undefined | PromiseLike<string | null | undefined>;
  /** @param options `ttl`: milliseconds after which the store may forget the text; `undefined` for never */
  set(key: string, value: string, options: { readonly ttl: number | undefined }): unknown;
}

/** The request on which an answer depends, as far as the library knows. */
export interface CachedRequest {
  readonly provider: string;
  /** The name of the model. */
  readonly model: string;
  /** With the system prompt, but without ids, usage and other fields that no model gets. */
  readonly messages: readonly Message[];
  /** All options of the call, tools and response format included, but for `signal`, `timeouts` and `maxRetries`. */
  readonly options: Omit<CallOptions, "signal" | "timeouts" | "maxRetries">;
}

export interface AnswerCache {
  readonly store: AnswerStore;
  /** The value that is hashed to the key. `undefined`: the answer is not kept. */
  readonly keyOf: (request: CachedRequest) => unknown;
  readonly ttl: number | undefined;
  readonly replay: Operator<MessageChunk, MessageChunk> | undefined;
  readonly maxLength: number;
  readonly timeout: number;
  readonly clock: Clock;
  readonly now: () => number;
  /** Gets an error of the store, or of a text in it. The call continues without the store. */
  readonly onError: (error: unknown) => void;
}

/** A kept answer is JSON: `{"version": 1, "expires": 1796000000000, "chunks": [{"content": […]}, …]}`. */
const version = 1;

/** A model whose complete answers are kept, and repeated for an equal request. */
export function cachedModel(model: ChatModel, cache: AnswerCache): ChatModel {
  return chatModel({ ...model, stream: (input, options) => cachedStream(model, input, options, cache) });
}

async function* cachedStream(
  model: ChatModel,
  input: MessagesInput,
  options: CallOptions = {},
  cache: AnswerCache,
): AsyncGenerator<MessageChunk, void, undefined> {
  const safely = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      cache.onError(error);
      return undefined;
    }
  };
  const key = await safely(() => hashOf(requestOf(model, input, options), cache));
  const kept = key === undefined ? undefined : await safely(() => keptChunks(key, cache));
  if (kept !== undefined) {
    yield* cache.replay === undefined ? kept : cache.replay(from(kept));
    return;
  }
  const answer = answerText(cache.maxLength);
  for await (const chunk of model.stream(input, options)) {
    answer.add(chunk);
    yield chunk;
  }
  const text = answer.text();
  if (key === undefined || text === undefined) return;
  const { ttl, now, store } = cache;
  const value = `{"version":${version},"expires":${ttl === undefined ? null : now() + ttl},"chunks":[${text}]}`;
  await safely(() => inTime(async () => store.set(key, value, { ttl }), cache));
}

/** Collects the chunks of an answer as JSON. Its `text()` is `undefined` unless the answer is complete and short. */
function answerText(maxLength: number): {
  readonly add: (chunk: MessageChunk) => void;
  readonly text: () => string | undefined;
} {
  let written: string[] | undefined = [];
  let length = 0;
  let complete = false;
  return {
    add(chunk) {
      const { text, problem } = jsonText(chunk, { maxLength });
      length += text.length;
      if (problem !== undefined || length > maxLength || chunk.refusal !== undefined) written = undefined;
      written?.push(text);
      const { finishReason } = chunk;
      if (finishReason !== undefined) complete = finishReason === "stop" || finishReason === "tool_calls";
    },
    text: () => (complete ? written?.join(",") : undefined),
  };
}

/** The chunks of a kept answer without their usage: repeating them costs no tokens. */
async function keptChunks(key: string, cache: AnswerCache): Promise<MessageChunk[] | undefined> {
  const text = await inTime(async () => cache.store.get(key), cache);
  if (text === undefined || text === null) return undefined;
  const kept = JSON.parse(text) as Readonly<Partial<Record<"version" | "expires" | "chunks", unknown>>>;
  if (kept.version !== version || (typeof kept.expires === "number" && kept.expires <= cache.now()))
    return undefined;
  return (kept.chunks as unknown[]).map((chunk) => {
    checkChunk(chunk);
    const { usage: _usage, usageDelta: _delta, ...others } = chunk;
    return others;
  });
}

function inTime<T>(work: () => Promise<T>, { timeout: total, clock }: AnswerCache): Promise<T | undefined> {
  return last(pipe(from([undefined]), mapAsync(work), timeout({ total }, { clock })));
}

async function hashOf(request: CachedRequest, { keyOf }: AnswerCache): Promise<string | undefined> {
  const value = keyOf(request);
  if (value === undefined) return undefined;
  const bytes = new TextEncoder().encode(canonicalJson([version, value]));
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function requestOf(
  { provider, model }: ChatModel,
  input: MessagesInput,
  { signal: _signal, timeouts: _timeouts, maxRetries: _retries, tools, ...options }: CallOptions,
): CachedRequest {
  const sent = tools === undefined ? options : { ...options, tools: tools.map(definitionOf) };
  return { provider, model, messages: toMessages(input).map(sentMessage), options: sent };
}

/** A tool has functions and its schema, too. */
function definitionOf({
  name,
  description,
  parameters,
  strict,
  metadata,
  extras,
  forms,
}: ToolDefinition): ToolDefinition {
  return { name, description, parameters, strict, metadata, extras, ...(forms !== undefined && { forms }) };
}

function sentMessage(message: Message): Message {
  return Object.fromEntries(
    Object.entries(message).filter(([name]) => !unsentFields.has(name)),
  ) as unknown as Message;
}

const unsentFields: ReadonlySet<string> = new Set([
  "id",
  "artifact",
  "model",
  "usage",
  "finishReason",
  "providerFinishReason",
]);
