import type { ContentBlock } from "../blocks/blocks.js";
import type { MessageChunk } from "../chunk.js";
import { type CallChunkBlock, type DeltaBlock, isDelta } from "./delta.js";
import type { FinishedCall } from "./finished-call.js";
import { GrowingBlock } from "./growing-block.js";
import { GrowingCall, type ParserOptionsOf } from "./growing-call.js";
import { GrowingLists } from "./growing-lists.js";
import { hasFields, mergeFields, type MessageFields } from "./merge-fields.js";
import type { AssistantMessage } from "../message.js";
import type { Mutable } from "./mutable.js";
import { addUsage } from "../usage.js";

/**
 * A message while its chunks arrive. A chunk costs O(1) and the number of blocks, however long the texts are.
 *
 * Unlike `mergeChunk`, which may stand in the middle of a stream, it has seen the start: a call that began without an
 * id takes the id that comes later.
 */
export class MessageBuilder {
  private readonly slots: Slot[] = [];
  private fields: MessageFields = {};
  private readonly lists = new GrowingLists();
  /** The same as the message shows them. */
  private shownFields: MessageFields = {};
  /** The slot that the last delta went to. */
  private open = -1;
  private readonly watch: MessageWatch;

  constructor(watch: MessageWatch = {}) {
    this.watch = watch;
  }

  add(chunk: MessageChunk): void {
    if (hasFields(chunk)) {
      const { metadataDelta, ...fields } = mergeFields(this.fields, chunk);
      if (metadataDelta !== undefined) this.lists.add(metadataDelta);
      this.fields = fields;
      this.shownFields = shownOf(fields, this.lists);
    }
    for (const block of chunk.content) {
      if (isDelta(block)) this.addDelta(block);
      else {
        const at = this.slots.push({ whole: isFinishedCall(block) ? this.named(block) : block }) - 1;
        this.enter(at);
        this.announce(at);
      }
    }
    if (chunk.finishReason !== undefined) this.slots.forEach((_, at) => this.settle(at, true));
  }

  /**
   * Nothing more will come: every call becomes one that can be run, or one that says why it cannot.
   *
   * @returns whether that has changed the message
   */
  end(): boolean {
    const atTokenLimit = this.fields.finishReason === "length";
    let changed = false;
    this.slots.forEach(({ call }, at) => {
      if (call?.end(this.callId(at), atTokenLimit) !== true) return;
      changed = true;
      this.announce(at);
    });
    return changed;
  }

  /** Immutable. Blocks that have not changed are `===` to those of the snapshot before. */
  snapshot(): AssistantMessage {
    const message: Mutable<AssistantMessage> = { role: "assistant", content: this.slots.map(shown) };
    mergeFields(this.shownFields, nothing, message);
    return message;
  }

  private addDelta(delta: DeltaBlock): void {
    let at = this.find(delta);
    if (at < 0) at = this.slots.push(firstSlot(delta, this.watch.argumentsOf)) - 1;
    const slot = this.slots[at] as Slot;
    this.enter(at);
    slot.growing?.add(delta);
    if (slot.call !== undefined) this.addCallDelta(slot.call, delta as CallChunkBlock, at);
  }

  private addCallDelta(call: GrowingCall, delta: CallChunkBlock, at: number): void {
    if (call.given === undefined && delta.id !== undefined) {
      call.id = delta.type === "tool_call_chunk" ? this.uniqueId(delta.id, at) : delta.id;
      call.given = delta.id;
    }
    try {
      call.add(delta);
    } finally {
      this.watch.onCallDelta?.(call, delta, call.id ?? this.callId(at));
    }
  }

  /** The last block of the delta's type and index, unless the delta names another call. */
  private find(delta: DeltaBlock): number {
    const index = delta.index ?? 0;
    for (let at = this.slots.length - 1; at >= 0; at--) {
      const { key, call } = this.slots[at] as Slot;
      if (key?.type !== delta.type || key.index !== index) continue;
      const { id } = delta as CallChunkBlock;
      return call?.given !== undefined && id !== undefined && call.given !== id ? -1 : at;
    }
    return -1;
  }

