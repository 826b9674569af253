import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { ModelError } from "../contract/errors.js";
import type { Loose } from "../loose.js";
import { answerOutput } from "./answer-output.js";
import { metadataKeyCheck } from "./metadata.js";
import { isEmptyEvent, readPayload } from "./payload.js";
import { endMarker } from "./sse.js";
import { SimilarJson } from "./similar-json.js";

/** Decodes one message from the payloads of a provider. */
export interface MessageDecoder {
  /** The message is complete. Later payloads are ignored. */
  readonly ended?: boolean;
  /** An error that ends the stream after the current chunk was yielded. */
  readonly failure?: ModelError | undefined;
  /** Returns what the payload adds to the message, if anything. */
  read(payload: Loose): MessageChunk | undefined;
  /**
   * Called after the last payload.
   *
   * @param marked whether the payloads ended with `[DONE]`, which replaces an end that the server did not send
   * @returns the chunk that completes the message, if any
   * @throws {ModelError} if the message is not complete
   */
  end(marked: boolean): MessageChunk | undefined;
}

/**
 * Creates the operator for a decoder. It accepts parsed payloads, server-sent events, and `[DONE]`,
 * and skips events without data.
 *
 * @param kind name of a payload in errors, for example "a chunk of a chat completion"
 * @param onEnd called when the message is complete
 */
export function messageDecoderStage<Payload>(
  kind: string,
  create: () => MessageDecoder,
  onEnd?: () => void,
): Operator<Payload, MessageChunk> {
  return stage((emit, stop) => {
    const decoder = create();
    const json = new SimilarJson();
    const checkKeys = metadataKeyCheck();
    const output = answerOutput(emit);
    let over = false;
    const pass = (chunk: MessageChunk | undefined): void => {
      if (chunk !== undefined) checkKeys(chunk);
      output(chunk, decoder.failure);
    };
    return {
      next: (item) => {
        if (over || isEmptyEvent(item)) return;
        const payload = readPayload(item, kind, json);
        const marked = payload === endMarker;
        const chunk = marked ? decoder.end(true) : decoder.read(payload);
        over = marked || decoder.ended === true;
        if (over) onEnd?.();
        pass(chunk);
        if (over) stop();
      },
      end: () => {
        if (!over) pass(decoder.end(false));
      },
    };
  });
}
