/**
 * What `decodeOllama` reads: a parsed line of `/api/chat`, as `decodeNdjson()` and the official SDK's stream yield it. Only
 * what is needed is looked at, and each field may be absent or null.
 */
export interface OllamaPayload {
  readonly model?: string | null | undefined;
  readonly message?: object | null | undefined;
  readonly done?: boolean | null | undefined;
  readonly done_reason?: string | null | undefined;
  /** In place of all the others, when the server fails. */
  readonly error?: unknown;
}
