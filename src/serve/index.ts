export type { DoneEvent, ErrorEvent, PatchEnd, PatchEntry, PatchEvent } from "../json/patch-entry.js";
export { ServeError, type ServeErrorCode } from "./errors.js";
export type { StreamFormat } from "./formats.js";
export { memoryLog, type MemoryLogOptions } from "./memory-log.js";
export type { LogWriter, StreamLog } from "./stream-log.js";
export { toEventStream, type EventStreamOptions, type ShownError } from "./to-event-stream.js";
export { toNodeResponse, type NodeResponse } from "./to-node-response.js";
