import type { JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { hasFields } from "../../messages/merge/merge-fields.js";
import { excerpt } from "../../text/excerpt.js";
import { ModelError } from "../contract/errors.js";
import { type Loose, nonEmptyText } from "../loose.js";
import { ChunkDraft } from "./chunk-draft.js";
import type { PayloadReader } from "./payload.js";
import { endMarker } from "./sse.js";
import { noAnswerError, truncatedMessageError } from "./errors.js";

/** Reads the payloads of one answer into its draft. */
export interface MessageDecoder {
  /** @throws {ModelError} after it has added what the payload says before the error */
  read(payload: Loose): void;
  /** Adds what only the end of the payloads can tell. */
  readonly end?: (complete: boolean) => unknown;
}

/** How payloads become an answer, and when it is whole. */
export interface DecoderWire {
  readonly payloads: () => PayloadReader;
  readonly create: (draft: ChunkDraft) => MessageDecoder;
  /** The problem with payloads that are no answer, for example "no payload had a choice". */
  readonly noAnswer?: string;
  /** How a message without the mark of its end is cut, for example "without a finish reason". Default: it needs no mark. */
  readonly noEnd?: string;
  /** Whether `[DONE]` ends a message whose mark the server did not send. */
  readonly doneEnds?: boolean;
}

/** The same for a provider, whose answers are bytes. */
export interface ProviderWire extends DecoderWire {
  /** Whether a stream is newline-delimited JSON. Default: server-sent events */
  readonly lines?: boolean;
  /** The events of a stream with this answer, which came as one document. `undefined` if it is no answer. */
  readonly toEvents: (answer: JsonValue) => readonly JsonValue[] | undefined;
}

/** Ignores what follows the end. @param onEnd called when the message is complete */
export function decoderStage<Payload>(
  wire: DecoderWire,
  onEnd?: () => void,
): Operator<Payload, MessageChunk> {
  return stage((emit, stop) => {
    const draft = new ChunkDraft();
    const decoder = wire.create(draft);
    const payloads = wire.payloads();
    const output = answerOutput(emit);
    const read = (payload: Loose): void => {
      draft.payloads++;
      try {
        decoder.read(payload);
      } catch (error) {
        decoder.end?.(false);
        output(draft.take(), true);
        throw error;
      }
    };
    const end = (marked: boolean): void => {
      const error = problemAtEnd(wire, draft, marked);
      const complete = error === undefined;
      decoder.end?.(complete);
      if (complete) draft.send();
      draft.ended = complete;
      output(draft.take(), !complete);
      if (!complete) throw error;
    };
    return {
      next: (item) => {
        for (const payload of payloads(item)) {
          if (draft.ended) return;
          if (payload === endMarker) end(true);
          else read(payload);
          if (draft.ended) onEnd?.();
          output(draft.take());
        }
        if (draft.ended) stop();
      },
      end: () => {
        if (!draft.ended) end(false);
      },
    };
  });
}

function problemAtEnd(wire: DecoderWire, draft: ChunkDraft, marked: boolean): ModelError | undefined {
  const { noEnd, noAnswer = "", doneEnds = false } = wire;
  if (noEnd === undefined || draft.finished || (marked && doneEnds && draft.begun)) return undefined;
  if (!draft.begun && (marked || draft.unrecognised)) return noAnswerError(noAnswer);
  return truncatedMessageError(draft.begun, noEnd);
}

/**
 * Returns the function that yields the chunks of an answer. A chunk of an answer that has failed comes without its
 * finish reason, which would complete the calls, and their tools would run. Nothing is yielded for a failed answer
 * without content, so that it is requested again.
 */
function answerOutput(
  emit: (chunk: MessageChunk) => void,
): (chunk: MessageChunk | undefined, failed?: boolean) => void {
  let begun = false;
  return (chunk, failed = false) => {
    if (chunk === undefined) return;
    const error = chunk.finishReason === "error" ? failedAnswer(chunk) : undefined;
    const fails = failed || error !== undefined;
    const output = fails ? withoutEnd(chunk) : chunk;
    if (!fails || output.content.length > 0 || (begun && hasFields(output))) {
      begun = true;
      emit(output);
    }
    if (!failed && error !== undefined) throw error;
  };
}

function withoutEnd({ finishReason: _, providerFinishReason: __, ...chunk }: MessageChunk): MessageChunk {
  return chunk;
}

function failedAnswer({ providerFinishReason: word = "error", metadata }: MessageChunk): ModelError {
  const why = nonEmptyText(metadata?.["finishMessage"]); // Gemini
  const problem = `The provider ended the answer with the finish reason ${excerpt(word)}${why === undefined ? "." : `: ${excerpt(why)}`}`;
  return new ModelError("provider", problem, {
    providerCode: excerpt(word),
    retryable: word.toLowerCase() !== faultOfRequest,
    cause: { finishReason: word },
  });
}

/** A finish reason of Gemini. After all others, the model may write something else next time. */
const faultOfRequest = "missing_thought_signature";
