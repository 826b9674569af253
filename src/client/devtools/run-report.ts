import type { AgentEvent, StructuredEvent, UsageEvent } from "../../agent/events.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The tokens of a run, over all its model calls. */
export type RunTokens = UsageEvent["total"];

/** The facts about a run that its patches do not tell. Immutable. */
export interface RunReport {
  /** The model that answered. */
  readonly model?: string;
  /** Pieces of output that the model sent. */
  readonly chunks: number;
  readonly repairs: NonNullable<StructuredEvent["repairs"]>;
  readonly coercions: NonNullable<StructuredEvent["coercions"]>;
  /** Invalid objects, for which the run asked the model again. */
  readonly retries: number;
  readonly tokens?: RunTokens;
}

export const emptyReport: RunReport = { chunks: 0, repairs: [], coercions: [], retries: 0 };

/** Follows the events of a run: the returned function gets each, and returns the report after it. */
export function runReporter(): (event: AgentEvent) => RunReport {
  let report = emptyReport;
  let isAfterText = false;
  return (event) => {
    report = reportAfter(event, report, isAfterText);
    isAfterText = event.type === "text";
    return report;
  };
}

function reportAfter(event: AgentEvent, report: RunReport, isAfterText: boolean): RunReport {
  switch (event.type) {
    case "structured_patch":
      // A response that comes as text has both events for one chunk.
      return isAfterText ? report : { ...report, chunks: report.chunks + 1 };
    case "text":
    case "reasoning":
    case "tool_args":
      return { ...report, chunks: report.chunks + 1 };
    case "tool_start":
    case "structured": {
      const { repairs = [], coercions = [] } = event;
      return {
        ...report,
        repairs: [...report.repairs, ...repairs],
        coercions: [...report.coercions, ...coercions],
      };
    }
    case "structured_error":
    case "answer_reset":
      return { ...report, retries: report.retries + 1 };
    case "message":
      return event.message.role === "assistant" && event.message.model !== undefined
        ? { ...report, model: event.message.model }
        : report;
    case "usage":
      return { ...report, tokens: event.total };
    default:
      return report;
  }
}

/**
 * Reports a run on the server: a document with its chunks, repairs, coercions, retries and tokens, as patches for
 * `toEventStream()`. The panel reads it from the URL that `report` of `stream()` returns. In production it reads
 * nothing and yields nothing.
 *
 * @param events the events of an agent, or `.events` of `streamObject()`
 *
 * @example
 * ```ts
 * import { collect, streamObject } from "millrace";
 * import { reportOf } from "millrace/client";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const model = scriptedModel(['{"born": "18', '15",}']);
 * const call = streamObject({ model, schema: z.object({ born: z.int() }), prompt: "Ada." });
 * const patches = await collect(reportOf(call.events));
 * console.log(patches.length, patches.at(-1)?.[0]?.value);
 * ```
 *
 * ```text prints
 * 2 {
 *   chunks: 2,
 *   repairs: [ { kind: 'trailing_comma', offset: 16 } ],
 *   coercions: [ { pointer: '/born', kind: 'number', from: '1815', to: 1815 } ],
 *   retries: 0
 * }
 * ```
 */
export function reportOf(events: AsyncIterable<AgentEvent>): AsyncIterable<JsonPatch> {
  return process.env.NODE_ENV === "production" ? nothing() : reports(events);
}

// A generator, because `stage()` would be a fifth of the entry.
async function* reports(events: AsyncIterable<AgentEvent>): AsyncGenerator<JsonPatch> {
  const reportOn = runReporter();
  let before = emptyReport;
  for await (const event of events) {
    const report = reportOn(event);
    const { chunks } = before;
    const hasChanged = report !== before;
    before = report;
    // Chunks are many: every sixteenth is enough for a panel.
    if (!hasChanged || (report.chunks > chunks && report.chunks % 16 !== 1)) continue;
    yield [{ op: "replace", path: "", value: report as unknown as JsonValue }];
  }
}

async function* nothing(): AsyncGenerator<JsonPatch> {
  // No reports in production.
}
