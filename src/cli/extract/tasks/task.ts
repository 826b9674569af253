import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { Usage } from "../../../messages/usage.js";
import type { ExtractionChanges } from "../../../object/extract/extraction.js";
import type { ExtractionFailure } from "../../../object/extract/failure.js";

/** The options that all tasks of a run share. */
export interface TaskCall {
  /** `openai:gpt-6.1-terra` */
  readonly model: string;
  readonly baseURL: string | undefined;
  readonly schema: JsonObject;
  readonly system: string | undefined;
  /** The limits of all workers together. */
  readonly requestsPerMinute: number | undefined;
  readonly tokensPerMinute: number | undefined;
}

/** How a task ended. It is a value also if it failed, because DBOS keeps only parts of an error. */
export type TaskOutcome =
  | (TaskFacts & ExtractionChanges & { readonly object: JsonValue })
  | (TaskFacts & { readonly failure: ExtractionFailure; readonly message: string })
  /** All other tasks would fail in the same way: the key or the name of the model is wrong. */
  | { readonly fatal: string };

/** The cost of a task. */
export interface TaskFacts {
  readonly attempts: number;
  readonly usage: Usage | undefined;
  /** Requests that were sent again, by reason. */
  readonly retries: Readonly<Record<string, number>>;
}
