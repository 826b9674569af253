import { MillraceError } from "../../errors.js";
import type { AssistantMessage } from "../../messages/message.js";
import { excerpt } from "../../text/excerpt.js";

/**
 * The reason of a `ModelError`. Before a request is sent:
 * - `unknown_provider`: the provider prefix of the name is unknown or missing
 * - `no_model`, `no_key`, `no_prompt`: the model name, the API key or the content of the messages is missing
 * - `invalid_request`: the provider does not support something in the request
 *
 * After it is sent:
 * - `http`: the server responded with a status other than 2xx
 * - `network`: there was no response: connection refused, host not found, connection reset
 * - `timeout`: a timeout expired
 * - `provider`: the stream contained an error event
 * - `protocol`: the response is not the expected stream, for example an HTML page
 * - `cut`: the connection ended before the message was complete
 * - `max_buffer`: an event or line exceeds `maxBuffer`
 * - `batch`: a batch of `providerBatch()` was not accepted, or its answers cannot be read; the `cause` says why
 */
export type ModelErrorCode =
  | "unknown_provider"
  | "no_model"
  | "no_key"
  | "no_prompt"
  | "invalid_request"
  | "http"
  | "network"
  | "timeout"
  | "provider"
  | "protocol"
  | "cut"
  | "max_buffer"
  | "batch";

/** The details of a `ModelError`. */
export interface ModelErrorDetails {
  /** The HTTP status. For an error event in the stream, the status that the event states. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later. Retries are already done if no chunk had been yielded. */
  readonly retryable?: boolean | undefined;
  /** The id under which the provider logs the request. */
  readonly requestId?: string | undefined;
  /** The error code of the provider, such as `model_not_found`. */
  readonly providerCode?: string | undefined;
  /** The first 300 characters that the server sent. */
  readonly excerpt?: string | undefined;
  /** For `no_key`: the environment variable that would provide the key. */
  readonly environmentVariable?: string | undefined;
  /** For a schema that the provider cannot express: the JSON Pointer of the part. The root is `""`. */
  readonly schemaPointer?: string | undefined;
  /** The end of the message that is for programmers alone. */
  readonly advice?: string | undefined;
  /** How long the server asks clients to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The message received so far. */
  readonly partial?: AssistantMessage | undefined;
  readonly cause?: unknown;
}

/** A request to a model was invalid or failed. The error never contains a key. */
export class ModelError extends MillraceError<ModelErrorCode> implements ModelErrorDetails {
  override readonly name: string = "ModelError";
  declare readonly status: number | undefined;
  declare readonly retryable: boolean;
  declare readonly requestId: string | undefined;
  declare readonly providerCode: string | undefined;
  declare readonly excerpt: string | undefined;
  declare readonly environmentVariable: string | undefined;
  declare readonly schemaPointer: string | undefined;
  declare readonly retryAfter: number | undefined;
  declare readonly partial: AssistantMessage | undefined;

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(code, message, { ...details, retryable: details.retryable ?? false });
  }
}

export function invalidRequest(problem: string, details?: ModelErrorDetails): ModelError {
  return new ModelError("invalid_request", problem, details);
}

/** @param cause a cycle, or a nesting for which the stack is too small */
export function unwritableRequest(cause: Error): ModelError {
  return invalidRequest(`The request cannot be written as JSON: ${excerpt(cause.message)}.`, { cause });
}
