import { type AgentEvent, from } from "millrace";
import { createObjectStore, createPatchStore, type ObjectStore } from "millrace/client";
import type { StreamProbe, StreamProbeOptions } from "millrace/client";
import { expect, test } from "vitest";
import { probeOf } from "#src/client/devtools/open-devtools.js";
import { emptyReport } from "#src/client/devtools/run-report.js";
import { StreamRecord } from "#src/client/devtools/stream-record.js";
import { runServer } from "../run-server.js";
import { bytesOf, responseOf, turn } from "../support.js";

type Fetch = NonNullable<StreamProbeOptions["fetch"]>;

function probed(
  fetch: Fetch,
  options: StreamProbeOptions = {},
): { readonly record: StreamRecord; readonly probe: StreamProbe } {
  const record = new StreamRecord("a");
  return { record, probe: probeOf(record, { ...options, fetch }, () => {}) };
}

const storeOf = (probe: StreamProbe, remember: "session" | false = "session"): ObjectStore<unknown> =>
  createObjectStore({
    api: "/recipe",
    remember,
    schedule: (show: () => void) => setTimeout(show),
    ...probe.options,
  });

const became = (record: StreamRecord, status: StreamRecord["status"]): Promise<void> =>
  expect.poll(() => record.status, { interval: 1 }).toBe(status);

test.each(["session", false] as const)(
  "a run that the page stops is stopped (remember: %s)",
  async (place) => {
    const server = runServer();
    const { record, probe } = probed(server.fetch);
    const store = storeOf(probe, place);
    store.subscribe(() => {});
    store.submit();
    server.write('{"title": "Soup');
    await became(record, "streaming");
    store.stop();
    await became(record, "stopped");
  },
);

test.each<[string, readonly Uint8Array[]]>([
  ["connecting", []],
  ["streaming", [new TextEncoder().encode(":\n\n")]],
])("a stream that the page stops while it is %s is stopped", async (_, bytes) => {
  const { record, probe } = probed((_url, { signal }) => {
    return new Promise((resolve, reject) => {
      const fail = (abort: (reason: unknown) => void): void =>
        signal?.addEventListener("abort", () => abort(signal.reason));
      fail(reject);
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        fail((reason) => controller.error(reason));
        for (const piece of bytes) controller.enqueue(piece);
      };
      const headers = { "content-type": "text/event-stream" };
      if (bytes.length > 0) resolve(new Response(new ReadableStream({ start }), { headers }));
    });
  });
  const store = createPatchStore();
  void store.connect("/runs/1", probe.options);
  if (bytes.length > 0) await became(record, "streaming");
  store.stop();
  await became(record, "stopped");
  expect(record.error).toBe("");
});

test("a server that does not answer is an error", async () => {
  const { record, probe } = probed((_url, { signal }) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
    });
  });
  await createPatchStore().connect("/1", { maxRetries: 0, timeouts: { idle: 1 }, ...probe.options });
  expect([record.status, record.error]).toEqual(["error", expect.stringMatching(/timeout/)]);
});

test("a run that replaces another is streaming, also if the server cannot stop that one", async () => {
  const server = runServer();
  let refuse = (): void => {};
  const refused = new Promise<Response>((resolve) => {
    refuse = () => resolve(new Response(null, { status: 405 }));
  });
  const { record, probe } = probed((url, init) =>
    init.method === "DELETE" ? refused : server.fetch(url, init),
  );
  const store = storeOf(probe);
  store.subscribe(() => {});
  store.submit();
  await became(record, "streaming");
  store.submit();
  server.write('{"title": "Tea', 2);
  await expect.poll(() => record.patches, { interval: 1 }).toBe(1);
  refuse();
  await turn();
  expect([record.status, record.error]).toEqual(["streaming", ""]);
});

test.each<[string, () => Promise<Response>, RegExp]>([
  ["a network error", () => Promise.reject(new TypeError("Failed to fetch")), /Failed to fetch/],
  ["a refused request", async () => new Response(null, { status: 401 }), /401/],
  [
    "a refusal with a reason",
    async () => Response.json({ code: "busy", message: "Wait." }, { status: 409 }),
    /^HTTP 409 busy: Wait\.$/,
  ],
  [
    "a refusal by an operator",
    async () => Response.json({ code: "stopped", message: "Aborted by the operator." }, { status: 409 }),
    /Aborted by/,
  ],
  ["a page", async () => new Response("<html>", { headers: { "content-type": "text/html" } }), /text\/html/],
  ["a lost connection", async () => responseOf([(await bytesOf()).slice(0, 99)], true), /./],
  ["a response without an end", async () => responseOf([(await bytesOf()).slice(0, 99)]), /./],
])("%s is an error", async (_, fetch, error) => {
  const { record, probe } = probed(fetch);
  await createPatchStore().connect("/runs/1", { maxRetries: 0, ...probe.options });
  expect([record.status, record.error]).toEqual(["error", expect.stringMatching(error)]);
});

test("a connection that is restored is no error", async () => {
  const bytes = await bytesOf();
  const answers = [
    responseOf([bytes.slice(0, 99)]),
    new Response(null, { status: 503 }),
    responseOf([bytes]),
  ];
  const { record, probe } = probed(async () => answers.shift() as Response);
  const clock = { now: () => 0, setTimeout: (wake: () => void) => setTimeout(wake), clearTimeout: () => {} };
  await createPatchStore().connect("/1", { clock, timeouts: { idle: Infinity }, ...probe.options });
  expect([record.status, record.error, record.reconnects]).toEqual(["done", "", 2]);
});

test("the report is read with the headers of the run, and again when the run is read again", async () => {
  const report = { ...emptyReport, chunks: 7 };
  const { record, probe } = probed(
    async (url, { headers }) => {
      if (new Headers(headers).get("authorization") !== "x") return new Response(null, { status: 401 });
      const patch = [{ op: "replace", path: "", value: report }] as const;
      return responseOf([await bytesOf(String(url).endsWith("/report") ? [patch as never] : undefined)]);
    },
    { report: (url) => `${url}/report` },
  );
  for (let times = 0; times < 2; times++) {
    await createPatchStore().connect("/runs/1", { headers: { authorization: "x" }, ...probe.options });
    await expect.poll(() => record.report, { interval: 1 }).toEqual(report);
    await turn();
  }
});

test("events that are no longer read are stopped", async () => {
  const { record, probe } = probed(() => Promise.reject(new Error("not asked")));
  for await (const _ of probe.events(from<AgentEvent>([{ type: "text", delta: "a" }]))) break;
  expect([record.status, record.report.chunks]).toEqual(["stopped", 1]);
});
