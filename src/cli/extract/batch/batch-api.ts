import { isObject, type JsonObject, type JsonValue } from "../../../json/value.js";
import { ModelError } from "../../../models/contract/errors.js";
import { statusError } from "../../../models/http/http.js";
import { systemClock } from "../../../stream/time/clock.js";
import { linesOf } from "../inputs/lines.js";

/** A request in a batch. */
export interface BatchRequest {
  readonly id: string;
  readonly body: JsonObject;
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
  /** The id of the batch that was created with this token, if there is one. */
  find(token: string): Promise<string | undefined>;
  /** The answers when the batch has ended, or `undefined` while it has not. */
  answers(id: string): Promise<ReadonlyMap<string, BatchAnswer> | undefined>;
  /** The events of a stream with this answer. */
  toStream(body: JsonValue): string;
}

/** Where a provider is, and the headers with the key: those of the request that a model would have sent. */
export interface BatchPlace {
  readonly base: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** @throws {ModelError} `http` or `network` */
export async function send(
  { base, headers, signal }: BatchPlace,
  path: string,
  body?: FormData | JsonObject,
): Promise<Response> {
  const all = new Headers(headers);
  if (body === undefined || body instanceof FormData) all.delete("content-type");
  let response: Response;
  try {
    response = await fetch(new URL(path, base), {
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
  if (response.ok) return response;
  throw await statusError(response, systemClock, `${path} of the batch endpoints`, {
    status: response.status,
  });
}

export async function sendForJson(...args: Parameters<typeof send>): Promise<JsonObject> {
  const value = (await (await send(...args)).json()) as JsonValue;
  if (isObject(value)) return value;
  throw new ModelError("protocol", `${args[1]} of the batch endpoints responded with no object.`);
}

/** The objects of an NDJSON file. A line may be as long as an answer with 100,000 tokens. */
export async function* sendForLines(place: BatchPlace, path: string): AsyncGenerator<JsonObject> {
  const { body } = await send(place, path);
  if (body === null) return;
  for await (const { bytes } of linesOf(body, maxLine)) {
    const text = bytes?.toString("utf8").trim() ?? "";
    const value = text === "" ? null : (JSON.parse(text) as JsonValue);
    if (isObject(value)) yield value;
  }
}

const maxLine = 10_000_000;

/** @throws {ModelError} `protocol` if the field is not a text */
export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value === "string") return value;
  throw new ModelError("protocol", `The batch endpoints responded without the field "${name}".`);
}
