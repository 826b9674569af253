import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonRepair } from "../../json/repair.js";
import type { Usage } from "../../messages/usage.js";
import type { ExtractionFailure } from "./failure.js";

/** The result for one input of `extractAll()`: an object, or the reason for its absence. */
export type Extraction<T, In = unknown> = Extracted<T, In> | NotExtracted<In>;

/** The facts of an extraction, however it ended. */
export interface ExtractionFacts<In> {
  readonly input: In;
  /** The position of the input in the source, from 0. */
  readonly index: number;
  /** The number of requests to the model, with all retries. */
  readonly attempts: number;
  /** The tokens of all answers, if the model reports them. */
  readonly usage: Usage | undefined;
}

/** An object that the model wrote. */
export interface Extracted<T, In = unknown> extends ExtractionFacts<In> {
  readonly ok: true;
  /** The object, as its schema returns it. */
  readonly object: T;
  /** The mistakes in the JSON of the last answer that were repaired; absent if its JSON was valid. At most 100. */
  readonly repairs?: readonly JsonRepair[];
  /** The values that were read as the schema expects them, such as `"7"` as 7; absent if all were as written. */
  readonly coercions?: readonly JsonCoercion[];
}

export type ExtractionChanges = Pick<Extracted<unknown>, "repairs" | "coercions">;

/** An input without an object. */
export interface NotExtracted<In = unknown> extends ExtractionFacts<In> {
  readonly ok: false;
  readonly failure: ExtractionFailure;
  /** The last error, such as a `ModelError` or an `AgentError`. */
  readonly error: unknown;
}

/** A request that failed and is sent again. */
export interface ExtractionRetry<In = unknown> {
  readonly input: In;
  readonly index: number;
  readonly failure: ExtractionFailure;
  readonly error: unknown;
}
