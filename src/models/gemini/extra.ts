import type { JsonObject, JsonValue } from "../../json/value.js";
import type { AnyExtra } from "../chat-model.js";

/** The request with the fields of `extra` (see `GeminiExtra`). What is `undefined` there is taken out. */
export function withExtra(request: JsonObject, extra: AnyExtra): JsonObject {
  const { tools } = request;
  const joined = join(request, extra);
  return Array.isArray(tools) && Array.isArray(extra["tools"])
    ? { ...joined, tools: [...tools, ...extra["tools"]] }
    : joined;
}

function join(ours: JsonObject, theirs: AnyExtra): JsonObject {
  const joined = { ...ours };
  for (const [key, value] of Object.entries(theirs)) {
    const own = ours[key];
    if (value === undefined) delete joined[key];
    else joined[key] = joinable.has(key) && isObject(own) && isObject(value) ? join(own, value) : value;
  }
  return joined;
}

const joinable: ReadonlySet<string> = new Set([
  "generationConfig",
  "thinkingConfig",
  "toolConfig",
  "functionCallingConfig",
]);

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
