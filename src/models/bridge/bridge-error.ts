import { excerpt, messageOf } from "../../text/excerpt.js";
import { fieldOf, isInstance, textFieldOf } from "../../text/thrown.js";
import { ModelError, type ModelErrorCode, type ModelErrorDetails } from "../contract/errors.js";
import { requestIdHeaders, requestIdOf } from "../http/answer-body.js";
import { mayRetryStatus, readProviderError } from "../http/provider-error.js";
import { retryAfterOf } from "../http/retry-delay.js";
import { asNumber, isRecord, nonEmptyText } from "../loose.js";
import { tableOf, wordSet } from "../../text/words-in.js";
import { parsedJson } from "../../text/json-text.js";

/** The error is not kept as the cause: errors of HTTP clients hold the prompt and the headers of the request. */
export function bridgeError(error: unknown, provider: string, begun: boolean): ModelError {
  const { status, headers, body, message } = factsOf(error);
  const answered = readProviderError(parsedJson(body ?? ""));
  const reason = answered?.message ?? excerpt(message);
  const details: ModelErrorDetails = {
    requestId: requestIdOf({ headers }) ?? nonEmptyText(ownRequestId(error)),
    providerCode: answered?.code ?? nonEmptyText(fieldOf(error, "code")),
    retryAfter: retryAfterOf(headers),
    ...(body !== undefined && { excerpt: excerpt(body) }),
  };
  if (status !== undefined && (status < 200 || status >= 300)) {
    const retryable = mayRetryStatus({ status, headers }, details.providerCode);
    const problem = begun
      ? `${provider} reported an error in the stream, with status ${status}: ${reason}`
      : `${provider} responded with status ${status}: ${reason}`;
    return new ModelError(begun ? "provider" : "http", problem, { ...details, status, retryable });
  }
  const code = codeOf(error);
  if (code !== undefined) return new ModelError(code, `${provider}: ${reason}`, details);
  return connectionError(error, provider, begun || status !== undefined, reason, details);
}

/** @param begun a connection that is lost after the answer has begun is reported with the status 200 */
function connectionError(
  error: unknown,
  provider: string,
  begun: boolean,
  reason: string,
  details: ModelErrorDetails,
): ModelError {
  if (!isConnectionError(error)) {
    const retryable = mayPass(error, begun && details.providerCode === undefined);
    return new ModelError("provider", `${provider} reported an error: ${reason}`, { ...details, retryable });
  }
  const problem = begun
    ? `The connection to ${provider} was lost before the message was complete: ${reason}`
    : `No response from ${provider}: ${reason}`;
  return new ModelError(begun ? "cut" : "network", problem, { ...details, retryable: true });
}

/** @param unnamed whether it came in a stream without a code: Bedrock's package gives only the message then */
function mayPass(error: unknown, unnamed: boolean): boolean {
  const decided = fieldOf(error, "isRetryable");
  if (typeof decided === "boolean") return decided;
  return (
    transientNames.has(textFieldOf(error, "name")) ||
    (unnamed && isRecord(error) && !isInstance(error, Error))
  );
}

/** The AI SDK has `statusCode`, OpenAI's client `status`, that of AWS `$metadata`. */
function factsOf(error: unknown) {
  const aws = fieldOf(fieldOf(error, "$metadata"), "httpStatusCode");
  const status =
    asNumber(fieldOf(error, "statusCode")) ?? asNumber(fieldOf(error, "status")) ?? asNumber(aws);
  const cause = fieldOf(error, "cause");
  const inner = cause === undefined ? undefined : nonEmptyText(messageOf(cause));
  const message = [nonEmptyText(fieldOf(error, "message")) ?? messageOf(error), inner]
    .filter((it) => it !== undefined)
    .join(": ");
  const headers = fieldOf(error, "responseHeaders") ?? fieldOf(error, "headers");
  return { status, headers: headersOf(headers), body: nonEmptyText(fieldOf(error, "responseBody")), message };
}

function ownRequestId(error: unknown): unknown {
  return fieldOf(error, "requestID") ?? fieldOf(fieldOf(error, "$metadata"), "requestId");
}

function headersOf(value: unknown): Headers {
  if (isInstance(value, Headers)) return value;
  const headers = new Headers();
  if (!isRecord(value)) return headers;
  for (const name of [...requestIdHeaders, "retry-after", "retry-after-ms", "x-should-retry", "date"]) {
    const text = nonEmptyText(value[name]);
    if (text !== undefined) headers.set(name, text);
  }
  return headers;
}

/** The errors of the AI SDK carry their name as a symbol, so that copies of the package know each other's. */
const codes = tableOf<ModelErrorCode>({
  "UnsupportedFunctionalityError InvalidPromptError InvalidArgumentError LoadSettingError": "invalid_request",
  LoadAPIKeyError: "no_key",
  NoSuchModelError: "no_model",
  "JSONParseError TypeValidationError InvalidResponseDataError EmptyResponseBodyError NoContentGeneratedError":
    "protocol",
});

function codeOf(error: unknown): ModelErrorCode | undefined {
  return [...codes].find(
    ([name]) => fieldOf(error, Symbol.for(`vercel.ai.error.AI_${String(name)}`)) === true,
  )?.[1];
}

/** `fetch()` reports a lost connection as a TypeError, OpenAI's client as an error with a name of its own. */
function isConnectionError(error: unknown): boolean {
  if (isInstance(error, TypeError)) return /terminated|fetch failed|network/i.test(messageOf(error));
  const isCall = fieldOf(error, Symbol.for("vercel.ai.error.AI_APICallError")) === true;
  return (
    isCall ||
    connectionErrors.test(textFieldOf(error, "name")) ||
    connectionCodes.test(textFieldOf(error, "code"))
  );
}

const connectionErrors = /^(?:APIConnection|APIConnectionTimeout|Timeout|Connection)\w*$/;
const connectionCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|UND_ERR)/;

/** The names of AWS for errors in a stream, which have no status. */
const transientNames = wordSet(
  "ThrottlingException InternalServerException ServiceUnavailableException ModelStreamErrorException",
);
