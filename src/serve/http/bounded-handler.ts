import { kindName } from "../../text/kind-name.js";
import type { JsonValue } from "../../json/value.js";
import { milliseconds, wholeNumber } from "../../text/check-number.js";
import type { OptionNames } from "../../text/check-options.js";
import { systemClock } from "../../stream/time/clock.js";
import { refusalResponse, toRequestError } from "./refusal.js";
import { placesFor } from "./places/places.js";
import { readJson } from "./request-body.js";
import { RequestError } from "./request-error.js";
import { checkOrigin, preflight } from "./request-origin.js";
import { type RequestSlot, requestSlots } from "./places/request-slots.js";
import { type ReadBounds, readersWith, readNames, type ReadResponse } from "./places/readers.js";
import { runBehind } from "./text-body.js";

/** Limits of `boundedHandler()`. Durations are in milliseconds. */
export interface RequestBounds<Info = unknown> extends ReadBounds<Info> {
  /** Maximum length of the body in bytes. Default: 1,000,000. */
  readonly maxBody?: number;
  /**
   * Maximum number of concurrent runs. A run that is written to a log counts until it has ended, whatever becomes of its
   * response; any other request until the body of its response ends. If the number is reached, the oldest request with
   * an incomplete body is refused first. Default: 100.
   */
  readonly maxRuns?: number;
  /** Maximum number of concurrent runs of one client, counted in the same way. Used with `clientId`. Default: 10. */
  readonly maxRunsPerClient?: number;
  /**
   * `body`: how long the body of a request may take to arrive. `write`: how long a client may take to accept the next
   * 64 KB of the response; then the run is closed. Default: 30,000 each.
   */
  readonly timeouts?: { readonly body?: number; readonly write?: number };
}

export const boundNames: OptionNames<RequestBounds> = {
  ...readNames,
  maxBody: true,
  maxRuns: true,
  maxRunsPerClient: true,
};

/**
 * Wraps a handler of `POST` requests with JSON bodies. Checks the origin, the method, the type and length of the body,
 * and the number of concurrent runs, and ends requests whose client does not send or read. A refused request receives
 * `{ "code", "message" }` as JSON with the status of the `RequestError`, and so does a `RequestError` thrown by
 * `handle`.
 *
 * @param handle receives the body, which can be any JSON: validate it. Its last argument keeps the place of the request
 *   for a run that outlives its response, see `holdingLog()`; the handler finds those of `toEventStream()`,
 *   `toResponse()` and `keepResponse()` itself
 * @returns a handler whose second argument, if any, is passed on to `handle` and `clientId`
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
export function boundedHandler<Info = unknown>(
  handle: (
    body: JsonValue,
    request: Request,
    info: Info,
    hold: () => () => void,
  ) => Response | PromiseLike<Response>,
  options: RequestBounds<Info> = {},
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const read = readersWith("boundedHandler()", options, boundNames);
  return boundedRuns(({ hold }, ...request) => handle(...request, hold), options, read);
}

/**
 * Wraps a handler of `GET` requests that read a run, such as one with `resumeResponse()`. Checks the origin and the
 * number of responses that are being read, and ends those whose client does not read. A `POST` belongs to
 * `boundedHandler()`.
 *
 * @returns a handler whose second argument, if any, is passed on to `handle` and `clientId`
 * @throws {RangeError} if a number is out of range
 *
 * @example
 * ```ts
 * import { memoryLog, readHandler, toEventStream } from "millrace/serve";
 *
 * const log = memoryLog();
 * const handle = readHandler(() => toEventStream(undefined, { log, id: "run" }), { maxReaders: 1 });
 * const first = await handle(new Request("http://localhost/"));
 * const second = await handle(new Request("http://localhost/"));
 * console.log(first.status, second.status); // 200 429
 * ```
 */
