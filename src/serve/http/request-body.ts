import type { JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { bodyWasRead, RequestError } from "./request-error.js";
import { parseJson } from "../../text/json-text.js";
import { isInstance } from "../../text/thrown.js";

/**
 * Reads the JSON body of a request. The length is counted while reading, because the header may be wrong. Reading stops
 * at the limit.
 *
 * @param maxBody maximum length in bytes
 * @param waiting when it is aborted, reading ends with its reason, a `RequestError`
 * @throws {RequestError} `unsupported_media_type`, `too_large`, `invalid_body`
 */
export async function readJson(request: Request, maxBody: number, waiting: AbortSignal): Promise<JsonValue> {
  // Also blocks forms of other origins, which browsers send without a preflight.
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new RequestError("unsupported_media_type", "The body must be JSON (application/json).");
  }
  if (Number(request.headers.get("content-length")) > maxBody) throw tooLarge(maxBody);
  const text = await readText(request, maxBody, waiting);
  const problem = (): RequestError => new RequestError("invalid_body", "The body is not valid JSON.");
  return parseJson(text, problem) as JsonValue;
}

async function readText({ body, bodyUsed }: Request, maxBody: number, waiting: AbortSignal): Promise<string> {
  if (body === null) return "";
  if (bodyUsed || body.locked) throw bodyWasRead();
  const reader = body.getReader();
  const stopReading = (): void => {
    reader.cancel().catch(noop); // settles the pending read
  };
  const stopListening = onAbort(waiting, stopReading);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      waiting.throwIfAborted();
      if (done) return text + decoder.decode();
      length += value.byteLength;
      if (length > maxBody) throw tooLarge(maxBody);
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    stopReading();
    throw isInstance(error, RequestError)
      ? error
      : new RequestError("invalid_body", "The body is not valid UTF-8.", { cause: error });
  } finally {
    stopListening();
  }
}

function tooLarge(maxBody: number): RequestError {
  return new RequestError("too_large", `The body is longer than ${maxBody} bytes.`);
}
