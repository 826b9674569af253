import { mediaKind } from "../../text/bytes/media-kind.js";
import type { ThreadRequest } from "../../agent/views.js";
import type { JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { RequestError } from "../../serve/http/request-error.js";
import { eachAt, objectAt, optional, stringAt, wrong } from "../../serve/http/request-fields.js";

/** A `ThreadRequest` whose text and files are the content of a message. */
export type ThreadInput =
  | (Pick<SentMessage, "type" | "seen"> & { readonly content: readonly ContentBlock[] })
  | Exclude<ThreadRequest, SentMessage>;

type SentMessage = Extract<ThreadRequest, { type: "send" }>;

/** @throws {RequestError} `invalid_input`, with the place */
export function readThreadInput(body: JsonValue): ThreadInput {
  const input = objectAt(body, "The body");
  const type = stringAt(input["type"], "type");
  switch (type) {
    case "send": {
      const text = optional(input["text"], "text", stringAt) ?? "";
      const content = eachAt(input["media"] ?? [], "media", mediaAt);
      const seen = optional(input["seen"], "seen", countAt);
      if (text !== "") content.push({ type: "text", text });
      if (content.length === 0) throw new RequestError("invalid_input", "Write a message, or add a file.");
      return { type, content, ...(seen !== undefined && { seen }) };
    }
    case "approve": {
      const args = optional(input["args"], "args", objectAt);
      return { type, call: stringAt(input["call"], "call"), ...(args !== undefined && { args }) };
    }
    case "reject": {
      const message = optional(input["message"], "message", stringAt);
      return { type, call: stringAt(input["call"], "call"), ...(message !== undefined && { message }) };
    }
    case "answer":
      return { type, call: stringAt(input["call"], "call"), result: input["result"] ?? null };
    case "resume":
      return { type };
    default:
      return wrong("type", "send, approve, reject, answer or resume", type);
  }
}

function countAt(value: JsonValue, place: string): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0
    ? value
    : wrong(place, "a whole number", value);
}

/**
 * Files come inside the request. An address would let a user send the provider anywhere. Parameters of the type, as in
 * `audio/webm;codecs=opus`, are left out: providers compare the type alone.
 */
function mediaAt(value: JsonValue, place: string): ContentBlock {
  const url = stringAt(objectAt(value, place)["url"], `${place}.url`);
  const [, mimeType, data] =
    /^data:([\w.+/-]{1,100})(?:;.{0,200}?)?;base64,([A-Za-z0-9+/]*={0,2})$/s.exec(url) ?? [];
  if (mimeType === undefined || data === undefined)
    return wrong(`${place}.url`, "a data: URL in base64", url);
  return { type: mediaKind(mimeType), mimeType, data };
}
