import { MillraceError } from "../../errors.js";

/**
 * - `invalid_request` (400): the request is not valid HTTP, such as a wrong `Host` header
 * - `invalid_body` (400): the body is unreadable, not UTF-8 or not JSON
 * - `invalid_input` (400): the JSON has the wrong shape
 * - `unauthorized` (401): the user is not known
 * - `forbidden_origin` (403): the origin of the page is not allowed
 * - `method_not_allowed` (405): the method is not `POST`
 * - `body_timeout` (408): the body did not arrive within `timeouts.body`
 * - `conflict` (409): the conversation was changed elsewhere, such as in another tab
 * - `busy` (409): an answer is being written
 * - `no_turn` (409): there is no answer to continue, or no call to decide
 * - `too_large` (413): the body is longer than `maxBody`, or the conversation than its store allows
 * - `unsupported_media_type` (415): the content type is not JSON
 * - `too_many_runs` (429): the maximum number of runs is active
 * - `too_many_runs_per_client` (429): the client has the maximum number of active runs
 * - `too_many_readers` (429): the maximum number of responses is being read
 * - `too_many_readers_per_client` (429): the client reads the maximum number of responses
 * - `too_many_threads` (429): the user has the maximum number of conversations
 * - `failed` (500): any other failure, without details
 */
export type RequestErrorCode = keyof typeof statuses;

const statuses = {
  invalid_request: 400,
  invalid_body: 400,
  invalid_input: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  method_not_allowed: 405,
  body_timeout: 408,
  conflict: 409,
  busy: 409,
  no_turn: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_runs: 429,
  too_many_runs_per_client: 429,
  too_many_readers: 429,
  too_many_readers_per_client: 429,
  too_many_threads: 429,
  failed: 500,
} as const;

/** A refused request. Clients see its code and message, which reveal nothing internal. */
export class RequestError extends MillraceError<RequestErrorCode> {
  override readonly name: string = "RequestError";

  /** The HTTP status of the response. */
  get status(): number {
    return statuses[this.code];
  }
}

export function bodyWasRead(): RequestError {
  return new RequestError(
    "invalid_body",
    "Other code has read the body before the handler, such as express.json(). Call the handler first.",
  );
}
