import type { Clock } from "../../stream/time/clock.js";
import { from } from "../../stream/sources/from.js";
import { AnswerBody, requestIdOf } from "./answer-body.js";
import { shortExcerpt, ModelError, type ModelErrorDetails } from "../contract/errors.js";
import { readProviderError } from "./provider-error.js";
import { retryAfter } from "./retry-delay.js";

/** What is needed of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface StreamRequest {
  readonly fetch: Fetch;
  readonly url: URL;
  readonly headers: Headers;
  /** JSON. */
  readonly body: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Posts JSON and gives the bytes of the stream that answers it.
 *
 * @throws {ModelError} `network` if there is no answer, `http` if its status is not 2xx, `provider` or `protocol` if it
 *   is a page or a document instead of a stream; while the bytes are read, `cut`
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
  if (isDocument(type)) throw await documentError(response, `${place} answered with ${type}`, known);
  return new AnswerBody(response, request.clock, (cause) => {
    const problem = `The connection to ${place} was lost before the message had ended: ${reasonOf(cause)}.`;
    return new ModelError("cut", problem, { ...known, cause, retryable: true });
  });
}

async function send({ fetch, url, headers, body, signal }: StreamRequest, place: string): Promise<Response> {
  try {
    // A redirect would take the key along: fetch() leaves out `Authorization` for another host, but no `x-api-key`.
    return await fetch(url.href, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (cause) {
    throw new ModelError("network", `No answer from ${place}: ${reasonOf(cause)}.`, {
      cause,
      retryable: true,
    });
  }
}

async function statusError(response: Response, place: string, known: ModelErrorDetails): Promise<ModelError> {
  const { status, headers } = response;
  const text = await beginningOf(response);
  if (isRedirect(response)) {
    const problem = `${place} redirects to ${targetOf(response)}, where nothing was sent. If that is right, give it as baseURL.`;
    return new ModelError("http", problem, known);
  }
  const error = readProviderError(parse(text));
  const excerpt = shortExcerpt(text);
  const said = error?.message ?? (excerpt === "" ? "no reason given" : excerpt);
  const id = known.requestId === undefined ? "" : ` (request ${known.requestId})`;
  return new ModelError("http", `${place} answered ${status}: ${said}${id}`, {
    ...known,
    excerpt,
    providerCode: error?.code,
    retryable: status === 408 || status === 429 || status >= 500,
    retryAfter: retryAfter(headers),
  });
}

/** Browsers say no more of one than that it is one. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** The address without what may be secret in it. */
function targetOf({ headers, url }: Response): string {
  const location = headers.get("location");
  if (location === null || !URL.canParse(location, url || undefined)) return "another address";
  const { origin, pathname } = new URL(location, url || undefined);
  return origin + pathname;
}

/** A stream was asked for, and the server says that all is well; but this is none. */
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

/** The rest is not read, and the connection closed. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of from(response)) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > longestAnswer) break;
    }
  } catch {
    // Cut: what there is of it says more than that.
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

/** fetch() says "fetch failed" or "terminated", and why only in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  const inner = cause instanceof Error && cause.message !== "" ? cause.message : undefined;
  return [error.message, inner, code].filter((part) => part !== undefined).join(", ");
}
