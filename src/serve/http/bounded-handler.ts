import type { JsonValue } from "../../json/value.js";
import { wholeNumber } from "../../stream/numbers.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { readJson } from "./request-body.js";
import { RequestError } from "./request-error.js";
import { admit, preflight } from "./request-origin.js";

/** Limits of `boundedHandler()`. */
export interface RequestBounds {
  /** Maximum length of the body in bytes. Default: 1,000,000. */
  readonly maxBody?: number;
  /** Maximum number of concurrent responses, each counted until its body ends. Default: 100. */
  readonly maxRuns?: number;
  /**
   * Origins allowed besides the same host, such as `https://app.example`. `*` allows all. Default: none. They receive the
   * necessary CORS headers, without credentials.
   */
  readonly origins?: readonly string[];
  /** Receives errors of the handler other than `RequestError`. The client only sees that the request failed. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Wraps a handler of `POST` requests with JSON bodies. Checks the origin, the method, the type and length of the body, and
 * the number of concurrent runs. A refused request receives `{ "code", "message" }` as JSON with the status of the
 * `RequestError`, and so does a `RequestError` thrown by `handle`.
 *
 * @param handle receives the body, which can be any JSON: validate it
 * @throws {RangeError} if a number is out of range
 *
 * @example
 * ```ts
 * import { from, jsonParser, pipe } from "millrace";
 * import { boundedHandler, toEventStream } from "millrace/serve";
 *
 * const handle = boundedHandler(
 *   (body) => toEventStream(pipe(from([JSON.stringify(body)]), jsonParser().patches)),
 *   { maxBody: 10_000, origins: ["https://app.example"] },
 * );
 * const response = await handle(new Request("http://localhost/", { method: "POST", body: "Hi" }));
 * console.log(response.status, await response.text());
 * ```
 *
 * ```text prints
 * 415 {"code":"unsupported_media_type","message":"The body must be JSON (application/json)."}
 * ```
 */
export function boundedHandler(
  handle: (body: JsonValue, request: Request) => Response | PromiseLike<Response>,
  options: RequestBounds = {},
): (request: Request) => Promise<Response> {
  const { maxBody = 1_000_000, maxRuns = 100, origins = [], onError } = options;
  wholeNumber("maxBody of the handler", maxBody, 0);
  wholeNumber("maxRuns of the handler", maxRuns, 1);
  let runs = 0;

  const run = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") throw new RequestError("method_not_allowed", "Use POST.");
    const body = await readJson(request, maxBody);
    if (runs >= maxRuns)
      throw new RequestError("too_many_runs", "Too many runs are active. Try again later.");
    runs++;
    let counted = true;
    const release = (): void => {
      if (counted) runs--;
      counted = false;
    };
    try {
      return untilEnd(await handle(body, request), request.signal, release);
    } catch (error) {
      release();
      throw error;
    }
  };

  return async (request) => {
    let headers: Record<string, string> = {};
    let response: Response;
    try {
      headers = admit(request, origins);
      if (request.method === "OPTIONS" && "access-control-allow-origin" in headers) {
        return preflight(request, headers);
      }
      response = await run(request);
    } catch (error) {
      if (!(error instanceof RequestError)) onError?.(error);
      response = refusal(error instanceof RequestError ? error : failed);
    }
    for (const [name, value] of Object.entries(headers)) {
      if (name === "vary") response.headers.append(name, value);
      else response.headers.set(name, value);
    }
    return response;
  };
}

const failed = new RequestError("failed", "The request failed.");

function refusal({ code, message, status }: RequestError): Response {
  const headers = new Headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  if (code === "method_not_allowed") headers.set("allow", "POST");
  if (code === "too_many_runs") headers.set("retry-after", "1");
  return Response.json({ code, message }, { status, headers });
}

/** Returns the same response and calls `release` when its body ends, is cancelled, or the client has disconnected. */
function untilEnd(response: Response, signal: AbortSignal, release: () => void): Response {
  const { body } = response;
  if (body === null) {
    release();
    return new Response(null, response);
  }
  const reader = body.getReader();
  const leave = (reason: unknown): Promise<void> => {
    release();
    stopListening();
    return reader.cancel(reason);
  };
  const onGone = (): void => {
    leave(signal.reason).catch(() => {}); // the client is gone
  };
  const stopListening = onAbort(signal, onGone);
  if (signal.aborted) onGone();
  const counted = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        release();
        stopListening();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new Response(counted, response);
}
