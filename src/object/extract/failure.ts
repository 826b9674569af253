import { AgentError } from "../../agent/errors.js";
import { ModelError } from "../../models/contract/errors.js";
import { isOutOfQuota } from "../../models/http/provider-error.js";
import { isRetryable } from "../../models/http/retry-delay.js";
import { isInstance } from "../../text/thrown.js";

/**
 * Why there is no object:
 * - `input`: `prompt` threw an error
 * - `rate_limit`, `server`, `network`, `timeout`, `cut`: the request failed, also after all retries: status 429, status
 *   5xx, no response, a timeout expired, a connection that ended early
 * - `request`: the provider does not accept the request, such as a document that is too long
 * - `invalid`: the model did not write a valid object, also after all retries
 * - `truncated`: the answer reached the token limit
 * - `refused`: the model declined, or the provider withheld the answer
 * - `other`: any other error, such as one of a middleware
 */
export type ExtractionFailure =
  | "input"
  | "rate_limit"
  | "server"
  | "network"
  | "timeout"
  | "cut"
  | "request"
  | "invalid"
  | "truncated"
  | "refused"
  | "other";

export function failureOf(error: unknown): ExtractionFailure {
  if (isRateLimit(error)) return "rate_limit";
  if (isInstance(error, ModelError)) return failureOfRequest(error);
  if (!isInstance(error, AgentError)) return "other";
  switch (error.code) {
    case "truncated":
      return "truncated";
    case "refused":
    case "content_filter":
      return "refused";
    case "invalid_response":
    case "several_responses":
    case "no_response":
    case "max_steps":
      return "invalid";
    case "empty":
      return "cut";
    default:
      return "other";
  }
}

function failureOfRequest({ code, retryable }: ModelError): ExtractionFailure {
  if (code === "network" || code === "timeout" || code === "cut") return code;
  return retryable ? "server" : "request";
}

/** Whether the server refused a request because there were too many. Anthropic reports an overload as 529. */
export function isRateLimit(error: unknown): error is ModelError {
  return isInstance(error, ModelError) && (error.status === 429 || error.status === 529);
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (isInstance(error, AgentError)) return error.code === "empty";
  return isRetryable(error);
}

/**
 * Whether all other inputs would fail in the same way: the key, the name of the model, the schema or the quota is
 * wrong, or the server asks to wait too long.
 */
export function concernsAll(error: unknown): boolean {
  if (!isInstance(error, ModelError)) return false;
  const { code, status, providerCode, retryAfter = 0, schemaPointer } = error;
  if (setupCodes.has(code) || retryAfter > maxRetryAfter || schemaPointer !== undefined) return true;
  if (status === 400 && refusedSchema.test(error.message)) return true;
  return (status !== undefined && setupStatus.has(status)) || isCommonCode(providerCode);
}

const setupCodes: ReadonlySet<string> = new Set(["unknown_provider", "no_model", "no_key", "batch"]);
/** The key, the payment or the name of the model is wrong. */
const setupStatus: ReadonlySet<number> = new Set([401, 402, 404]);
/** The account has no money (status 429), or the schema is not supported (status 400). */
function isCommonCode(code: string | undefined): boolean {
  return isOutOfQuota(code) || code === "invalid_json_schema";
}

/** "Invalid schema for response_format 'object': …" (OpenAI), "tools.0.custom.input_schema: …" (Anthropic). */
const refusedSchema = /invalid schema for|input_schema|response_schema|output_format|output_config/i;
/** Ten minutes. A server that asks for more has a limit per day. */
const maxRetryAfter = 600_000;
