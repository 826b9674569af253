/** What every platform serves: one function from a web `Request` to a web `Response`. */
import type { JsonPatch } from "millrace";
import { memoryLog, toEventStream } from "millrace/serve";
import { length, type Report } from "../support/run.js";

const log = memoryLog();
const report: Report = { made: 0, closed: 0 };

/**
 * - `POST /runs/<id>` begins a run, `GET` reads it, `DELETE` stops it
 * - `/silent` shows a run without a log that says nothing after its first patch
 * - `/flood` is one that has its patches ready, each of them 64 KB
 * - `/report`
 */
export async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, kind, id = ""] = pathname.split("/");
  if (kind === "silent") return toEventStream(silent());
  if (kind === "flood") return toEventStream(flood());
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

/** Not a generator: that is closed only when it has something to say. */
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
    // Where nothing slows it down, it must not keep the process from saying so.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
}
