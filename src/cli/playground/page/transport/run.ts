import { createPatchStore, type PatchStore } from "../../../../client/index.js";
import type { Trace } from "../../protocol.js";
import { streamOf } from "./api.js";
import { WireLog } from "../streams/wire-log.js";

/** A run as the page sees it: two documents that fill in, and what came over the wire. */
export interface Run {
  /** Absent before the first. */
  readonly id: string | undefined;
  readonly document: PatchStore<unknown>;
  readonly trace: PatchStore<Trace>;
  readonly wire: WireLog;
}

export function newRun(id?: string): Run {
  return { id, document: createPatchStore(), trace: createPatchStore<Trace>(), wire: new WireLog() };
}

/** Begins to watch. */
export function watch({ id, document, trace, wire }: Run): void {
  if (id === undefined) return;
  void document.connect(streamOf(id, "document"), { onEvent: wire.onEvent });
  void trace.connect(streamOf(id, "trace"));
}

/** Ends watching. The run itself goes on. */
export function leave({ document, trace }: Run): void {
  document.stop();
  trace.stop();
}
