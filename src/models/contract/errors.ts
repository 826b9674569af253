import { MillraceError } from "../../errors.js";
import type { AssistantMessage } from "../../messages/message.js";

/**
 * Before a request is sent:
 * - `unknown_provider`: the name asks for a provider that is not known, or for none
 * - `no_model`, `no_key`, `no_prompt`: there is no model name, no API key, no message with any content
 * - `invalid_request`: the provider has no way to say what was asked for
 *
 * While it is under way:
 * - `http`: the server answered with a status that is not 2xx
 * - `network`: no answer came: no connection, no such host, connection reset
 * - `timeout`: one of the timeouts was reached
 * - `provider`: an error event inside the stream
 * - `protocol`: what came is not the stream that was asked for, such as a page of HTML
 * - `cut`: the connection ended before the message did
 * - `max_buffer`: a single event or line is longer than the bound
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
  | "max_buffer";

/** What a `ModelError` knows. */
export interface ModelErrorDetails {
  /** Of the HTTP answer; of an error inside the stream, the status that it stands for. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later. It was retried already, if nothing of the answer had been handed out. */
  readonly retryable?: boolean | undefined;
  /** How the provider finds the request in its logs. */
  readonly requestId?: string | undefined;
  /** The provider's own code, such as `model_not_found`. */
  readonly providerCode?: string | undefined;
  /** What the server sent: the first characters of it. */
  readonly excerpt?: string | undefined;
  /** For how long the server asks to be left alone, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The message as far as it had arrived. */
  readonly partial?: AssistantMessage | undefined;
  readonly cause?: unknown;
}

/** A model that could not be asked, or did not answer as it should. Its message never holds a key. */
export class ModelError extends MillraceError<ModelErrorCode> implements ModelErrorDetails {
  override readonly name: string = "ModelError";
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly providerCode: string | undefined;
  readonly excerpt: string | undefined;
  readonly retryAfter: number | undefined;
  readonly partial: AssistantMessage | undefined;

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.requestId = details.requestId;
    this.providerCode = details.providerCode;
    this.excerpt = details.excerpt;
    this.retryAfter = details.retryAfter;
    this.partial = details.partial;
  }
}

/** As much of a foreign text as an error may carry. */
export function shortExcerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
}

const maxExcerpt = 300;
