import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { OptionNames } from "../../text/check-options.js";
import { from } from "../../stream/sources/from.js";
import {
  boundedRuns,
  boundNames,
  checkRequest,
  type InfoArgument,
  type RequestBounds,
  respondTo,
} from "../http/bounded-handler.js";
import { RequestError } from "../http/request-error.js";
import { readersWith } from "../http/places/readers.js";
import { holdingLog } from "../log/holding-log.js";
import type { StreamLog } from "../log/stream-log.js";
import { type EventStreamOptions, toEventStream } from "../patches/to-event-stream.js";
import { report } from "../report.js";

const optionNames = { ...boundNames, log: true } satisfies OptionNames<RunHandlerOptions>;

/**
 * Creates the handler that `useObject()` asks: `POST` starts a run with the JSON of its body, `GET` reads a run from
 * the log, `DELETE` stops it. The id of the run is `run` in the query.
 *
 * A `POST` has the limits of `boundedHandler()`, and requests of other origins are refused. A run keeps its place until it
 * has ended, whatever becomes of its response. Anyone who knows the id of
 * a run can read and stop it. To check who asks, call the handler after your check.
 *
 * @param start answers a `POST`: pass `run` on to `toResponse()` or `toEventStream()`. The input can be any JSON, so
 *   validate it, and throw a `RequestError` to refuse it
 * @returns a handler whose second argument, if any, is passed on to `start` and `clientId`
 * @throws {RangeError} if a number is out of range
 *
 * @example
 * ```ts
 * import { streamObject } from "millrace";
 * import { memoryLog, runHandler } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const schema = z.object({ title: z.string() });
 * const model = scriptedModel(['{"title": "Te', 'a"}']);
 * const handle = runHandler(
 *   (dish, run) => streamObject({ model, schema, prompt: `A recipe for ${String(dish)}.` }).toResponse(run),
 *   { log: memoryLog() },
 * );
 *
 * const url = "http://localhost/recipe?run=1";
 * const headers = { "content-type": "application/json" };
 * await (await handle(new Request(url, { method: "POST", headers, body: '"tea"' }))).text();
 * console.log((await (await handle(new Request(url))).text()).includes('{"title":"Tea"}')); // true
 * console.log(await (await handle(new Request(url, { method: "DELETE" }))).json()); // { stopped: false }
 * ```
 */
export function runHandler<Info = unknown>(
  start: (
    input: JsonValue,
    run: HandledRun,
    request: Request,
    info: Info,
  ) => Response | PromiseLike<Response>,
  options: RunHandlerOptions<Info>,
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const read = readersWith("runHandler()", options, optionNames);
  const { log, clientId, onError } = options;
  /** Ids of runs that were stopped before they began, the oldest first: a `DELETE` may overtake its `POST`. */
  const unwanted = new Set<string>();
  const begin = boundedRuns<Info>(
    (slot, input, request, info) => {
      const id = idOf(request);
      const accept = request.headers.get("accept");
      if (unwanted.delete(id))
        return toEventStream(from<JsonPatch>([]), { signal: AbortSignal.abort(), accept });
      const run: HandledRun = {
        log: holdingLog(log, slot.hold),
        id,
        accept,
        onError: (error) => {
          report(onError, error);
        },
      };
      return start(input, run, request, info);
    },
    options,
    read,
  );
  /** The requests that start runs, until they are answered. A page may be reloaded meanwhile, and read or stop its run. */
  const starting = new Map<string | null, Promise<unknown>>();
  return (request, ...info) => {
    checkRequest(request);
    const { method, headers } = request;
    if (method === "POST") {
      const run = runIn(request);
      const answer = begin(request, ...info);
      const answers = Promise.all([starting.get(run), answer]).finally(() => {
        if (starting.get(run) === answers) starting.delete(run);
      });
      starting.set(run, answers);
      return answer;
    }
    return respondTo(request, options, "GET, POST, DELETE", async () => {
      if (method !== "GET" && method !== "DELETE")
        throw new RequestError("method_not_allowed", "Use GET, POST or DELETE.");
      const id = idOf(request);
      if (method === "DELETE") {
        await starting.get(id);
        unwanted.add(id);
        const stopped = await log.stop(id);
        if (stopped || (await log.status(id)) !== "unknown") unwanted.delete(id);
        else if (unwanted.size > maxUnwanted) unwanted.delete([...unwanted][0] as string);
        return Response.json({ stopped });
      }
      const client = clientId?.(request, info[0] as Info) ?? undefined;
      const lastEventId = headers.get("last-event-id");
      const accept = headers.get("accept");
      // The one that waits for the start of a run has a place already.
      return read(client, request.signal, async () => {
        await starting.get(id);
        return toEventStream(undefined, { log, id, lastEventId, accept });
      });
    });
  };
}

/**
 * A run that starts: options of `toResponse()` and `toEventStream()`. `log` is the log of the handler. All runs that are
 * written to it here keep the place of the request until they have ended.
 */
export type HandledRun = Required<Pick<EventStreamOptions, "log" | "id" | "accept" | "onError">>;

/** The options of `runHandler()`. */
export interface RunHandlerOptions<Info = unknown> extends RequestBounds<Info> {
  /** Keeps the runs. */
  readonly log: StreamLog;
}

/** Maximum number of ids that are kept. */
const maxUnwanted = 1_000;

function runIn({ url }: Request): string | null {
  return new URL(url).searchParams.get("run");
}

/** Clients choose the ids, so their length is limited. */
function idOf(request: Request): string {
  const id = runIn(request) ?? "";
  if (/^[\w.~-]{1,200}$/.test(id)) return id;
  throw new RequestError(
    "invalid_request",
    "The query needs the id of a run: run=, and 1 to 200 letters, digits, -, _, . or ~.",
  );
}
