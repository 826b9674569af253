import type { MessageChunk } from "../../../messages/chunk.js";
import { textOf } from "../../../messages/blocks/read.js";
import { decodeAnthropic } from "../../../models/anthropic/response/decode-anthropic.js";
import { decodeGemini } from "../../../models/gemini/response/decode-gemini.js";
import { isRecord } from "../../../models/loose.js";
import { decodeNdjson } from "../../../models/wire/ndjson.js";
import { decodeOllama } from "../../../models/ollama/decode-ollama.js";
import { decodeOpenAIChat } from "../../../models/openai/chat/decode-chat.js";
import { decodeOpenAIResponses } from "../../../models/openai/responses/decode-responses.js";
import { transcriptHeader } from "../../../models/transcript.js";
import { collect } from "../../../stream/collect.js";
import { filter } from "../../../stream/operators/filter.js";
import { from } from "../../../stream/sources/from.js";
import { map } from "../../../stream/operators/map.js";
import type { Operator } from "../../../stream/operator.js";
import { pipe } from "../../../stream/pipe.js";
import { readTranscript } from "../../../testing/models/read-transcript.js";
import { replay } from "../../../testing/models/replay.js";
import { RequestError } from "../../../serve/http/request-error.js";

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
    const payloads = (await collect(pipe(from([text]), decodeNdjson()))) as unknown[];
    const first = payloads[0];
    if (isRecord(first) && first["millrace"] === transcriptHeader.millrace) {
      for (const line of await readTranscript(text))
        if ("value" in line) chunks.push(line.value as MessageChunk);
      return { chunks, source: replay<MessageChunk>(text) };
    }
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

async function* failing(chunks: readonly MessageChunk[], error: unknown): AsyncGenerator<MessageChunk> {
  yield* chunks;
  throw error;
}

function decoderFor(payload: unknown): Operator<never, MessageChunk> {
  if (!isRecord(payload)) throw unknownKind();
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
