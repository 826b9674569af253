import { isObject, type JsonObject, type JsonValue } from "../../../json/value.js";
import type { AnyExtra } from "../../contract/chat-model.js";
import { requestFields } from "../../loose.js";

/** Merges the fields of `extra` into the request (see `GeminiExtra`). Fields that are `undefined` are removed. */
export function withExtra(request: JsonObject, extra: AnyExtra): JsonObject {
  const { tools } = request;
  const joined = join(request, extra);
  return Array.isArray(tools) && Array.isArray(extra["tools"])
    ? { ...joined, tools: [...tools, ...extra["tools"]] }
    : joined;
}

function join(ours: JsonObject, theirs: AnyExtra): JsonObject {
  const joined: Record<string, JsonValue | undefined> = { ...ours, ...theirs };
  for (const key of joinable) {
    const [own, value] = [ours[key], theirs[key]];
    if (isObject(own) && isObject(value)) joined[key] = join(own, value);
  }
  return requestFields(joined);
}

const joinable = ["generationConfig", "thinkingConfig", "toolConfig", "functionCallingConfig"] as const;
