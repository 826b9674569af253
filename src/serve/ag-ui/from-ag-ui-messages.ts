import { isObject, type JsonObject, type JsonValue, withoutUndefined } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { textBlocks } from "../../messages/blocks/read.js";
import type { InputMessage } from "../run/page-messages.js";
import { eachAt, objectAt, optional, stringAt, wrong } from "../http/request-fields.js";

/**
 * Converts messages of an AG-UI client. `developer` becomes `system`. Reasoning and activities are for the page only
 * and are dropped.
 *
 * @throws {RequestError} `invalid_input` for an invalid message, with its place
 */
export function fromAgUiMessages(messages: JsonValue | undefined, place: string): InputMessage[] {
  return eachAt(messages, place, fromMessage).flat();
}

function fromMessage(value: JsonValue, place: string): InputMessage | [] {
  const message = objectAt(value, place);
  const base = {
    id: stringAt(message["id"], `${place}.id`),
    ...withoutUndefined({ name: optional(message["name"], `${place}.name`, stringAt) }),
  };
  const { role } = message;
  const at = `${place}.content`;
  switch (role) {
    case "system":
    case "developer":
      return { ...base, role: "system", content: textBlocks(stringAt(message["content"], at)) };
    case "user":
      return { ...base, role: "user", content: fromContent(message["content"], at) };
    case "assistant": {
      const calls = optional(message["toolCalls"], `${place}.toolCalls`, (value, callsAt) =>
        eachAt(value, callsAt, fromCall),
      );
      const content = textBlocks(optional(message["content"], at, stringAt) ?? "");
      return { ...base, role, content, ...withoutUndefined({ tool_calls: calls }) };
    }
    case "tool":
      return {
        ...base,
        role,
        content: fromContent(message["content"], at),
        toolCallId: stringAt(message["toolCallId"], `${place}.toolCallId`),
        ...(hasFailed(message) ? { status: "error" } : undefined),
      };
    case "reasoning":
    case "activity":
      return [];
    default:
      return wrong(`${place}.role`, "a role of AG-UI", role);
  }
}

/** AG-UI marks a failed client tool with `error`; `toAgUi()` marks ours in the metadata. */
function hasFailed({ error, metadata }: JsonObject): boolean {
  return typeof error === "string" || (isObject(metadata) && metadata["status"] === "error");
}

function fromCall(value: JsonValue, place: string): CallOf {
  const call = objectAt(value, place);
  const called = objectAt(call["function"], `${place}.function`);
  return {
    id: stringAt(call["id"], `${place}.id`),
    type: "function",
    function: {
      name: stringAt(called["name"], `${place}.function.name`),
      arguments: stringAt(called["arguments"], `${place}.function.arguments`),
    },
  };
}

type CallOf = NonNullable<Extract<InputMessage, { tool_calls?: unknown }>["tool_calls"]>[number];

function fromContent(content: JsonValue | undefined, place: string): ContentBlock[] {
  if (typeof content === "string") return textBlocks(content);
  return eachAt(content, place, fromPart);
}

function fromPart(value: JsonValue, place: string): ContentBlock {
  const part = objectAt(value, place);
  const { type } = part;
  switch (type) {
    case "text":
      return { type, text: stringAt(part["text"], `${place}.text`) };
    case "image":
    case "audio":
    case "video":
      return { type, ...fromSource(part["source"], `${place}.source`) };
    case "document":
      return { type: "file", ...fromSource(part["source"], `${place}.source`) };
    default:
      return wrong(`${place}.type`, "text, image, audio, video or document", type);
  }
}

function fromSource(
  input: JsonValue | undefined,
  place: string,
): { readonly url?: string; readonly data?: string; readonly fileId?: string; readonly mimeType?: string } {
  const source = objectAt(input, place);
  const value = stringAt(source["value"], `${place}.value`);
  const mimeType = optional(source["mimeType"], `${place}.mimeType`, stringAt);
  const { type } = source;
  if (type === "data") return { data: value, mimeType: stringAt(mimeType, `${place}.mimeType`) };
  if (type !== "url" && type !== "file") return wrong(`${place}.type`, "data, url or file", type);
  return { [type === "url" ? "url" : "fileId"]: value, ...withoutUndefined({ mimeType }) };
}
