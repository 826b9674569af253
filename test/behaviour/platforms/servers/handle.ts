/** The handler that every platform serves, from a web `Request` to a web `Response`. */
import type { JsonPatch } from "millrace";
import { boundedHandler, memoryLog, toEventStream } from "millrace/serve";
import { length, type Report } from "../support/run.js";

const log = memoryLog();
const report: Report = { made: 0, closed: 0 };

const bounded = boundedHandler((body) => (body === "flood" ? toEventStream(flood()) : Response.json(body)), {
  maxRuns: 1,
  timeouts: { body: 500, write: 500 },
});

/**
 * - `POST /runs/<id>` starts a run, `GET` reads it, `DELETE` stops it
 * - `/silent` is a run without a log that hangs after its first patch
 * - `/flood` is a run whose patches are ready, each of 64 KB
 * - `POST /bounded` with `"flood"` starts one too, at most one at a time; other bodies are returned
 * - `/report`
 */
export async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, kind, id = ""] = pathname.split("/");
  if (kind === "silent") return toEventStream(silent());
  if (kind === "flood") return toEventStream(flood());
  if (kind === "bounded") return bounded(request);
  if (kind === "report") return Response.json(report);
  if (request.method === "DELETE") return Response.json({ stopped: await log.stop(id) });
  const patches = request.method === "POST" ? ticking(id === "endless" ? Infinity : length) : undefined;
  return toEventStream(patches, { log, id, lastEventId: request.headers.get("last-event-id") });
}

async function* ticking(count: number): AsyncGenerator<JsonPatch> {
  yield [{ op: "replace", path: "", value: { text: "" } }];
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
    yield [{ op: "append", path: "/text", value: `${i} ☕ ` }];
  }
}

/** Not a generator, because return() of a generator waits for the pending next(). */
function silent(): AsyncIterable<JsonPatch> {
  let asked = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        asked++ === 0
          ? Promise.resolve({ done: false, value: [{ op: "replace", path: "", value: 1 }] })
          : new Promise(() => {}),
      return: () => {
        report.closed++;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}

async function* flood(): AsyncGenerator<JsonPatch> {
  for (;;) {
    report.made++;
    yield [{ op: "replace", path: "", value: "x".repeat(65_536) }];
    // Without back-pressure this loop must not block the process.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
}
