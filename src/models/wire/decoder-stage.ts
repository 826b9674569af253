import type { JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { ModelError } from "../contract/errors.js";
import type { Loose } from "../loose.js";
import { answerOutput } from "./answer-output.js";
import { ChunkDraft } from "./chunk-draft.js";
import type { PayloadReader } from "./payload.js";
import { endMarker } from "./sse.js";
import { noAnswerError, truncatedMessageError } from "./truncation.js";

/** Decodes one message: adds what the payloads of a provider say to a draft. */
export interface MessageDecoder {
  /** @throws {ModelError} after it has added what the payload says before the error */
  read(payload: Loose): void;
  /** Adds what only the end of the payloads can tell. */
  end?(complete: boolean): void;
}

/** How a provider writes a message. */
export interface DecoderWire {
  /** Starts to read a stream. */
  readonly payloads: () => PayloadReader;
  readonly create: (draft: ChunkDraft) => MessageDecoder;
  /** The problem with payloads that are no answer, for example "no payload had a choice". */
  readonly lacking?: string;
  /** The missing mark of the end, for example "without a finish reason". Default: a message needs no mark. */
  readonly missing?: string;
  /** Whether `[DONE]` replaces a mark that the server did not send. */
  readonly marker?: boolean;
}

/** How a provider writes a message in its answer to a request. */
export interface ProviderWire extends DecoderWire {
  /** Whether a stream is newline-delimited JSON. Default: server-sent events */
  readonly lines?: boolean;
  /** The events of a stream with this answer, which came as one document. `undefined` if it is no answer. */
  readonly toEvents: (answer: JsonValue) => readonly JsonValue[] | undefined;
}

/**
 * Creates the operator for a decoder. It ignores what follows the end.
 *
 * @param onEnd called when the message is complete
 */
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

/** The error for a message that is not complete. */
function problemAtEnd(wire: DecoderWire, draft: ChunkDraft, marked: boolean): ModelError | undefined {
  const { missing, lacking = "", marker = false } = wire;
  if (missing === undefined || draft.finished || (marked && marker && draft.begun)) return undefined;
  if (!draft.begun && (marked || draft.unrecognised)) return noAnswerError(lacking);
  return truncatedMessageError(draft.begun, missing);
}
