import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { toAssistantMessage } from "../../messages/merge/merge-chunks.js";
import type { AssistantMessage } from "../../messages/message.js";
import { messageOf } from "../../text/excerpt.js";
import { fieldOf } from "../../text/thrown.js";
import { spySource } from "../spy-source.js";
import { demand } from "./law.js";
import type { ModelWire } from "./model-wire.js";
import { show } from "./same-value.js";

/** Reads answers, and checks what every complete or failed answer has in common. */
export class ModelTrial<Item> {
  readonly wire: ModelWire<Item>;

  constructor(wire: ModelWire<Item>) {
    this.wire = wire;
  }

  /** An answer with everything that the provider can write. */
  answer(): readonly Item[] {
    const { reasoning, text: write, call } = this.wire;
    let block = 0;
    const content = [
      ...(reasoning?.(thought, block++) ?? []),
      ...write(hello, block++),
      ...(call?.({ id: "c1", name: "weather", args: [city.slice(0, 9), city.slice(9)] }, block++) ?? []),
      ...(call?.({ id: "c2", name: "time", args: [] }, block++) ?? []),
    ];
    return this.ended(content, call === undefined ? "stop" : "tool_calls");
  }

  start(): readonly Item[] {
    return this.wire.start?.() ?? [];
  }

  ended(content: readonly Item[], reason: "stop" | "tool_calls"): readonly Item[] {
    const { end, reasons } = this.wire;
    return [...this.start(), ...content, ...end(reasons[reason] ?? reasons.stop)];
  }

  read(items: readonly Item[]): Promise<ReadAnswer> {
    return outcomeOf(this.wire.read(spySource(items)));
  }

  complete({ message, error }: ReadAnswer): AssistantMessage {
    demand(error === undefined, "content", `a complete answer failed: ${messageOf(error)}`);
    return message;
  }

  failed({ message, error, chunks }: ReadAnswer, word: string): void {
    const ofProvider = fieldOf(error, "code") === "provider" && messageOf(error).includes(word);
    demand(
      ofProvider,
      "honest-errors",
      `instead of the error ${show(word)}, the stream gave ${messageOf(error)}`,
    );
    const found = text(message.content);
    demand(found === hello.join(""), "honest-errors", `before the error, the text was ${show(found)}`);
    const ends = chunks.some((chunk) => chunk.finishReason !== undefined);
    demand(!ends, "honest-errors", "a failed answer had a finish reason, so its calls could run");
  }
}

export interface ReadAnswer {
  readonly chunks: readonly MessageChunk[];
  readonly message: AssistantMessage;
  readonly error: unknown;
}

export async function outcomeOf(stream: AsyncIterable<MessageChunk>): Promise<ReadAnswer> {
  const chunks: MessageChunk[] = [];
  let error: unknown;
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (reason) {
    error = reason ?? new Error(String(reason));
  }
  return { chunks, message: toAssistantMessage(...chunks), error };
}

export const thought: readonly string[] = ["Hm", "m."];
export const hello: readonly string[] = ["né", "e \u{1f600}"];
export const city = '{"city":"Oslo"}';

/** A block as a line to compare. */
export function summary(block: ContentBlock): string {
  if (block.type === "text") return `text ${block.text}`;
  if (block.type === "reasoning") return `reasoning ${block.reasoning}`;
  if (block.type === "tool_call") return `call ${block.name} ${JSON.stringify(block.args)}`;
  return show(block);
}

export function text(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** All bytes of the items, or `undefined` if they are not bytes. */
export function joinedBytes(items: readonly unknown[]): Uint8Array<ArrayBuffer> | undefined {
  if (!items.every((item) => item instanceof Uint8Array)) return undefined;
  return Uint8Array.from(items.flatMap((item) => [...item]));
}

/** The items without their last ones, or the bytes without the last bytes. */
export function prefixes<Item>(items: readonly Item[]): (readonly Item[])[] {
  const bytes = joinedBytes(items);
  if (bytes === undefined) return items.map((_, end) => items.slice(0, end));
  return Array.from(bytes, (_, end) => [bytes.slice(0, end) as Item]);
}
