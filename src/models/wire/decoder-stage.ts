import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { ModelError } from "../contract/errors.js";
import type { Loose } from "../loose.js";
import { endMarker, readPayload } from "./payload.js";

/** One message, payload by payload: what is particular to the stream of a provider. */
export interface MessageDecoder {
  /** The message is whole: nothing that follows is looked at. */
  readonly ended?: boolean;
  /** Ends the stream, after what came with it was handed on. */
  readonly failure?: ModelError | undefined;
  /** What the payload adds to the message, if anything. */
  read(payload: Loose): MessageChunk | undefined;
  /**
   * There are no more payloads.
   *
   * @param marked they ended with `[DONE]`, which stands in for an end that the server forgot
   * @returns what only the end shows
   * @throws {ModelError} if they may not end here
   */
  end(marked: boolean): MessageChunk | undefined;
}

/**
 * The operator around a decoder: takes parsed payloads, server-sent events, and `[DONE]`.
 *
 * @param kind what a payload is, in words: "a chunk of a chat completion"
 * @param onEnd nothing is to come any more
 */
export function messageDecoderStage<Payload>(
  kind: string,
  create: () => MessageDecoder,
  onEnd?: () => void,
): Operator<Payload, MessageChunk> {
  return stage((emit, stop) => {
    const decoder = create();
    let over = false;
    const hand = (chunk: MessageChunk | undefined): void => {
      if (chunk !== undefined) emit(chunk);
      if (decoder.failure !== undefined) throw decoder.failure;
    };
    return {
      next: (item) => {
        if (over) return;
        const payload = readPayload(item, kind);
        const marked = payload === endMarker;
        const chunk = marked ? decoder.end(true) : decoder.read(payload);
        over = marked || decoder.ended === true;
        if (over) onEnd?.();
        hand(chunk);
        if (over) stop();
      },
      end: () => {
        if (!over) hand(decoder.end(false));
      },
    };
  });
}
