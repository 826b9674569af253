import type { Clock } from "../../stream/time/clock.js";
import { from } from "../../stream/sources/from.js";
import { AnswerBody, requestIdOf } from "./answer-body.js";
import { shortExcerpt, ModelError, type ModelErrorDetails } from "../contract/errors.js";
import { readProviderError } from "./provider-error.js";
import { retryAfter } from "./retry-delay.js";

/** The part of the signature of `fetch` that models use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface StreamRequest {
  readonly fetch: Fetch;
  readonly url: URL;
  readonly headers: Headers;
  /** The body as JSON. */
  readonly body: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Posts JSON and returns the bytes of the response stream.
 *
 * @throws {ModelError} `network` without a response, `http` for a status other than 2xx, `provider` or `protocol` for a
 *   page or document instead of a stream; `cut` if the connection is lost while reading
 */
export async function postForStream(request: StreamRequest): Promise<AnswerBody> {
  const place = request.url.host + request.url.pathname;
  const response = await send(request, place);
  const known: ModelErrorDetails = {
    status: response.status,
    requestId: requestIdOf(response),
  };
  if (!response.ok) throw await statusError(response, place, known);
  const type = response.headers.get("content-type") ?? "";
  if (isDocument(type)) throw await documentError(response, `${place} responded with ${type}`, known);
  return new AnswerBody(response, request.clock, (cause) => {
    const problem = `The connection to ${place} was lost before the message was complete: ${reasonOf(cause)}.`;
    return new ModelError("cut", problem, { ...known, cause, retryable: true });
  });
}

async function send({ fetch, url, headers, body, signal }: StreamRequest, place: string): Promise<Response> {
  try {
    // fetch() would send the key along with a redirect: it drops `Authorization` for another host, but not `x-api-key`.
    return await fetch(url.href, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (cause) {
    throw new ModelError("network", `No response from ${place}: ${reasonOf(cause)}.`, {
      cause,
      retryable: true,
    });
  }
}

async function statusError(response: Response, place: string, known: ModelErrorDetails): Promise<ModelError> {
  const { status, headers } = response;
  const text = await beginningOf(response);
  if (isRedirect(response)) {
    const problem = `${place} redirects to ${targetOf(response)}. Redirects are not followed. If the target is correct, set it as baseURL.`;
    return new ModelError("http", problem, known);
  }
  const error = readProviderError(parse(text));
  const excerpt = shortExcerpt(text);
  const reason = error?.message ?? (excerpt === "" ? "no reason stated" : excerpt);
  const id = known.requestId === undefined ? "" : ` (request ${known.requestId})`;
  return new ModelError("http", `${place} responded with status ${status}: ${reason}${id}`, {
    ...known,
    excerpt,
    providerCode: error?.code,
    retryable: status === 408 || status === 429 || status >= 500,
    retryAfter: retryAfter(headers),
  });
}

/** Browsers report a redirect only as an opaque response. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** The target of a redirect, without parts that may be secret. */
function targetOf({ headers, url }: Response): string {
  const location = headers.get("location");
  if (location === null || !URL.canParse(location, url || undefined)) return "another address";
  const { origin, pathname } = new URL(location, url || undefined);
  return origin + pathname;
}

/** The error for a response with status 2xx that is a document instead of a stream. */
async function documentError(
  response: Response,
  problem: string,
  known: ModelErrorDetails,
): Promise<ModelError> {
  const text = await beginningOf(response);
  const excerpt = shortExcerpt(text);
  const error = readProviderError(parse(text));
  return error === undefined
    ? new ModelError("protocol", `${problem} instead of a stream: ${excerpt}`, { ...known, excerpt })
    : new ModelError("provider", `${problem}: ${error.message}`, {
        ...known,
        excerpt,
        providerCode: error.code,
      });
}

function isDocument(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/json|(?:application|text)\/(?:[a-z]+\+)?xml)\s*(?:;|$)/i.test(
    contentType,
  );
}

/** Reads the start of the body, then closes the connection. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of from(response)) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > longestAnswer) break;
    }
  } catch {
    // The connection was lost. The text received so far is more useful than that error.
  }
  return text;
}

const longestAnswer = 64 * 1024;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The reason of a failed fetch(). Its message is only "fetch failed" or "terminated"; the cause has the details. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  const inner = cause instanceof Error && cause.message !== "" ? cause.message : undefined;
  return [error.message, inner, code].filter((part) => part !== undefined).join(", ");
}
