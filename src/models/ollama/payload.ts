/**
 * The input of `decodeOllama`: a parsed line of `/api/chat`, as `decodeNdjson()` and the official SDK yield it. Only
 * the needed fields are read, and each may be absent or null.
 */
export interface OllamaPayload {
  readonly model?: string | null | undefined;
  readonly message?: object | null | undefined;
  readonly done?: boolean | null | undefined;
  readonly done_reason?: string | null | undefined;
  /** The only field if the server fails. */
  readonly error?: unknown;
}
