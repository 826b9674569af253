import { Buffer } from "node:buffer";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { ModelError } from "../../models/contract/errors.js";
import type { Fetch } from "../../models/contract/provider-options.js";
import { checkedResponse, statusError } from "../../models/http/post-for-stream.js";
import { isRetryable, retryAfter } from "../../models/http/retry-delay.js";
import { decodeNdjson } from "../../models/wire/ndjson.js";
import { pipe } from "../../stream/pipe.js";
import { attempt } from "../../stream/time/attempts.js";
import { systemClock } from "../../stream/time/clock.js";
import { excerpt } from "../../text/excerpt.js";
import { parseJson } from "../../text/json-text.js";

export interface BatchRequest {
  readonly id: string;
  readonly body: JsonObject;
}

/** A batch that is recorded before it is created. */
export interface BatchClaim {
  readonly token: string;
  /** The names of its requests: the hash of the content, with a number after it for one that is equal to another. */
  readonly keys: readonly string[];
  /** When it was recorded, in milliseconds since 1970. */
  readonly at: number;
}

/** The answer to a request in a batch: a status of HTTP, and what the provider would have sent with it. */
export interface BatchAnswer {
  readonly status: number;
  readonly body: JsonValue;
}

/** The batch endpoints of a provider. */
export interface BatchApi {
  readonly maxRequests: number;
  readonly maxBytes: number;
  /** Creates a batch and returns its id. `token` must make it possible to find it again. */
  submit(requests: readonly BatchRequest[], token: string): Promise<string>;
  /** The id of the batch that was created with this token, or `null`. */
  find(claim: BatchClaim): Promise<string | null>;
  /**
   * The answers when the batch has ended, or `undefined` while it has not.
   *
   * @param requests how many the batch has
   */
  answers(id: string, requests: number): Promise<ReadonlyMap<string, BatchAnswer> | undefined>;
}

/** Asks until there is an answer, after longer and longer waits. An error that may pass counts as no answer. */
export async function polled<T>(ask: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  const work = async (): Promise<T> => {
    const found = await ask();
    if (found === undefined) throw notYet;
    return found;
  };
  const delay = (error: unknown, failed: number): number | undefined =>
    error === notYet || isRetryable(error)
      ? Math.min(retryAfter(error) ?? 500 * 1.5 ** failed, longestWait)
      : undefined;
  return attempt(work, { delay, clock: systemClock, signal });
}

const notYet = new Error("There is no answer yet.");
const longestWait = 60_000;

/** How many of the requests fit into one batch. A request that is too large alone is for the provider to refuse. */
export function countInBatch(
  requests: readonly { readonly text: string }[],
  { maxRequests, maxBytes }: Pick<BatchApi, "maxRequests" | "maxBytes">,
): number {
  let bytes = 0;
  const end = requests.findIndex(({ text }, index) => {
    bytes += Buffer.byteLength(text) + bytesAround;
    return index >= maxRequests || (bytes > maxBytes && index > 0);
  });
  return end === -1 ? requests.length : end;
}

/** Its id and the JSON around the text take about 120 bytes. */
const bytesAround = 200;

/** Where a provider is, and the headers with the key: those of the request that a model would have sent. */
export interface BatchPlace {
  readonly fetch: Fetch;
  readonly base: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** @throws {ModelError} `http` or `network` */
export async function send(
  { fetch, base, headers, signal }: BatchPlace,
  path: string,
  body?: FormData | JsonObject,
): Promise<Response> {
  const all = new Headers(headers);
  if (body === undefined || body instanceof FormData) all.delete("content-type");
  let response: Response;
  try {
    response = await fetch(new URL(path, base).href, {
      ...{ headers: all, signal, redirect: "manual" },
      ...(body !== undefined && {
        method: "POST",
        body: body instanceof FormData ? body : JSON.stringify(body),
      }),
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new ModelError("network", `No response from ${path} of the batch endpoints.`, {
      cause,
      retryable: true,
    });
  }
  response = checkedResponse(response, `${path} of the batch endpoints`);
  if (response.ok) return response;
  throw await statusError(response, systemClock, `${path} of the batch endpoints`, {
    status: response.status,
  });
}

export async function sendForJson(...args: Parameters<typeof send>): Promise<JsonObject> {
  const path = args[1];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(await send(...args), path)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxLine) {
      throw new ModelError("max_buffer", `${path} of the batch endpoints responded with more than 10 MB.`);
    }
  }
  const value = parseJson(text, (cause) => {
    const shown = excerpt(text);
    const problem = `${path} of the batch endpoints responded with no JSON: ${shown}`;
    return new ModelError("protocol", problem, { cause, excerpt: shown });
  }) as JsonValue;
  if (isObject(value)) return value;
  throw new ModelError("protocol", `${path} of the batch endpoints responded with no object.`);
}

/**
 * The objects of an NDJSON file. A line may be as long as an answer with 100,000 tokens.
 *
 * @param maxLines an answer for each request
 */
export async function* sendForLines(
  place: BatchPlace,
  path: string,
  maxLines: number,
): AsyncGenerator<JsonObject> {
  const lines = pipe(chunksOf(await send(place, path), path), decodeNdjson({ maxBuffer: maxLine }));
  let count = 0;
  for await (const value of lines) {
    if (++count > maxLines) {
      const problem = `${path} of the batch endpoints has more answers than the batch has requests (${maxLines}).`;
      throw new ModelError("protocol", problem);
    }
    if (isObject(value)) yield value;
  }
}

async function* chunksOf({ body }: Response, path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk;
  } catch (cause) {
    const problem = `The connection to ${path} of the batch endpoints was lost.`;
    throw new ModelError("cut", problem, { cause, retryable: true });
  }
}

const maxLine = 10_000_000;

/** How much the clocks of the provider and of this machine may differ, in milliseconds. */
const clockError = 3_600_000;

/** When a batch was created, in milliseconds since 1970: Anthropic writes a date, OpenAI seconds. */
function createdAt({ created_at: at }: JsonObject): number {
  return typeof at === "number" ? at * 1_000 : Date.parse(at as string);
}

/** Whether a batch was created about when the claim was recorded. */
export function isOfItsTime(claim: BatchClaim, batch: JsonObject): boolean {
  return Math.abs(createdAt(batch) - claim.at) < clockError;
}

/**
 * The batches in a list, which has the newest first, as far back as the claim.
 *
 * @param after the parameter with the last one of the page before
 */
export async function* batchesSince(
  claim: BatchClaim,
  place: BatchPlace,
  path: string,
  after: string,
): AsyncGenerator<JsonObject> {
  let rest = "";
  for (let pages = 0; pages < maxPages; pages++) {
    const { data, has_more: hasMore } = await sendForJson(place, `${path}?limit=100${rest}`);
    const batches = Array.isArray(data) ? data.filter(isObject) : [];
    yield* batches;
    const last = batches.at(-1);
    if (hasMore !== true || last === undefined || createdAt(last) < claim.at - clockError) return;
    rest = `&${after}=${encodeURIComponent(textField(last, "id"))}`;
  }
  throw new ModelError("protocol", `${path} lists more than ${maxPages} pages of batches of the same hour.`);
}

/** A page has 100 batches. */
const maxPages = 1_000;

/** @throws {ModelError} `protocol` if the field is not a text of at most 1,000 characters */
export function textField(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value === "string" && value.length <= 1_000) return value;
  const problem = `The batch endpoints responded without a text of at most 1,000 characters as "${name}".`;
  throw new ModelError("protocol", problem);
}
