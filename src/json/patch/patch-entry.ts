import type { JsonPatch } from "./patch.js";

/** One event of a stream of patches on the wire. The last is `done` or `error`; a stream without one was cut. */
export type PatchEntry = PatchEvent | PatchEnd;

/** The value has changed. */
export interface PatchEvent {
  readonly type: "patch";
  /** Its place in the stream, to go on from. Numbered from 1; all else in it is the server's own. */
  readonly id: string;
  readonly patch: JsonPatch;
}

/** How a stream ends. */
export type PatchEnd = DoneEvent | ErrorEvent;

/** The run has come to its end: `complete` by itself, `stopped` because somebody stopped it. */
export interface DoneEvent {
  readonly type: "done";
  readonly reason: "complete" | "stopped";
}

/** There is no more, and it is no use to ask again. */
export interface ErrorEvent {
  readonly type: "error";
  /** For programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}
