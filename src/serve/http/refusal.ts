import { report } from "../report.js";
import { threadProblem } from "../shown-error.js";
import { withReason } from "../with-reason.js";
import { RequestError, type RequestErrorCode } from "./request-error.js";
import { isInstance } from "../../text/thrown.js";
import { tableOf } from "../../text/words-in.js";

/**
 * The response to a refused request.
 *
 * @param methods those that are allowed, for the header of a 405
 */
export function refusalResponse(error: RequestError, methods = "POST"): Response {
  const { code, status } = error;
  const headers = new Headers({
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  if (status === 405) headers.set("allow", methods);
  // The rest of the request may never come.
  if (code === "invalid_request" || code === "body_timeout") headers.set("connection", "close");
  if (status === 429) headers.set("retry-after", "1");
  return new Response(refusalText(error), { status, headers });
}

/** The same response with the message alone, for clients that show the body to users. */
export function refusalInWords(error: RequestError, methods?: string): Response {
  const { status, headers } = refusalResponse(error, methods);
  headers.set("content-type", "text/plain; charset=utf-8");
  return new Response(error.message, { status, headers });
}

/** The body of the first one. */
export function refusalText({ code, message }: RequestError): string {
  return JSON.stringify({ code, message });
}

/** Converts an error to what the client sees. `onError` receives errors other than `RequestError`. */
export function toRequestError(
  error: unknown,
  onError: ((error: unknown) => void) | undefined,
): RequestError {
  if (isInstance(error, RequestError)) return error;
  const { code = "", message = "" } = threadProblem(error) ?? {};
  const refused = threadRefusals.get(code);
  if (refused !== undefined) return new RequestError(refused, message);
  report(onError, error);
  return new RequestError("failed", withReason("The request failed.", error));
}

/** The code of a response for each code of a `ThreadError`. */
const threadRefusals = tableOf<RequestErrorCode>({
  "conflict taken_over": "conflict",
  busy: "busy",
  no_turn: "no_turn",
  invalid_id: "invalid_request",
  too_large: "too_large",
  too_many_threads: "too_many_threads",
});
