import type { JsonObject } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { ChatModel } from "../../models/contract/chat-model.js";
import { parserFor } from "./parser-for.js";

/**
 * Asks for one JSON document, until the signal is aborted: through the provider's own structured output where the model has it, else in words.
 */
export function ask(
  model: ChatModel,
  prompt: string,
  schema: JsonObject | undefined,
  signal: AbortSignal,
): AsyncIterable<MessageChunk> {
  if (schema !== undefined && model.profile.structuredOutput) {
    return model.stream(prompt, { signal, responseFormat: { name: nameOf(schema), schema } });
  }
  return model.stream(`${prompt}\n\n${parserFor(schema).instructions}`, { signal });
}

/** Providers take letters, digits, `_` and `-`. */
function nameOf({ title }: JsonObject): string {
  const name = typeof title === "string" ? title.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) : "";
  return name === "" ? "output" : name;
}
