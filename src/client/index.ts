export { ClientError, type ClientErrorCode } from "./errors.js";
export {
  fromEventStream,
  type ClientEvent,
  type FromEventStreamOptions,
  type OpenEvent,
  type RetryEvent,
  type StopFailedEvent,
} from "./from-event-stream.js";
export type { IdPlace } from "./object/stored-id.js";
export type { ObjectProgress } from "./object/object-progress.js";
export { createObjectStore } from "./object/object-store.js";
export type { ObjectStoreOptions, SchemaType, TypedSchema } from "./object/object-store-options.js";
export {
  createPatchStore,
  type ConnectOptions,
  type PatchStore,
  type PatchStoreOptions,
} from "./store/patch-store.js";
export type { PatchState, PatchStatus } from "./store/patch-state.js";
export type { ReadableStore } from "./store/readable-store.js";
export type { Selectable, SelectedState, SelectedStore } from "./store/selected-store.js";
export type { ObjectActions, ObjectStore, StreamedObject } from "./object/streamed-object.js";
export { createThreadClient } from "./thread/thread-client.js";
export type {
  StreamedThread,
  ThreadActions,
  ThreadClient,
  ThreadClientOptions,
} from "./thread/streamed-thread.js";

// devtools: a panel for the page that you develop, and the report of a run that feeds it
export { createDevtools } from "./devtools/create-devtools.js";
export type { Devtools, DevtoolsOptions, StreamProbe, StreamProbeOptions } from "./devtools/devtools.js";
export { reportOf, type RunReport, type RunTokens } from "./devtools/run-report.js";
