import type { Clock } from "../../stream/time/clock.js";
import { from } from "../../stream/sources/from.js";
import { sleep } from "../../stream/time/sleep.js";
import { noop } from "../../stream/core/result.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { kindName } from "../../text/kind-name.js";
import { fieldOf, hasMethod } from "../../text/thrown.js";
import { type AnswerBody, answerBody, type AnswerSource, requestIdOf } from "./answer-body.js";
import { ModelError, type ModelErrorDetails } from "../contract/errors.js";
import type { Fetch } from "../contract/provider-options.js";
import { isTransientError, mayRetryStatus, readProviderError } from "./provider-error.js";
import { retryAfterOf } from "./retry-delay.js";
import { parsedJson } from "../../text/json-text.js";

export interface StreamRequest {
  readonly fetch: Fetch;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onBytes: () => void;
}

/** @throws {ModelError} `network`, `http`, `provider` or `protocol` for a page; while reading `cut` */
export async function postForStream(request: StreamRequest): Promise<AnswerBody> {
  const place = request.url.host + request.url.pathname;
  const response = checkedResponse(await send(request, place), place);
  const known: ModelErrorDetails = { status: response.status, requestId: requestIdOf(response) };
  const { clock, onBytes } = request;
  if (!response.ok) throw await statusError(response, clock, place, known);
  const type = response.headers.get("content-type") ?? "";
  const source = { place, known };
  if (isPage(type)) throw unexpectedAnswer(await beginningOf(response, clock), excerpt(type), source);
  return answerBody(response, source, clock, onBytes, (cause) => {
    const problem = `The connection to ${place} was lost before the message was complete: ${reasonOf(cause)}.`;
    return new ModelError("cut", problem, { ...known, cause, retryable: true });
  });
}

async function send({ fetch, url, headers, body, signal }: StreamRequest, place: string): Promise<Response> {
  try {
    // fetch() would send the key along with a redirect: it drops `Authorization` for another host, but not `x-api-key`.
    return await fetch(url.href, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (cause) {
    throw new ModelError("network", `No response from ${place}: ${reasonOf(cause)}.${hintFor(url)}`, {
      cause,
      retryable: true,
    });
  }
}

/** Checks what `fetch` has returned, as it may be a mock, or a `fetch` without streams. */
export function checkedResponse(answer: unknown, place: string): Response {
  const problem = problemOf(answer);
  if (problem === undefined) return answer as Response;
  throw new ModelError(
    "protocol",
    `The fetch that was called for ${place} returned ${problem}. Let it return a Response whose body nobody has read.`,
  );
}

function problemOf(answer: unknown): string | undefined {
  const body = fieldOf(answer, "body");
  if (typeof fieldOf(answer, "status") !== "number") return `${kindName(answer)} without a status`;
  if (!hasMethod(fieldOf(answer, "headers"), "get")) return "an object without headers.get()";
  if (typeof body !== "object" || !hasMethod(answer, "arrayBuffer"))
    return "an object without the body of a Response";
  return fieldOf(answer, "bodyUsed") === true ? "a Response whose body was read" : undefined;
}

/** A question about a server on this machine. */
function hintFor({ hostname, port }: URL): string {
  if (!/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return "";
  return ` Is ${portNames.get(port) ?? "the server"} running?`;
}

/** Servers by the port that they use by default, if few others use it. */
const portNames: ReadonlyMap<string, string> = new Map([
  ["11434", "Ollama"],
  ["1234", "LM Studio"],
]);

/** The error for a response with a status other than 2xx. Reads a bounded part of its body. */
export async function statusError(
  response: Response,
  clock: Clock,
  place: string,
  known: ModelErrorDetails,
): Promise<ModelError> {
  const { status, headers } = response;
  const text = await beginningOf(response, clock);
  if (isRedirect(response)) {
    const problem = `${place} redirects to ${targetOf(response)}. Redirects are not followed. If the target is correct, use it as the base URL.`;
    return new ModelError("http", problem, known);
  }
  const error = readProviderError(parsedJson(text));
  const shown = excerpt(text);
  const reason = error?.message ?? (shown === "" ? "no reason stated" : shown);
  const id = known.requestId === undefined ? "" : ` (request ${known.requestId})`;
  return new ModelError("http", `${place} responded with status ${status}: ${reason}${id}`, {
    ...known,
    excerpt: shown,
    providerCode: error?.code,
    retryable: mayRetryStatus(response, error?.code),
    retryAfter: retryAfterOf(headers) ?? error?.retryAfter,
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

/** @param what what came instead of an answer, such as `text/html` */
export function unexpectedAnswer(text: string, what: string, { place, known }: AnswerSource): ModelError {
  const details = { ...known, excerpt: excerpt(text) };
  const problem = `${place} responded with ${what}`;
  const error = readProviderError(parsedJson(text));
  if (error === undefined)
    return new ModelError("protocol", `${problem} instead of an answer: ${details.excerpt}`, details);
  return new ModelError("provider", `${problem}: ${error.message}`, {
    ...details,
    providerCode: error.code,
    retryable: isTransientError(error),
  });
}

function isPage(contentType: string): boolean {
  return /^\s*(?:text\/html|(?:application|text)\/(?:[a-z]+\+)?xml)\s*(?:;|$)/i.test(contentType);
}

/** Reads what arrives of the body within the limits, then closes the connection. */
async function beginningOf(response: Response, clock: Clock): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const read = new AbortController();
  const late = sleep(documentTimeout, clock, read.signal).then(() => undefined);
  let body: AsyncIterator<Uint8Array> | undefined;
  try {
    body = from(response)[Symbol.asyncIterator]();
    while (text.length < longestDocument) {
      const result = await Promise.race([body.next(), late]);
      if (result === undefined || result.done === true) break;
      text += decoder.decode(result.value.subarray(0, longestDocument), { stream: true });
    }
  } catch {
    // The connection was lost. The text received so far is more useful than that error.
  }
  read.abort();
  // Not awaited: a server that never ends the body may not end the connection either.
  body?.return?.().catch(noop);
  return text;
}

/** How much of a response is read that is not a stream, in UTF-16 code units. */
const longestDocument = 64 * 1024;

/** How long to wait for such a response, in milliseconds. Its status is already known. */
const documentTimeout = 2_000;

/** The reason of a failed fetch(). Its message is only "fetch failed" or "terminated"; the cause has the details. */
function reasonOf(error: unknown): string {
  const cause = fieldOf(error, "cause");
  const words = [messageOf(error), fieldOf(cause, "message")].filter(
    (it) => typeof it === "string" && it !== "",
  );
  const code = fieldOf(cause, "code");
  // Node has it in the message, too: "connect ECONNREFUSED 127.0.0.1:11434".
  if (typeof code === "string" && !words.some((it) => String(it).includes(code))) words.push(code);
  return words.map((it) => excerpt(it)).join(", ");
}
