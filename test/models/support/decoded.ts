import {
  type AssistantMessage,
  collect,
  from,
  last,
  mergeChunks,
  type MessageChunk,
  ModelError,
  type Operator,
  pipe,
} from "millrace";

/** Reads payloads with a decoder. */
export interface Decoded {
  readonly chunksOf: (payloads: readonly unknown[]) => Promise<MessageChunk[]>;
  /** The message that ends with the payload of `end`, if there is one. */
  readonly messageOf: (...payloads: readonly unknown[]) => Promise<AssistantMessage>;
  readonly errorOf: (...payloads: readonly unknown[]) => Promise<ModelError>;
}

/** @param end what is read after the payloads of a message */
export function decodedBy<Payload>(
  decoder: () => Operator<Payload, MessageChunk>,
  end: () => readonly unknown[] = () => [],
): Decoded {
  const chunksOf: Decoded["chunksOf"] = (payloads) =>
    collect(pipe(from(payloads as readonly Payload[]), decoder()));
  return {
    chunksOf,
    async messageOf(...payloads) {
      const all = [...payloads, ...end()] as readonly Payload[];
      const message = await last(pipe(from(all), decoder(), mergeChunks()));
      if (message === undefined) throw new Error("there is no message");
      return message;
    },
    async errorOf(...payloads) {
      const error: unknown = await chunksOf(payloads).catch((error: unknown) => error);
      if (error instanceof ModelError) return error;
      throw new Error("expected a ModelError", { cause: error });
    },
  };
}
