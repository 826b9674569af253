import { type MessageChunk, type Operator, collect, filter, from, map, pipe, textOf } from "millrace";
import { decodeNdjson } from "millrace/models";
import { decodeAnthropic } from "millrace/anthropic";
import { decodeGemini } from "millrace/gemini";
import { decodeOllama } from "millrace/ollama";
import { decodeOpenAIChat, decodeOpenAIResponses } from "millrace/openai";
import type { JsonValue } from "millrace/json";
import { RequestError } from "millrace/serve";
import { replay, TranscriptError } from "millrace/testing";
import { isObject } from "../tree.js";

/** A text as a stream of chunks. */
export interface ChunkedText {
  readonly chunks: AsyncIterable<string>;
  /** Number of characters in the whole text; null if unknown. */
  readonly total: number | null;
}

/**
 * Reads the text of a recording: JSON Lines of a provider's payloads, whose format is detected, or a transcript of
 * `record()`, which is replayed with its original timing. If the model calls a tool, the text is the arguments of the
 * first call, because they contain the document.
 *
 * @throws {RequestError} `invalid_input`
 */
export async function recordedChunks(text: string): Promise<ChunkedText> {
  const { chunks, source } = await messageChunks(text);
  const call = chunks
    .flatMap(({ content }) => content)
    .find((block) => block.type === "tool_call_chunk" && (block.args ?? "") !== "");
  const index = call?.type === "tool_call_chunk" ? call.index : undefined;
  const textIn = (chunk: MessageChunk): string =>
    call === undefined ? textOf(chunk) : argumentsIn(chunk, index);
  const total = chunks.reduce((sum, chunk) => sum + textIn(chunk).length, 0);
  return { chunks: pipe(source, map(textIn), filter(isText)), total };
}

/** Filters out chunks without text, such as one with only the role. */
export function isText(text: string): boolean {
  return text !== "";
}

interface RecordedFile {
  readonly chunks: readonly MessageChunk[];
  /** The same chunks with their timing. */
  readonly source: AsyncIterable<MessageChunk>;
}

async function messageChunks(text: string): Promise<RecordedFile> {
  const chunks: MessageChunk[] = [];
  try {
    const payloads = await collect(pipe(from([text]), decodeNdjson()));
    const first = payloads[0];
    if (isObject(first) && first["millrace"] === "transcript") return await transcriptChunks(text);
    const decoder = decoderFor(first) as Operator<unknown, MessageChunk>;
    for await (const chunk of pipe(from(payloads), decoder)) chunks.push(chunk);
    return { chunks, source: from(chunks) };
  } catch (error) {
    if (error instanceof RequestError) throw error;
    // A stream that failed is also a valid recording: replay it up to the failure.
    if (chunks.length > 0) return { chunks, source: failing(chunks, error) };
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestError("invalid_input", `The recording cannot be read. ${reason}`, { cause: error });
  }
}

async function transcriptChunks(text: string): Promise<RecordedFile> {
  const chunks: MessageChunk[] = [];
  try {
    for await (const chunk of replay<MessageChunk>(text, { speed: Infinity })) chunks.push(chunk);
  } catch (error) {
    if (error instanceof TranscriptError) throw error;
    // The recorded stream failed, and fails again in the run.
  }
  return { chunks, source: replay<MessageChunk>(text) };
}

async function* failing(chunks: readonly MessageChunk[], error: unknown): AsyncGenerator<MessageChunk> {
  yield* chunks;
  throw error;
}

function decoderFor(payload: JsonValue | undefined): Operator<never, MessageChunk> {
  if (!isObject(payload)) throw unknownKind();
  const { type } = payload;
  if ("choices" in payload) return decodeOpenAIChat();
  if ("candidates" in payload) return decodeGemini();
  if ("done" in payload) return decodeOllama();
  if (typeof type === "string" && type.startsWith("response.")) return decodeOpenAIResponses();
  if (type === "message_start") return decodeAnthropic();
  throw unknownKind();
}

function argumentsIn({ content }: MessageChunk, index: number | undefined): string {
  let text = "";
  for (const block of content)
    if (block.type === "tool_call_chunk" && block.index === index) text += block.args ?? "";
  return text;
}

function unknownKind(): RequestError {
  return new RequestError(
    "invalid_input",
    "Unknown recording format. Expected the first line to be a payload of OpenAI, Anthropic, Gemini or Ollama, or the header of a transcript.",
  );
}
