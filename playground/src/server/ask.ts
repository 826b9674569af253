import type { ChatModel, JsonObject, MessageChunk } from "millrace";
import { parserFor } from "./parser-for.js";

/**
 * Asks the model for one JSON document. Uses the provider's structured output if the model supports it, otherwise adds
 * instructions to the prompt. Aborting the signal ends the request.
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

/** The schema's title as a name that providers accept: letters, digits, `_` and `-`, at most 64 characters. */
function nameOf({ title }: JsonObject): string {
  const name = typeof title === "string" ? title.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) : "";
  return name === "" ? "output" : name;
}
