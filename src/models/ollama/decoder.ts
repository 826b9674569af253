import { isObject, type JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../wire/decoder-stage.js";
import { eventPayloads } from "../wire/payload.js";
import { readProviderError, streamError } from "../http/provider-error.js";
import { asList, errorIn, isRecord, type Loose, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { argumentsIn } from "../wire/plain-json.js";
import { usageReader } from "../wire/usage-reader.js";
import { wordsIn } from "../../text/words-in.js";

/**
 * Decodes a stream of Ollama's `/api/chat` to message chunks. Stops at the line with `done: true`.
 *
 * A line yields at most one chunk. Consecutive texts form one block, consecutive thoughts another (`reasoning`), and each
 * tool call its own. The `metadata` of the last chunk has Ollama's durations in nanoseconds.
 *
 * @throws {ModelError} `provider` for an error in the stream, `protocol` for an invalid line, `cut` without `done`
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeNdjson } from "millrace/models";
 * import { decodeOllama } from "millrace/ollama";
 *
 * const wire = ['{"message": {"content": "Hel"}}\n', '{"message": {"content": "lo"}}\n', '{"done": true}\n'];
 * const message = await last(pipe(from(wire), decodeNdjson(), decodeOllama(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeOllama(): Operator<OllamaPayload | JsonValue, MessageChunk> {
  return decoderStage(ollamaWire);
}

export const ollamaWire: ProviderWire = {
  payloads: eventPayloads("a line of a chat"),
  lines: true,
  // A whole answer has the form of the last line.
  toEvents: (answer) =>
    isObject(answer) && (isObject(answer["message"]) || answer["done"] === true)
      ? [{ done: true, ...answer }]
      : undefined,
  create: ollamaDecoder,
  noAnswer: "no line had a message",
  noEnd: "before it was done",
};

/** The input of `decodeOllama`: a line, as `decodeNdjson()` and the official SDK yield it, with the fields that are read. */
export interface OllamaPayload {
  readonly model?: string | null | undefined;
  readonly message?: object | null | undefined;
  readonly done?: boolean | null | undefined;
  readonly done_reason?: string | null | undefined;
  /** The only field if the server fails. */
  readonly error?: unknown;
}

function ollamaDecoder(draft: ChunkDraft): MessageDecoder {
  /** Calls arrive whole, `{id?, function: {index?, name, arguments}}`. Older servers send no id. */
  const readCall = (call: unknown): void => {
    if (!isRecord(call) || !isRecord(call["function"])) return;
    const { name, arguments: args } = call["function"];
    const id = nonEmptyText(call["id"]);
    const text = argumentsIn(args) ?? "{}";
    if (draft.isGiven(id, name, text)) return;
    draft.addCall(draft.nextBlock(), { id, name: typeof name === "string" ? name : undefined, args: text });
  };
  const readMessage = ({ content, thinking, reasoning_content, tool_calls, images }: Loose): void => {
    // Compatible servers, such as mocks, use DeepSeek's name for it.
    const reasoning = nonEmptyText(thinking) ?? nonEmptyText(reasoning_content);
    draft.write("reasoning", undefined, reasoning);
    draft.write("text", undefined, nonEmptyText(content));
    for (const data of asList(images)) if (typeof data === "string") draft.add({ type: "image", data });
    for (const call of asList(tool_calls)) readCall(call);
  };
  /** Each line repeats the head fields. */
  const note = (line: Loose, keys: readonly string[]): void => {
    for (const key of keys) {
      const value = line[key];
      if (typeof value === "string" || typeof value === "number") draft.noteOnce(key, value);
    }
  };
  const finish = (line: Loose): void => {
    const word = nonEmptyText(line["done_reason"]);
    // Older servers send no word. Ollama sends "stop" after a call, too.
    draft.finish(word, mapFinishReason(word ?? "stop", draft.called));
    draft.count(mapUsage(line));
    note(line, durations);
    draft.ended = true;
  };
  return {
    read(line) {
      const { message, model, done } = line;
      const error = errorIn(line) === undefined ? undefined : readProviderError(line);
      // Its errors are words without a code. Once the answer has begun, the request was right, and the model has failed.
      const isOfModel = draft.begun && (error?.code ?? error?.status) === undefined;
      if (error !== undefined) throw streamError(error, isOfModel ? { retryable: true } : {});
      draft.begun ||= isRecord(message) || done === true;
      draft.unrecognised ||= !draft.begun;
      draft.head(undefined, model);
      note(line, headKeys);
      if (isRecord(message)) readMessage(message);
      if (done === true) finish(line);
      draft.addLists({ logprobs: line["logprobs"] });
    },
  };
}

const headKeys = wordsIn("created_at remote_model remote_host");

/** The duration fields, in nanoseconds. */
const durations = wordsIn("total_duration load_duration prompt_eval_duration eval_duration");

const mapUsage = usageReader({ inputTokens: "prompt_eval_count", outputTokens: "eval_count" });
