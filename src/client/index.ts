export { applyPatch } from "../json/patch/apply-patch.js";
export type { AnyPatchOperation } from "../json/patch/patch.js";
export { JsonPatchError, type JsonPatchErrorCode } from "../json/patch/patch-error.js";
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
