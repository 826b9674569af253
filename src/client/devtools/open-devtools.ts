import { resetPatch } from "../../json/patch/reset-patch.js";
import { systemClock } from "../../stream/time/clock.js";
import { getOrInsert } from "../../tree/made-once.js";
import { textFieldOf } from "../../text/thrown.js";
import { type ClientEvent, fromEventStream } from "../from-event-stream.js";
import { refusalOf } from "../response-events.js";
import type { Devtools, DevtoolsOptions, StreamProbe, StreamProbeOptions } from "./devtools.js";
import { devtoolsPanel } from "./panel.js";
import { type RunReport, runReporter } from "./run-report.js";
import { shortJson, StreamRecord } from "./stream-record.js";

export function openDevtools(options: DevtoolsOptions): Devtools {
  const probes = new Map<string, StreamProbe>();
  const panel = typeof document === "undefined" ? undefined : devtoolsPanel(options);
  return {
    stream: (name, probeOptions = {}) =>
      getOrInsert(probes, name, () => {
        const record = new StreamRecord(name);
        panel?.add(record);
        return probeOf(record, probeOptions, () => panel?.changed());
      }),
    close: () => panel?.close(),
  };
}

export function probeOf(
  record: StreamRecord,
  { report, fetch: send = (url, init) => fetch(url, init) }: StreamProbeOptions,
  changed: () => void,
): StreamProbe {
  /** The URL of the report that is read. */
  let reading: string | URL = "";
  const readReport = async (url: string | URL, { headers }: RequestInit): Promise<void> => {
    reading = url;
    const options = { maxRetries: 2, fetch: send, headers: headers as Record<string, string> };
    try {
      for await (const [operation] of fromEventStream(url, options)) {
        if (reading !== url) return;
        if (operation?.op === "replace") record.report = operation.value as unknown as RunReport;
        changed();
      }
    } catch {
      // The server has no report of this run.
    }
  };
  const show = (event: ClientEvent): void => {
    record.add(event);
    changed();
  };
  const stop = (): void => show({ type: "done", reason: "stopped" });
  const fail = (error: unknown, code = "error"): void => {
    const message = typeof error === "string" ? error : textFieldOf(error, "message") || shortJson(error);
    if (textFieldOf(error, "name") === "AbortError") stop(); // the page has disconnected
    else show({ type: "error", code, message });
  };
  return {
    options: {
      onEvent: show,
      fetch: async (url, init) => {
        const isReconnecting = record.status === "reconnecting";
        if (init.method === "DELETE") {
          if (isReconnecting) stop();
          return send(url, init);
        }
        const response = await send(url, init).catch((error: unknown) => {
          fail(error);
          throw error;
        });
        const { ok, status, body, headers } = response;
        const type = headers.get("content-type");
        if (!ok) {
          const { reason = "", message } = await refusalOf(response.clone(), systemClock);
          fail(message, `HTTP ${status} ${reason}`.trim());
          return response;
        }
        if (body === null || !/event-stream/i.test(String(type))) {
          fail(type, `HTTP ${status}`);
          return response;
        }
        if (report !== undefined && !isReconnecting) void readReport(report(String(url)), init);
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const end = (error: unknown): void => {
          if (record.status !== "streaming") return; // the run has ended, or the connection is opened again
          if (error === undefined) stop();
          else fail(error);
        };
        body.pipeTo(writable).then(() => end("cut"), end);
        return new Response(readable, response);
      },
    },
    rendered: () => {
      record.renders++;
      changed();
    },
    async *events(source) {
      record.begin();
      const reportOn = runReporter();
      try {
        for await (const event of source) {
          record.report = reportOn(event);
          if (event.type === "structured_patch") record.add({ type: "patch", id: "", patch: event.patch });
          if (event.type === "structured_reset") record.add({ type: "patch", id: "", patch: resetPatch });
          if (event.type === "finish") record.add({ type: "done", reason: "complete" });
          changed();
          yield event;
        }
      } catch (error) {
        fail(error);
        throw error;
      } finally {
        if (record.status === "streaming") stop(); // the reader has left
      }
    },
  };
}
