import type { DeepPartial } from "../../json/deep-partial.js";
import type { ClientError } from "../errors.js";
import type { ObjectProgress } from "./object-progress.js";
import type { PatchStatus } from "../store/patch-state.js";
import type { ReadableStore } from "../store/readable-store.js";
import type { Selectable } from "../store/selected-store.js";

/** The actions on a run. The functions work detached. */
export interface ObjectActions {
  /**
   * Starts a run and ends the one before.
   *
   * @param input sent to the server as JSON; by default `null`
   * @throws {TypeError} if the input cannot be written as JSON
   */
  readonly submit: (input?: unknown) => void;
  /** Ends the run, also on a server that supports it. The object stays as it is. */
  readonly stop: () => void;
  /** Ends the run and forgets it: no object, `idle`. */
  readonly clear: () => void;
}

/** An object that is arriving, with its actions. Immutable: each change creates a new one. */
export interface StreamedObject<T> extends ObjectActions {
  /** The object so far, typed by the schema. Unchanged parts are the same objects as before. */
  readonly object: DeepPartial<T> | undefined;
  readonly status: PatchStatus;
  /** Whether the run is active: `connecting`, `streaming` or `reconnecting`. */
  readonly isBusy: boolean;
  /** Why the run failed: `code`, the server's code as `reason`, `status`, and a `message` for the user of your app. */
  readonly error: ClientError | undefined;
  readonly progress: ObjectProgress;
}

/**
 * Holds an object that is arriving. Created by `createObjectStore()`. The first subscriber resumes the run of before a
 * reload, and the last one that leaves disconnects.
 */
export interface ObjectStore<T> extends ReadableStore<StreamedObject<T>>, Selectable<T>, ObjectActions {}
