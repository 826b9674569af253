import { textOf } from "../messages/blocks/read.js";
import type { MessageChunk } from "../messages/chunk.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { AssistantMessage } from "../messages/message.js";
import type { ChatGeneration } from "../outputs/chat-generation.js";
import type { Generation } from "../outputs/generation.js";
import type { Operator } from "../stream/operator.js";

/** What a parser reads while it arrives: text, or what a model streams. Of the latter it takes the text. */
export type Chunk = string | MessageChunk;

/**
 * How a format is asked for, and read.
 *
 * @typeParam T the whole output
 * @typeParam Part what is known of it while it arrives
 */
export interface OutputParser<T, Part> {
  /** What to put into the prompt, so that the model writes the format. */
  readonly instructions: string;
  /** Reads the whole output: its text, the message of a model, or a generation. Throws an `OutputParserError`. */
  parse(output: Output): T;
  /** Reads the output as it arrives. Ends with an `OutputParserError` if the output is cut or not in the format. */
  readonly stream: Operator<Chunk, Part>;
}

/** A whole output: its text, the message of a model, or a generation. */
export type Output = string | AssistantMessage | Generation;

/** The message of an output, if it has one. */
export function messageOfOutput(output: Output): AssistantMessage | undefined {
  if (typeof output === "string") return undefined;
  return "content" in output ? output : (output as Partial<ChatGeneration>).message;
}

/** The text of an output, and why the model stopped, if it says so. */
export function textOfOutput(output: Output): {
  readonly text: string;
  readonly finishReason: FinishReason | undefined;
} {
  if (typeof output === "string") return { text: output, finishReason: undefined };
  const message = messageOfOutput(output);
  return message === undefined
    ? { text: (output as Generation).text, finishReason: undefined }
    : { text: textOf(message), finishReason: message.finishReason };
}

/** The chunks of one stream: what text each adds, and why the model stopped, once one says so. */
export class ChunkReader {
  finishReason: FinishReason | undefined;

  read(chunk: Chunk): string {
    if (typeof chunk === "string") return chunk;
    this.finishReason = chunk.finishReason ?? this.finishReason;
    return textOf(chunk);
  }
}
