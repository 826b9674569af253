import type { AnyPatchOperation } from "./patch.js";

/** An event of a patch stream. The last one is `done` or `error`; a stream without either was cut. */
export type PatchEntry = PatchEvent | PatchEnd;

/** The value has changed. */
export interface PatchEvent {
  readonly type: "patch";
  /** The position in the stream, for resuming. It starts with a number, counted from 1; the rest is opaque. */
  readonly id: string;
  readonly patch: readonly AnyPatchOperation[];
}

/** The end of a stream. */
export type PatchEnd = DoneEvent | ErrorEvent;

/** The run has ended: `complete` if it finished, `stopped` if it was stopped. */
export interface DoneEvent {
  readonly type: "done";
  readonly reason: "complete" | "stopped";
}

/** The run failed. A retry does not help. */
export interface ErrorEvent {
  readonly type: "error";
  /** For programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}
