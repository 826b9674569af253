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
} from "./from-event-stream.js";
export type { IdPlace } from "./object/kept-id.js";
export type { ObjectProgress } from "./object/object-progress.js";
export { createObjectStore } from "./object/object-store.js";
export type { ObjectStoreOptions, SchemaType, TypedSchema } from "./object/object-store-options.js";
export {
  createPatchStore,
  type ConnectOptions,
  type PatchState,
  type PatchStatus,
  type PatchStore,
  type PatchStoreOptions,
} from "./patch-store.js";
export type { ObjectActions, ObjectStore, ReadableStore, StreamedObject } from "./object/streamed-object.js";
