import { excerpt } from "../../../text/excerpt.js";
import { errorIn, type Loose } from "../../loose.js";
import { readProviderError, streamError } from "../../http/provider-error.js";
import { unexpectedError } from "../../wire/errors.js";

export function checkEvent(payload: Loose): void {
  const { type, request_id: id } = payload;
  const isError = type === "error" || errorIn(payload) !== undefined;
  if (typeof type === "string" && !isError) return;
  const error = readProviderError(payload);
  if (error === undefined) throw unexpectedError("an event of Anthropic's Messages", payload);
  const status = error.status ?? statuses.get(error.code);
  throw streamError({ ...error, status }, { requestId: typeof id === "string" ? excerpt(id) : undefined });
}

/** The HTTP status of the same error before the stream starts ("Errors" in Anthropic's API documentation). */
const statuses: ReadonlyMap<string | undefined, number> = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);
