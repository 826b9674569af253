import type { ContentBlock } from "../blocks/blocks.js";
import { checkChunk } from "../check-chunk.js";
import type { MessageChunk } from "../chunk.js";
import { type BlockPlaces, type CallChunkBlock, type DeltaBlock, isDelta, placeKey } from "./delta.js";
import { MessageError } from "../errors.js";
import { type FinishedCall, isFinishedCall } from "../blocks/read.js";
import { GrowingBlock } from "./growing-block.js";
import { GrowingCall, type ParserOptionsOf } from "./growing-call.js";
import { GrowingLists } from "./growing-lists.js";
import { hasFields, mergeFields, type MessageFields } from "./merge-fields.js";
import type { AssistantMessage } from "../message.js";
import type { Mutable } from "./mutable.js";
import { addUsage } from "../../text/add-usage.js";

/**
 * Builds a message from chunks. A chunk costs time in proportion to its own length. A snapshot copies the list of
 * blocks.
 *
 * Unlike `mergeChunk`, this class sees each stream from its start. So it ends calls, and one that began without an id
 * takes an id that arrives later.
 */
export class MessageBuilder {
  private readonly slots: BlockSlot[] = [];
  /** The blocks as they appear in the message, but for those of `changed`. */
  private readonly content: ContentBlock[] = [];
  private readonly changed = new Set<number>();
  private readonly places: BlockPlaces = new Map();
  private readonly ids = new Set<string>();
  private readonly taken: ReadonlySet<string>;
  private readonly prefix: string;
  private fields: MessageFields = {};
  private readonly lists = new GrowingLists();
  private shownFields: MessageFields = {};
  /** The calls that received deltas since the last finish reason. */
  private readonly unsettled = new Set<number>();
  private open = -1;
  private readonly observer: MessageObserver;

  /**
   * @param taken the ids of earlier calls of the conversation: a call that repeats one gets another
   * @param prefix begins the ids of calls without one, in a message without an id
   */
  constructor(observer: MessageObserver = {}, taken: ReadonlySet<string> = new Set(), prefix = "call") {
    this.observer = observer;
    this.taken = taken;
    this.prefix = prefix;
  }

  add(chunk: MessageChunk): void {
    checkChunk(chunk);
    if (hasFields(chunk)) {
      const { metadataDelta, ...fields } = mergeFields(this.fields, chunk);
      if (metadataDelta !== undefined) this.lists.add(metadataDelta);
      this.fields = fields;
      this.shownFields = shownOf(fields, this.lists);
    }
    for (const block of chunk.content) {
      if (isDelta(block)) this.addDelta(block);
      else {
        const at = this.addSlot({ whole: isFinishedCall(block) ? this.named(block) : block });
        this.enter(at);
        this.announce(at);
      }
    }
    if (chunk.finishReason === undefined) return;
    const whole = chunk.finishReason !== "length";
    for (const at of [...this.unsettled].sort((a, b) => a - b)) this.settle(at, whole);
    this.unsettled.clear();
  }

  /** Every open call becomes a `tool_call` or an `invalid_tool_call`. Returns whether there was one. */
  end(): boolean {
    const atTokenLimit = this.fields.finishReason === "length";
    let ended = false;
    this.slots.forEach(({ call }, at) => {
      if (call?.end(this.idOf(call, at), atTokenLimit) !== true) return;
      ended = true;
      this.announce(at);
    });
    return ended;
  }

  /** An immutable snapshot. Unchanged blocks are `===` to those of the previous snapshot. */
  snapshot(): AssistantMessage {
    for (const at of this.changed) this.content[at] = shown(this.slots[at] as BlockSlot);
    this.changed.clear();
    const message: Mutable<AssistantMessage> = { role: "assistant", content: this.content.slice() };
    mergeFields(this.shownFields, noFields, message);
    return message;
  }

  private addDelta(delta: DeltaBlock): void {
    let at = this.find(delta);
    if (at < 0) {
      at = this.addSlot(firstSlot(delta, this.observer.argumentsOf));
      this.places.set(placeKey(delta), at);
    }
    const slot = this.slots[at] as BlockSlot;
    this.enter(at);
    slot.growing?.add(delta);
    if (slot.call !== undefined) this.addCallDelta(slot.call, delta as CallChunkBlock, at);
  }

  private addSlot(slot: BlockSlot): number {
    if (this.slots.length === maxBlocks) {
      throw new MessageError(
        "too_many_blocks",
        `Expected at most ${maxBlocks} blocks in a message, but the model wrote more.`,
      );
    }
    return this.slots.push(slot) - 1;
  }

