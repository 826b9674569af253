import { isMessage } from "../messages/is-message.js";
import { isRecord } from "../messages/loose.js";
import { kindName } from "../text/kind-name.js";
import { textOf } from "../messages/blocks/read.js";
import { checkChunk } from "../messages/check-chunk.js";
import type { MessageChunk } from "../messages/chunk.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { AssistantMessage } from "../messages/message.js";
import type { ChatGeneration } from "../outputs/chat-generation.js";
import type { Generation } from "../outputs/generation.js";
import type { Operator } from "../stream/operator.js";

/** A piece of a streaming output: text, or a message chunk of a model, from which most parsers take the text. */
export type Chunk = string | MessageChunk;

/**
 * Asks for a format, and reads it.
 *
 * @typeParam T the type of the parsed output
 * @typeParam Part the type of the values that `.stream` yields
 */
export interface OutputParser<T, Part> {
  /** Text for the prompt that asks the model to write the format. */
  readonly instructions: string;
  /**
   * Parses a whole output: its text, the message of a model, or a generation.
   *
   * @throws {OutputParserError} if the output is truncated or not in the format
   */
  parse(output: Output): T;
  /**
   * Parses a streaming output. Each parser says what it yields. The stream ends with an `OutputParserError` if the
   * output is truncated or not in the format.
   */
  readonly stream: Operator<Chunk, Part>;
}

/**
 * A whole output: text, the message of a model, or a generation. Of several candidates the first one counts. Content
 * blocks with a text need no type.
 */
export type Output = string | AssistantMessage | Generation | Candidates;

/** The candidates of one answer. */
type Candidates = readonly [Generation | ChatGeneration, ...(Generation | ChatGeneration)[]];

/** The message of an output; `undefined` for text. */
export function messageOfOutput(output: Output): AssistantMessage | undefined {
  if (typeof output === "string") return undefined;
  const value: unknown = Array.isArray(output) ? output[0] : output;
  if (!isRecord(value)) throw unexpectedOutput(output);
  const message = "content" in value ? value : value["message"];
  if (message === undefined) {
    if (typeof value["text"] === "string" && value["type"] === undefined) return undefined;
    throw unexpectedOutput(output);
  }
  const typed = withTypes(message);
  if (!isMessage(typed)) throw unexpectedOutput(output);
  return typed as AssistantMessage;
}

/** A block `{ text }` is a text. */
function withTypes(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { content } = message;
  const isUntyped = (block: unknown): block is object =>
    isRecord(block) && block["type"] === undefined && typeof block["text"] === "string";
  if (!Array.isArray(content) || !content.some(isUntyped)) return message;
  return {
    ...message,
    content: content.map((block: unknown) => (isUntyped(block) ? { ...block, type: "text" } : block)),
  };
}

function unexpectedOutput(output: unknown): TypeError {
  return new TypeError(
    `parse() expects a text, an assistant message or a generation, but got ${kindName(output)}. Write parser.parse(toMessages(message)[0]) for the message of a provider.`,
  );
}

/** The text of an output, and why the model stopped, if known. */
export function textOfOutput(output: Output): {
  readonly text: string;
  readonly finishReason: FinishReason | undefined;
} {
  if (typeof output === "string") return { text: output, finishReason: undefined };
  const message = messageOfOutput(output);
  const [generation] = [output].flat() as Generation[];
  return message === undefined
    ? { text: generation?.text ?? "", finishReason: undefined }
    : { text: textOf(message), finishReason: message.finishReason };
}

/** Reads the text of the chunks of one stream, and remembers why the model stopped. */
export class ChunkReader {
  finishReason: FinishReason | undefined;

  /** @throws {MessageError} `invalid_chunk` */
  read(chunk: Chunk): string {
    if (typeof chunk === "string") return chunk;
    checkChunk(chunk);
    this.finishReason = chunk.finishReason ?? this.finishReason;
    return textOf(chunk);
  }
}
