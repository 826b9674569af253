import type { DoneEvent, ErrorEvent } from "../../json/patch/patch-entry.js";

/** How a run ends that somebody stopped. */
export const stopped: DoneEvent = { type: "done", reason: "stopped" };

/** How a run ends with an error: what a client may be shown of it, and nothing else that is on it. */
export function errorEnd({ code, message }: { readonly code: string; readonly message: string }): ErrorEvent {
  return { type: "error", code, message };
}
