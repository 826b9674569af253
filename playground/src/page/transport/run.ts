import { type PatchStore, createPatchStore } from "millrace/client";
import type { Format, Trace } from "../../protocol.js";
import { streamOf } from "./api.js";
import { RenderCount } from "./render-count.js";
import { WireLog } from "./wire-log.js";

/** A run on the page: the document, the trace, and the log of events. */
export interface PageRun {
  /** `undefined` before the first run. */
  readonly id: string | undefined;
  readonly format: Format;
  readonly document: PatchStore<unknown>;
  readonly trace: PatchStore<Trace>;
  readonly wire: WireLog;
  /** The fields rendered by the two cards. */
  readonly renders: { readonly patches: RenderCount; readonly again: RenderCount };
}

export function newRun(format: Format = "json", id?: string): PageRun {
  return {
    id,
    format,
    document: createPatchStore(),
    trace: createPatchStore<Trace>(),
    wire: new WireLog(),
    renders: { patches: new RenderCount(), again: new RenderCount() },
  };
}

/** Connects to the run's streams. */
export function connect({ id, document, trace, wire }: PageRun): void {
  if (id === undefined) return;
  void document.connect(streamOf(id, "document"), { onEvent: wire.onEvent });
  void trace.connect(streamOf(id, "trace"));
}

/** Disconnects. The run continues on the server. */
export function disconnect({ document, trace }: PageRun): void {
  document.stop();
  trace.stop();
}
