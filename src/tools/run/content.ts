import type { JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { isRecord } from "../../messages/loose.js";
import { toMessages, type OpenAIStyleMessage } from "../../messages/to-messages.js";
import { ToolError } from "../errors.js";

/**
 * What a model is told of a value: a string as it is, an array of content blocks as it is (OpenAI-style parts become
 * blocks), nothing for `undefined`, and all else as JSON.
 *
 * @param subject the value, in words that begin a sentence
 * @throws {ToolError} `result` if the value cannot be written as JSON
 */
export function contentOf(value: unknown, subject: string, tool: string): readonly ContentBlock[] {
  if (value === undefined || value === "") return [];
  return (
    blocksIn(value) ?? [
      { type: "text", text: typeof value === "string" ? value : textOfJson(value, subject, tool) },
    ]
  );
}

/** A copy of a value as plain data. */
export function plainData(value: unknown, subject: string, tool: string): JsonValue {
  return JSON.parse(textOfJson(value, subject, tool)) as JsonValue;
}

/** Data may have a `type` too: only if all items are blocks that are known are they blocks. */
function blocksIn(value: unknown): readonly ContentBlock[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (!value.every((item) => isRecord(item) && typeof item["type"] === "string")) return undefined;
  const parts = value as (object & { readonly type: string })[];
  const message: OpenAIStyleMessage = { role: "tool", content: parts, tool_call_id: "" };
  const blocks = toMessages(message).flatMap(({ content }) => content);
  const areKnown = blocks.every(
    ({ type }, index) => type !== "non_standard" || parts[index]?.type === "non_standard",
  );
  return areKnown ? blocks : undefined;
}

function textOfJson(value: unknown, subject: string, tool: string): string {
  let reason = `it is a ${typeof value}`;
  let cause: unknown;
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
    // The first line: for a cycle, V8 draws it in those that follow.
    reason = (error instanceof Error ? error.message : String(error)).split("\n", 1).join();
  }
  throw new ToolError("result", `${subject} cannot be written as JSON: ${reason}.`, { tool, cause });
}
