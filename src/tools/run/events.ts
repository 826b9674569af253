import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { ToolMessage } from "../../messages/message.js";

/** An event of a tool run: any number of progress events, then one result or error. */
export type ToolEvent = ToolProgressEvent | ToolResultEvent | ToolErrorEvent;

/** The tool reports progress. */
export interface ToolProgressEvent {
  readonly type: "progress";
  readonly value: unknown;
}

/** The tool has returned its result. */
export interface ToolResultEvent {
  readonly type: "result";
  /** The message for the model. Its status is `success`, unless the tool returned a message with another one. */
  readonly message: ToolMessage;
  /** The value that the tool returned. */
  readonly value: unknown;
  /** The changes of the values of the state, if the tool returned some (`ownState()`). */
  readonly statePatch?: readonly AnyPatchOperation[];
}

/** The arguments were invalid or the tool failed, and the model gets a message about it. */
export interface ToolErrorEvent {
  readonly type: "error";
  /** The message for the model. Its status is `error`. */
  readonly message: ToolMessage;
  /** The error that was thrown. */
  readonly error: unknown;
}
