import { fromEventStream } from "../from-event-stream.js";
import type { Devtools, DevtoolsOptions, StreamProbe, StreamProbeOptions } from "./devtools.js";
import { Panel } from "./panel.js";
import { type RunReport, RunReporter } from "./run-report.js";
import { StreamRecord } from "./stream-record.js";

export function openDevtools(options: DevtoolsOptions): Devtools {
  const probes = new Map<string, StreamProbe>();
  const panel = typeof document === "undefined" ? undefined : new Panel(options);
  return {
    stream(name, probeOptions = {}) {
      let probe = probes.get(name);
      if (probe === undefined) {
        const record = new StreamRecord(name);
        panel?.add(record);
        probe = probeOf(record, probeOptions, () => panel?.changed());
        probes.set(name, probe);
      }
      return probe;
    },
    close: () => panel?.close(),
  };
}

function probeOf(
  record: StreamRecord,
  { report, fetch: own }: StreamProbeOptions,
  changed: () => void,
): StreamProbe {
  /** The URL of the report that is read. */
  let reading = "";
  const readReport = async (url: string): Promise<void> => {
    reading = url;
    try {
      for await (const [operation] of fromEventStream(url, { maxRetries: 2 })) {
        if (reading !== url) return;
        if (operation?.op === "add" || operation?.op === "replace")
          record.report = operation.value as unknown as RunReport;
        changed();
      }
    } catch {
      // The server has no report of this run.
    }
  };
  return {
    options: {
      onEvent: (event) => {
        record.add(event);
        changed();
      },
      fetch: async (url, init) => {
        const response = await (own ?? fetch)(url, init);
        if (!response.ok) {
          record.fail(`HTTP ${response.status}`);
          changed();
        }
        const of = report === undefined || init.method === "DELETE" ? "" : String(report(String(url)));
        if (response.ok && of !== "" && of !== reading) void readReport(of);
        return response;
      },
    },
    rendered: () => {
      record.renders++;
      changed();
    },
    async *events(source) {
      record.begin();
      const reporter = new RunReporter();
      try {
        for await (const event of source) {
          if (reporter.add(event)) record.report = reporter.report;
          if (event.type === "structured_patch") record.add({ type: "patch", id: "", patch: event.patch });
          if (event.type === "finish") record.add({ type: "done", reason: "complete" });
          changed();
          yield event;
        }
      } catch (error) {
        record.fail(String(error));
        changed();
        throw error;
      }
    },
  };
}