  private addCallDelta(call: GrowingCall, delta: CallChunkBlock, at: number): void {
    this.unsettled.add(at);
    if (call.providerId === undefined && delta.id !== undefined) {
      call.providerId = delta.id;
      call.id ??= delta.type === "tool_call_chunk" ? this.newId(delta.id, at) : delta.id;
      this.ids.add(call.id);
    }
    try {
      call.add(delta);
    } finally {
      if (delta.args !== undefined && delta.args !== "")
        this.observer.onCallDelta?.(call, delta, this.idOf(call, at));
    }
  }

  /** Finds the last slot with the delta's type and index. Returns -1 if the delta belongs to another call. */
  private find(delta: DeltaBlock): number {
    const { key } = this.slots[this.open] ?? {};
    const isOpen = key?.type === delta.type && key.index === (delta.index ?? 0);
    const at = isOpen ? this.open : (this.places.get(placeKey(delta)) ?? -1);
    const { id } = delta as CallChunkBlock;
    const providerId = this.slots[at]?.call?.providerId;
    return providerId !== undefined && id !== undefined && providerId !== id ? -1 : at;
  }

  /** A model that starts the next block has finished the previous call, so its tool may start. */
  private enter(at: number): void {
    this.changed.add(at);
    if (at === this.open) return;
    this.settle(this.open, false);
    this.open = at;
  }

  private settle(at: number, whole: boolean): void {
    const call = this.slots[at]?.call;
    if (call?.settle(this.idOf(call, at), whole) === true) this.announce(at);
  }

  private announce(at: number): void {
    this.changed.add(at);
    const block = shown(this.slots[at] as BlockSlot);
    if (isFinishedCall(block)) this.observer.onCall?.(block);
  }

  private named(block: FinishedCall): FinishedCall {
    const id = this.newId(block.id, this.slots.length);
    return id === block.id ? block : { ...block, id };
  }

  /** An id that was generated for an observer stays, even if the model sends one later: the tool may already run. */
  private idOf(call: GrowingCall, at: number): string {
    const id = call.id ?? (call.generatedId ??= this.newId("", at));
    if (this.observer.onCall !== undefined) call.id = id;
    return id;
  }

  /**
   * Some models use one id for two calls, and some servers send none, "". Providers reject a history with one id for
   * two calls, results could not be matched, and a decision about one call would apply to the other.
   */
  private newId(sent: string, at: number): string {
    const first = sent === "" ? `${this.fields.id ?? this.prefix}_${at}` : sent;
    let id = first;
    // The numbers grow fast, so a flood of calls with one id costs few tries.
    const { ids, taken } = this;
    for (let n = at; ids.has(id) || taken.has(id); n += ids.size + taken.size) id = `${first}_${n}`;
    ids.add(id);
    return id;
  }
}

export interface MessageObserver {
  /** Parser options for the arguments of a tool. Default: strict JSON. */
  readonly argumentsOf?: ParserOptionsOf | undefined;
  /** Called after arguments were added to a call, also of a provider's own tool, and if a guard refused them. */
  readonly onCallDelta?: (call: GrowingCall, delta: CallChunkBlock, id: string) => void;
  /** Called when a call is complete, valid or not. Text that arrives later reverts this. */
  readonly onCall?: (block: FinishedCall) => void;
}

/** Exactly one of `whole`, `growing` and `call` is set. */
interface BlockSlot {
  /** A delta must match this to continue the block. Absent for a block that arrived whole. */
  readonly key?: { readonly type: DeltaBlock["type"]; readonly index: number };
  readonly whole?: ContentBlock;
  readonly growing?: GrowingBlock;
  readonly call?: GrowingCall;
}

function firstSlot({ type, index = 0 }: DeltaBlock, argumentsOf: ParserOptionsOf | undefined): BlockSlot {
  const key = { type, index };
  if (type === "tool_call_chunk" || type === "server_tool_call_chunk")
    return { key, call: new GrowingCall(type, argumentsOf) };
  const empty = type === "text" ? { type, text: "" } : type === "audio" ? { type } : { type, reasoning: "" };
  return { key, growing: new GrowingBlock(empty) };
}

/** Each snapshot copies the list of blocks, so a message with ever more of them would take quadratic time. */
const maxBlocks = 10_000;

const noFields: MessageFields = {};

/** The fields of the message: deltas are added to the values they belong to. */
function shownOf({ usageDelta, ...fields }: MessageFields, lists: GrowingLists): MessageFields {
  const shown: Mutable<MessageFields> = fields;
  const usage = addUsage(fields.usage, usageDelta);
  const metadata = lists.shownIn(fields.metadata);
  if (usage !== undefined) shown.usage = usage;
  if (metadata !== undefined) shown.metadata = metadata;
  return shown;
}

function shown({ whole, growing, call }: BlockSlot): ContentBlock {
  return (whole ?? growing?.shown ?? call?.block) as ContentBlock;
}