export function readHandler<Info = unknown>(
  handle: (request: Request, info: Info) => Response | PromiseLike<Response>,
  options: ReadBounds<Info> = {},
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const { clientId } = options;
  const read = readersWith("readHandler()", options, readNames);
  return (request, ...[info]) => {
    checkRequest(request);
    return respondTo(request, options, "GET", async () => {
      if (request.method !== "GET") throw new RequestError("method_not_allowed", "Use GET.");
      const client = clientId?.(request, info as Info) ?? undefined;
      return read(client, request.signal, () => handle(request, info as Info));
    });
  };
}

/** `boundedHandler()` for a handler that holds the place of its request for its runs. */
export function boundedRuns<Info>(
  handle: (
    slot: RequestSlot,
    body: JsonValue,
    request: Request,
    info: Info,
  ) => Response | PromiseLike<Response>,
  options: RequestBounds<Info>,
  read: ReadResponse,
  refuse: typeof refusalResponse = refusalResponse,
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const { maxBody = 1_000_000, maxRuns = 100, maxRunsPerClient = 10 } = options;
  const { clientId, clock = systemClock } = options;
  wholeNumber("maxBody of the handler", maxBody, 0);
  wholeNumber("maxRuns of the handler", maxRuns, 1);
  wholeNumber("maxRunsPerClient of the handler", maxRunsPerClient, 1);
  const bodyTimeout = milliseconds("timeouts.body", options.timeouts?.body ?? 30_000);
  const takeSlot = requestSlots(placesFor("runs", maxRuns, maxRunsPerClient));

  const bodyOf = async (request: Request, slot: RequestSlot): Promise<JsonValue> => {
    const late = new RequestError("body_timeout", `The body did not arrive within ${bodyTimeout} ms.`);
    const timer = clock.setTimeout(() => slot.refuse(late), bodyTimeout);
    try {
      const body = await readJson(request, maxBody, slot.waiting);
      slot.complete();
      return body;
    } finally {
      clock.clearTimeout(timer);
    }
  };
  const run = async (request: Request, info: Info): Promise<Response> => {
    if (request.method !== "POST") throw new RequestError("method_not_allowed", "Use POST.");
    const client = clientId?.(request, info) ?? undefined;
    const slot = takeSlot(client);
    const answer = async (): Promise<Response> => {
      const response = await handle(slot, await bodyOf(request, slot), request, info);
      void runBehind(response)?.then(slot.hold());
      if (slot.wasHeld) slot.release();
      return response;
    };
    return read(client, request.signal, answer, slot.release);
  };

  return (request, ...[info]) => {
    checkRequest(request);
    return respondTo(request, options, "POST", () => run(request, info as Info), refuse);
  };
}

/**
 * Fails at once: a promise that rejects would end a server of Express 4, which does not look at it.
 *
 * @throws {TypeError} for the request of another framework
 */
export function checkRequest(request: Request): void {
  if (typeof (request as Partial<Request> | null | undefined)?.headers?.get === "function") return;
  throw new TypeError(
    `The handler takes a web Request, but got ${kindName(request)}. For node:http, Express and Fastify, wrap it in nodeHandler(); in Hono, pass c.req.raw.`,
  );
}

/** Answers a request of an allowed origin, and errors with what the client may see. Call `checkRequest()` before it. */
export async function respondTo<Info>(
  request: Request,
  { origins = [], onError }: ReadBounds<Info>,
  methods: string,
  run: () => Promise<Response>,
  refuse: typeof refusalResponse = refusalResponse,
): Promise<Response> {
  let headers: Record<string, string> = {};
  let response: Response;
  try {
    headers = checkOrigin(request, origins);
    if (request.method === "OPTIONS" && "access-control-allow-origin" in headers) {
      return preflight(request, headers, methods);
    }
    response = await run();
  } catch (error) {
    response = refuse(toRequestError(error, onError), methods);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
}

/** The second argument of a handler. Optional if nothing uses it. */
export type InfoArgument<Info> = unknown extends Info ? [info?: unknown] : [info: Info];
