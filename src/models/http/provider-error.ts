import { excerpt } from "../../text/excerpt.js";
import { ModelError, type ModelErrorDetails } from "../contract/errors.js";
import { asList, asRecord, errorIn, isRecord, type Loose, nonEmptyText } from "../loose.js";
import { isInstance } from "../../text/thrown.js";
import { wordSet } from "../../text/words-in.js";

export interface ProviderError {
  readonly message: string;
  readonly code: string | undefined;
  /** A status code inside the error object, which some gateways use. */
  readonly status: number | undefined;
  /** Its code, type and status as words. Each may be the one that says whether a retry may succeed. */
  readonly names: readonly string[];
  /** The delay in milliseconds after which the provider wants to be asked again. */
  readonly retryAfter: number | undefined;
}

/**
 * Reads an error in any of the known formats: `{error: {message, type, code}}` (OpenAI, Anthropic),
 * `{error: {message, status, code}}` (Gemini, also inside an array), `{error: "…"}` (Ollama), `{object: "error",
 * message}` (vLLM), `{message, code}` (DashScope), `{detail}` (FastAPI). Returns `undefined` for anything else.
 */
export function readProviderError(answer: unknown): ProviderError | undefined {
  const payload: unknown = Array.isArray(answer) ? answer[0] : answer;
  if (!isRecord(payload)) return undefined;
  const error = errorIn(payload) ?? (payload["object"] === "error" ? payload : undefined);
  if (error !== undefined) return fromError(error);
  const { message, detail } = payload;
  if ("choices" in payload) return undefined;
  if (typeof message === "string") return fromError(payload);
  const text = message ?? detail;
  return text === undefined ? undefined : fromError(text);
}

/** The error for an error event in a stream. @param details override those of the event */
export function streamError(error: ProviderError, details?: ModelErrorDetails): ModelError {
  const { message, code, status, retryAfter } = error;
  return new ModelError("provider", `The provider reported an error in the stream: ${message}`, {
    ...{ providerCode: code, status, retryable: isTransientError(error), retryAfter },
    ...details,
  });
}

export function throwErrorIn(payload: Loose): void {
  const error = readProviderError(payload);
  if (error !== undefined) throw streamError(error);
}

function fromError(error: unknown): ProviderError {
  if (!isRecord(error))
    return { message: excerpt(error), code: undefined, status: undefined, names: [], retryAfter: undefined };
  const { message, code, type, status, details } = error;
  const names = [code, type, status].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
  const name = names.find((it) => isOutOfQuota(it)) ?? names[0] ?? code;
  return {
    message: excerpt(nonEmptyText(message) ?? error),
    code: typeof name === "string" || typeof name === "number" ? excerpt(String(name)) : undefined,
    status: [code, status, error["status_code"]].map(statusIn).find((it) => it !== undefined),
    names,
    retryAfter: asList(details)
      .map((detail) => secondsIn(asRecord(detail)["retryDelay"]))
      .find((it) => it !== undefined),
  };
}

/** The delay in a `google.rpc.RetryInfo`, which Gemini sends in place of a header: `"2s"`, `"0.5s"`. */
function secondsIn(delay: unknown): number | undefined {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(nonEmptyText(delay) ?? "") ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

/** Some gateways write the status as a text: `"502"`. */
function statusIn(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

/** Whether the account has no money: it is reported as a status 429, but waiting does not help. */
export function isOutOfQuota(code: unknown): boolean {
  return typeof code === "string" && quotaCodes.has(code.toLowerCase());
}

const quotaCodes = wordSet(
  "insufficient_quota billing_hard_limit_reached billing_not_active exceeded_current_quota_error",
);

/** The model wrote a call or JSON that Groq could not read, which it answers with status 400. */
const slips: ReadonlySet<unknown> = wordSet("tool_use_failed json_validate_failed");

/** OpenAI and Anthropic decide by a header whether a request may succeed later. */
export function mayRetryStatus(
  { status, headers }: Pick<Response, "status" | "headers">,
  code: string | undefined,
): boolean {
  const decided = headers.get("x-should-retry")?.trim().toLowerCase();
  if (decided === "true" || decided === "false") return decided === "true";
  return !isOutOfQuota(code) && (slips.has(code) || status === 408 || status === 429 || status >= 500);
}

/** Whether a server answers 503 while it loads: "Loading model" (llama-server), "Model m is currently loading". */
export function isLoading(error: unknown): boolean {
  return (
    isInstance(error, ModelError) &&
    error.status === 503 &&
    /loading model|\bmodel\b.* is (?:currently )?loading/i.test(error.message)
  );
}

/** Whether a retry may succeed: the provider is overloaded or has an internal error, or the model made a slip. */
export function isTransientError({ code, status, names }: ProviderError): boolean {
  if (isOutOfQuota(code)) return false;
  if (slips.has(code)) return true;
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  return names.some((name) => transientName.test(name));
}

/**
 * `server_error` (OpenAI), `api_error`, `overloaded_error` (Anthropic), `UNAVAILABLE`, `RESOURCE_EXHAUSTED` (Gemini),
 * `InternalServerError` (vLLM), `engine_overloaded_error` (Moonshot), `upstream_error` (gateways).
 */
const transientName =
  /^(?:api|upstream|provider|internal|network|connection)_?error$|server_?error|internal$|overload|unavailable|rate_?limit|resource_?exhausted|time_?(?:d_?)?out|deadline_?exceeded/i;
