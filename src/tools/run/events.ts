import type { ToolMessage } from "../../messages/message.js";

/** What a run of a tool yields: any number of progress events, then one of the others. */
export type ToolEvent = ToolProgressEvent | ToolResultEvent | ToolErrorEvent;

/** Something that the tool shows while it runs. */
export interface ToolProgressEvent {
  readonly type: "progress";
  readonly value: unknown;
}

/** The tool has done its work. */
export interface ToolResultEvent {
  readonly type: "result";
  /** What the model is told, with the status `success`. */
  readonly message: ToolMessage;
  /** What the run returned. */
  readonly value: unknown;
}

/** The tool was called wrongly or has failed, and the model is told about it. */
export interface ToolErrorEvent {
  readonly type: "error";
  /** What the model is told, with the status `error`. */
  readonly message: ToolMessage;
  /** What was thrown, for the program. */
  readonly error: unknown;
}
