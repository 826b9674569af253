import type { JsonObject, JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { arrayAt, objectAt, optional, stringAt, wrong } from "../../serve/http/request-fields.js";

/** What a page asks of a conversation: the body of a `POST`. */
export type ThreadInput =
  | {
      readonly type: "send";
      readonly content: readonly ContentBlock[];
      /** The number of messages that the page shows. */
      readonly seen?: number;
    }
  | { readonly type: "approve"; readonly call: string; readonly args?: JsonObject }
  | { readonly type: "reject"; readonly call: string; readonly message?: string }
  | { readonly type: "answer"; readonly call: string; readonly result: JsonValue }
  | { readonly type: "resume" };

/** @throws {RequestError} `invalid_input`, with the place */
export function readThreadInput(body: JsonValue): ThreadInput {
  const input = objectAt(body, "The body");
  const type = stringAt(input["type"], "type");
  switch (type) {
    case "send": {
      const text = optional(input["text"], "text", stringAt) ?? "";
      const media = optional(input["media"], "media", arrayAt) ?? [];
      const seen = optional(input["seen"], "seen", countAt);
      const content: ContentBlock[] = media.map((it, index) => mediaAt(it, `media[${index}]`));
      if (text !== "") content.push({ type: "text", text });
      if (content.length === 0) wrong("text", "a text that is not empty", input["text"]);
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

/** Files come inside the request. An address would let a user send the provider anywhere. */
function mediaAt(value: JsonValue, place: string): ContentBlock {
  const url = stringAt(objectAt(value, place)["url"], `${place}.url`);
  const [, mimeType, data] = /^data:([\w.+/-]{1,100});base64,([A-Za-z0-9+/]*={0,2})$/.exec(url) ?? [];
  if (mimeType === undefined || data === undefined)
    return wrong(`${place}.url`, "a data: URL in base64", url);
  const [kind] = mimeType.split("/", 1);
  return { type: kind === "image" || kind === "audio" || kind === "video" ? kind : "file", mimeType, data };
}
