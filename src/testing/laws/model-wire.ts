import type { MessageChunk } from "../../messages/chunk.js";
import type { FinishReason } from "../../messages/finish-reason.js";

/**
 * How a provider writes an answer. A function returns the items of the stream that write one thing: bytes, or the
 * objects that a library yields. Leave out the functions for which the provider has no counterpart.
 */
export interface ModelWire<Item> {
  /** Reads an answer: a decoder, or a model whose request is answered with these items. */
  readonly read: (answer: AsyncIterable<Item>) => AsyncIterable<MessageChunk>;
  /** The items before the content. */
  readonly start?: () => readonly Item[];
  /** A text in these pieces. `block` counts the blocks of the answer. */
  readonly text: (pieces: readonly string[], block: number) => readonly Item[];
  /** A thought in these pieces. */
  readonly reasoning?: (pieces: readonly string[], block: number) => readonly Item[];
  /** A whole call, with the JSON text of its arguments in these pieces. Without pieces it has no arguments. */
  readonly call?: (call: WireCall, block: number) => readonly Item[];
  /** A delta of a call, for a provider that sends calls in deltas with an index. */
  readonly callDelta?: (delta: WireCallDelta) => readonly Item[];
  /** The end, with the provider's word for the reason. */
  readonly end: (word: string, usage?: WireUsage) => readonly Item[];
  /** The provider's words. A provider without one for `tool_calls` ends calls with its word for `stop`. */
  readonly reasons: Readonly<Partial<Record<Exclude<FinishReason, "other">, string>>> & {
    readonly stop: string;
  };
  /** Set to false if a stream can be complete without its end. Default: true. */
  readonly needsEnd?: boolean;
  /** Set to false for a provider that reports no usage. Default: true. */
  readonly hasUsage?: boolean;
  /** Usage before the end. */
  readonly usageBefore?: (usage: WireUsage) => readonly Item[];
  /** Usage after the end. */
  readonly usageAfter?: (usage: WireUsage) => readonly Item[];
  /** A field that the decoder does not know and keeps as metadata, beside some text. */
  readonly field?: (name: string, value: string, block: number) => readonly Item[];
  /** A refusal in these pieces, from its start to its end. */
  readonly refusal?: (pieces: readonly string[]) => readonly Item[];
  /** An error of the provider, with which the stream ends. */
  readonly error?: (message: string) => readonly Item[];
}

/** A tool call of a message. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly args: readonly string[];
}

/** The counts of tokens that a provider reports. */
export interface WireUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A delta of a call, as a server may send it. */
export interface WireCallDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly args?: string;
}
