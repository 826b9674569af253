import { MillraceError } from "../../errors.js";

/**
 * - `forbidden_origin` (403): the page that asks is of an origin that may not
 * - `method_not_allowed` (405): another method than `POST`
 * - `too_large` (413): the body is longer than `maxBody`
 * - `unsupported_media_type` (415): the body is not said to be JSON
 * - `invalid_body` (400): it cannot be read, is no UTF-8 or no JSON
 * - `invalid_input` (400): it is JSON, but not what is wanted
 * - `too_many_runs` (429): as many go on as may
 * - `failed` (500): all else, of which nothing is said
 */
export type RequestErrorCode = keyof typeof statuses;

const statuses = {
  forbidden_origin: 403,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  invalid_body: 400,
  invalid_input: 400,
  too_many_runs: 429,
  failed: 500,
} as const;

/** A request that is refused. Its code and its message are shown to the client: they tell nothing of the inside. */
export class RequestError extends MillraceError<RequestErrorCode> {
  override readonly name: string = "RequestError";

  /** Of the answer. */
  get status(): number {
    return statuses[this.code];
  }
}
