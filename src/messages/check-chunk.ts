import type { MessageChunk } from "./chunk.js";
import { MessageError } from "./errors.js";
import { describe, isRecord } from "./loose.js";

/** Checks what everything that reads chunks relies on. */
export function checkChunk(chunk: unknown): asserts chunk is MessageChunk {
  if (!isRecord(chunk)) throw invalid("a message chunk", chunk);
  const { content, finishReason, refusal } = chunk;
  if (finishReason !== undefined) checkWord("finishReason", finishReason);
  if (refusal !== undefined) checkWord("refusal", refusal);
  if (!Array.isArray(content)) throw invalid("an array as the content of a message chunk", content);
  for (const block of content as unknown[]) {
    if (!isRecord(block) || typeof block["type"] !== "string") {
      throw invalid("a block with a type in a message chunk", block);
    }
    if (block["type"] === "tool_call" && !isRecord(block["args"]))
      throw invalid("an object as the args of a tool_call block", block["args"]);
    for (const field of textsOf.get(block["type"]) ?? []) {
      const text = block[field];
      if (typeof text !== "string" && (text !== undefined || required.has(field))) {
        throw invalid(`a string as the ${field} of a ${block["type"]} block`, text);
      }
    }
  }
}

function checkWord(name: string, value: unknown): void {
  if (typeof value !== "string") throw invalid(`a string as the ${name} of a message chunk`, value);
}

const textsOf: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["reasoning", ["reasoning"]],
  ["audio", ["data", "transcript"]],
  ["tool_call_chunk", ["id", "name", "args", "raw"]],
  ["server_tool_call_chunk", ["id", "name", "args", "raw"]],
]);

const required: ReadonlySet<string> = new Set(["text", "reasoning"]);

function invalid(expected: string, found: unknown): MessageError {
  return new MessageError("invalid_chunk", `Expected ${expected}, but got ${describe(found)}.`);
}
