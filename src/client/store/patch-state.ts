import type { DeepPartial } from "../../json/deep-partial.js";

/**
 * - `idle`: not connected yet
 * - `connecting`, `streaming`, `reconnecting`: the value may still change
 * - `done`: the value is complete
 * - `stopped`: the client or the server stopped the stream; the value is partial
 * - `error`: the stream failed with `error`; the value is the one shown last
 */
export type PatchStatus = "idle" | "connecting" | "streaming" | "reconnecting" | "done" | "stopped" | "error";

/** The visible state. Immutable: each change creates a new object. */
export interface PatchState<T> {
  readonly value: DeepPartial<T> | undefined;
  readonly status: PatchStatus;
  /** A `JsonPatchError`, a `ClientError`, or any other error that ended the stream. */
  readonly error: unknown;
}

export const initialState: PatchState<never> = { value: undefined, status: "idle", error: undefined };