  /** When a model goes on to the next block, it is done with the call before: its tool may start. */
  private enter(at: number): void {
    if (at === this.open) return;
    this.settle(this.open, false);
    this.open = at;
  }

  private settle(at: number, whole: boolean): void {
    if (this.slots[at]?.call?.settle(this.callId(at), whole) === true) this.announce(at);
  }

  private announce(at: number): void {
    const block = shown(this.slots[at] as Slot);
    if (isFinishedCall(block)) this.watch.onCall?.(block);
  }

  private named(block: FinishedCall): FinishedCall {
    const id = this.uniqueId(block.id, this.slots.length);
    return id === block.id ? block : { ...block, id };
  }

  /** Some models give two calls one id. Their results could not be told apart, and no provider takes that back. */
  private uniqueId(given: string, at: number): string {
    let id = given === "" ? this.callId(at) : given;
    while (this.slots.some((slot) => idOf(slot) === id)) id += `_${at}`;
    return id;
  }

  /** For the servers that give calls no id. Unique where the ids of messages are. */
  private callId(at: number): string {
    return `${this.fields.id ?? "call"}_${at}`;
  }
}

/** Who hears of a message while it is built. */
export interface MessageWatch {
  /** How the arguments of a tool are read. Default: as JSON and nothing else. */
  readonly argumentsOf?: ParserOptionsOf | undefined;
  /**
   * A delta was added to a call, which may be one of a tool of the provider's; also one that a guard refuses.
   *
   * @param id that of the call, as far as it is known: it has one of its own where the model gives none
   */
  readonly onCallDelta?: (call: GrowingCall, delta: CallChunkBlock, id: string) => void;
  /** A call has ended, as one that can be run or as one that says why it cannot. Text that comes nevertheless undoes that. */
  readonly onCall?: (block: FinishedCall) => void;
}

/** One of `whole`, `growing` and `call`. */
interface Slot {
  /** What a delta must match to continue the block. Absent: the block came whole. */
  readonly key?: { readonly type: DeltaBlock["type"]; readonly index: number };
  readonly whole?: ContentBlock;
  readonly growing?: GrowingBlock;
  readonly call?: GrowingCall;
}

function firstSlot({ type, index = 0 }: DeltaBlock, argumentsOf: ParserOptionsOf | undefined): Slot {
  const key = { type, index };
  switch (type) {
    case "text":
      return { key, growing: new GrowingBlock({ type, text: "" }) };
    case "reasoning":
      return { key, growing: new GrowingBlock({ type, reasoning: "" }) };
    case "audio":
      return { key, growing: new GrowingBlock({ type }) };
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return { key, call: new GrowingCall(type, argumentsOf) };
  }
}

const nothing: MessageFields = {};

/** A message says no deltas: they are added to what is said besides. */
function shownOf({ usageDelta, ...fields }: MessageFields, lists: GrowingLists): MessageFields {
  const shown: Mutable<MessageFields> = fields;
  const usage = addUsage(fields.usage, usageDelta);
  const metadata = lists.shownIn(fields.metadata);
  if (usage !== undefined) shown.usage = usage;
  if (metadata !== undefined) shown.metadata = metadata;
  return shown;
}

function isFinishedCall(block: ContentBlock): block is FinishedCall {
  return block.type === "tool_call" || block.type === "invalid_tool_call";
}

/** That of a call. */
function idOf({ whole, call }: Slot): string | undefined {
  return whole !== undefined && isFinishedCall(whole) ? whole.id : call?.id;
}

function shown({ whole, growing, call }: Slot): ContentBlock {
  return (whole ?? growing?.shown ?? call?.block) as ContentBlock;
}
