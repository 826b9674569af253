import type { ContentBlock } from "./blocks.js";
import type { MessageChunk } from "./chunk.js";
import { type CallChunkBlock, type DeltaBlock, isDelta, joinDelta } from "./delta.js";
import { GrowingCall } from "./growing-call.js";
import { hasFields, mergeFields, type MessageFields } from "./merge-fields.js";
import type { AssistantMessage } from "./message.js";
import { addUsage } from "./usage.js";

/**
 * A message while its chunks arrive. A chunk costs O(1) and the number of blocks, however long the texts are.
 *
 * Unlike `mergeChunk`, which may stand in the middle of a stream, it has seen the start: a call that began without an
 * id takes the id that comes later.
 */
export class MessageBuilder {
  private readonly slots: Slot[] = [];
  private fields: MessageFields = {};
  /** The same as the message shows them. */
  private shownFields: Omit<MessageFields, "usageDelta"> = {};
  /** The slot that the last delta went to. */
  private open = -1;

  add(chunk: MessageChunk): void {
    if (hasFields(chunk)) {
      this.fields = mergeFields(this.fields, chunk);
      this.shownFields = withUsageSummed(this.fields);
    }
    for (const block of chunk.content) {
      if (isDelta(block)) this.addDelta(block);
      else this.enter(this.slots.push({ block }) - 1);
    }
    if (chunk.finishReason !== undefined) {
      this.slots.forEach((slot, at) => slot.call?.settle(this.callId(at), true));
    }
  }

  /**
   * Nothing more will come: every call becomes one that can be run, or one that says why it cannot.
   *
   * @returns whether that has changed the message
   */
  end(): boolean {
    const atTokenLimit = this.fields.finishReason === "length";
    const changed = this.slots.filter((slot, at) => slot.call?.end(this.callId(at), atTokenLimit));
    return changed.length > 0;
  }

  /** Immutable. Blocks that have not changed are `===` to those of the snapshot before. */
  snapshot(): AssistantMessage {
    return { role: "assistant", content: this.slots.map(shown), ...this.shownFields };
  }

  private addDelta(delta: DeltaBlock): void {
    let at = this.find(delta);
    if (at < 0) at = this.slots.push(firstSlot(delta)) - 1;
    const slot = this.slots[at] as Slot;
    this.enter(at);
    if (slot.call !== undefined) slot.call.add(delta as CallChunkBlock);
    else slot.block = joinDelta(slot.block as DeltaBlock, delta);
  }

  /** The last block of the delta's type and index, unless the delta names another call. */
  private find(delta: DeltaBlock): number {
    const index = delta.index ?? 0;
    for (let at = this.slots.length - 1; at >= 0; at--) {
      const { key, call } = this.slots[at] as Slot;
      if (key?.type !== delta.type || key.index !== index) continue;
      const { id } = delta as CallChunkBlock;
      return call?.id !== undefined && id !== undefined && call.id !== id ? -1 : at;
    }
    return -1;
  }

  /** When a model goes on to the next block, it is done with the call before: its tool may start. */
  private enter(at: number): void {
    if (at === this.open) return;
    this.slots[this.open]?.call?.settle(this.callId(this.open), false);
    this.open = at;
  }

  /** For the servers that give calls no id. Unique where the ids of messages are. */
  private callId(at: number): string {
    return `${this.fields.id ?? "call"}_${at}`;
  }
}

interface Slot {
  /** What a delta must match to continue the block. Absent: the block came whole. */
  readonly key?: { readonly type: DeltaBlock["type"]; readonly index: number };
  readonly call?: GrowingCall;
  block: ContentBlock;
}

function firstSlot(delta: DeltaBlock): Slot {
  const { type, index = 0 } = delta;
  const key = { type, index };
  switch (type) {
    case "text":
      return { key, block: { type, text: "" } };
    case "reasoning":
      return { key, block: { type, reasoning: "" } };
    case "audio":
      return { key, block: { type } };
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return { key, block: { type }, call: new GrowingCall(type) };
  }
}

function withUsageSummed({ usageDelta, ...fields }: MessageFields): Omit<MessageFields, "usageDelta"> {
  const usage = addUsage(fields.usage, usageDelta);
  return usage === undefined ? fields : { ...fields, usage };
}

function shown(slot: Slot): ContentBlock {
  return slot.call === undefined ? slot.block : slot.call.block;
}
