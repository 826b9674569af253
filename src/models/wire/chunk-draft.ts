import { type JsonObject, type JsonValue, setMember, withoutUndefined } from "../../json/value.js";
import type { Annotation } from "../../messages/blocks/annotations.js";
import type { ContentBlock, ReasoningBlock, TextBlock } from "../../messages/blocks/blocks.js";
import { mergeMetadata, type Metadata } from "../../messages/blocks/metadata.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import { hasFields, type MessageFields } from "../../messages/merge/merge-fields.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import type { Usage } from "../../messages/usage.js";
import { added } from "../../stream/added.js";
import { jsonText } from "../../text/json-text.js";
import { isRecord, type Loose } from "../loose.js";
import { mapFinishReason } from "./finish-reason.js";
import { checkKeyCount } from "./errors.js";

/**
 * The next chunk of a message, which a decoder fills payload by payload. Blocks are sent with their payload. Fields wait
 * for a payload with content, because servers repeat them, or begin with nothing else.
 *
 *     head("r1", "m-1")                       take() → undefined
 *     add({ type: "text", index: 0, … })      take() → { content: [text], id: "r1", model: "m-1" }
 *     head("r1", "m-1")                       take() → undefined, since nothing is new
 *     finish("STOP")                          take() → { content: [], finishReason: "stop", … }
 */
export class ChunkDraft {
  /** Whether the answer has begun, so that an end now would cut it. */
  begun = false;
  /** Whether a payload was no part of an answer. */
  unrecognised = false;
  /** Whether the message calls a tool. */
  called = false;
  /** Whether the message has all its content. Usage and metadata may follow. */
  finished = false;
  /** Whether the payloads that follow are ignored. */
  ended = false;
  payloads = 0;
  /** The block that the next piece of its type continues. */
  run: { readonly type: string; readonly index: number } | undefined;

  private content: ContentBlock[] = [];
  private fields: Mutable<MessageFields> = {};
  private due = false;
  private blocks = 0;
  private readonly places = new Map<unknown, number>();
  private readonly written = new Set<number>();
  private readonly keys = new Set<string>();
  private readonly last = new Map<string, unknown>();
  private readonly given = new Set<string>();
  private id: unknown;
  private model: unknown;

  readonly nextBlock = (): number => this.blocks++;

  /** The index of the block with this name, which may be any value. It is begun if it is new. */
  placeOf(name: unknown): number {
    let index = this.places.get(name);
    if (index === undefined) this.places.set(name, (index = this.blocks++));
    return index;
  }

  /** The index of the last block, if it has this type, or else of a new one. */
  runOf(type: string): number {
    if (this.run?.type !== type) this.run = { type, index: this.blocks++ };
    return this.run.index;
  }

  add(block: ContentBlock): void {
    if (block.type === "tool_call_chunk") this.called = true;
    if ("metadata" in block) this.countKeys(block.metadata);
    if (block.type !== "text" && block.type !== this.run?.type) this.run = undefined;
    this.begun = true;
    this.content = added(this.content, block);
  }

  /**
   * Adds a piece of a text or of reasoning, unless all of it is `undefined`.
   *
   * @param place the index of its block, or the name of the block. Absent: the last block, if it has this type
   * @returns the index of the block
   */
  write(
    type: "text" | "reasoning",
    place: unknown,
    piece: string | undefined,
    { annotations, metadata, first }: PieceFields = noFields,
  ): number | undefined {
    if (piece === undefined && annotations === undefined && metadata === undefined) return undefined;
    const text = piece ?? "";
    const known = typeof place === "number" ? place : undefined;
    const index = known ?? (place === undefined ? this.runOf(type) : this.placeOf(place));
    const { size } = this.written;
    const begins = this.written.add(index).size > size;
    const block: Mutable<TextBlock> | Mutable<ReasoningBlock> =
      type === "text" ? { type, index, text } : { type, index, reasoning: text };
    if (annotations !== undefined) (block as Mutable<TextBlock>).annotations = annotations;
    const all = begins ? mergeMetadata(first, metadata) : metadata;
    if (all !== undefined) block.metadata = all;
    this.add(block);
    return index;
  }

  /** Adds a delta of a call, with the fields that are not `undefined`. */
  addCall(
    index: number,
    { id, name, args, metadata, error }: CallFields,
    type: CallChunkBlock["type"] = "tool_call_chunk",
  ): void {
    const block: Mutable<CallChunkBlock> = { type, index };
    if (id !== undefined) block.id = id;
    if (name !== undefined) block.name = name;
    if (args !== undefined) block.args = args;
    if (error !== undefined) block.error = error;
    if (metadata !== undefined) block.metadata = metadata;
    this.add(block);
  }

  addResult(toolCallId: string, failed: boolean, output: unknown, metadata?: Metadata): void {
    const fields = withoutUndefined({ output: output as JsonValue | undefined, metadata });
    this.add({ type: "server_tool_result", toolCallId, status: failed ? "error" : "success", ...fields });
  }

  /** Adds what no other block can say. */
  addOther(value: unknown): void {
    this.add({ type: "non_standard", value: value as JsonValue });
  }

  /** Notes a complete call. Returns whether it has come before: some servers send their calls once more at the end. */
  isGiven(id: string | undefined, name: unknown, args: string): boolean {
    if (id === undefined) return false;
    const { size } = this.given;
    return this.given.add(JSON.stringify([id, name, args])).size === size;
  }

  /** Servers repeat the id and the model in each payload. */
  head(id: unknown, model: unknown): void {
    if (id !== this.id && typeof id === "string" && id !== "") this.fields.id = this.id = id;
    if (model !== this.model && typeof model === "string" && model !== "") {
      this.fields.model = this.model = model;
    }
  }

  note(name: string, value: unknown): void {
    setMember((this.fields.metadata ??= {}), name, value as JsonValue);
    this.keys.add(name);
    checkKeyCount(this.keys.size);
  }

  noteAll(fields: Loose | undefined): void {
    for (const name in fields) {
      const value = fields[name];
      if (value !== undefined && value !== null) this.note(name, value);
    }
  }

  /** Adds the fields with these names that differ from the last ones. Default: all fields */
  noteNew(fields: Loose, names: readonly string[] = Object.keys(fields)): void {
    for (const name of names) {
      const value = fields[name];
      if (value !== undefined && value !== null && this.isNew(name, value)) this.note(name, value);
    }
  }

  /** Adds a field that each payload repeats: an object each time, any other value once. */
  noteOnce(name: string, value: unknown): void {
    if (value === undefined || value === null) return;
    if (typeof value === "object" || this.isNew(name, true)) this.note(name, value);
  }

  /** Whether the value differs from the last one with this name. */
  isNew(name: string, value: unknown): boolean {
    const known = typeof value === "object" ? jsonText(value).text : value;
    if (this.last.get(name) === known) return false;
    this.last.set(name, known);
    return true;
  }

  /** The lists of all chunks are concatenated. Returns whether there were any. @param nameOf their metadata keys */
  addLists(lists: unknown, nameOf = (key: string): string => key): boolean {
    if (!isRecord(lists)) return false;
    let any = false;
    for (const [key, list] of Object.entries(lists)) {
      if (!Array.isArray(list) || list.length === 0) continue;
      const name = nameOf(key);
      const delta = (this.fields.metadataDelta ??= {}) as JsonObject;
      const before = Object.hasOwn(delta, name) ? (delta[name] as JsonValue[]) : undefined;
      if (before === undefined) setMember(delta, name, list.slice() as JsonValue[]);
      else for (const item of list) before.push(item as JsonValue);
      this.keys.add(name);
      any = true;
    }
    checkKeyCount(this.keys.size);
    return any;
  }

  /** Adds token log probabilities in the format of OpenAI: `{content: [...], refusal: [...]}`. */
  addLogprobs(logprobs: unknown): boolean {
    return this.addLists(logprobs, (kind) => (kind === "content" ? "logprobs" : `${kind}_logprobs`));
  }

  refuse(text: string | undefined): void {
    if (text === undefined) return;
    this.fields.refusal = (this.fields.refusal ?? "") + text;
    this.begun = this.due = true;
  }

  /** @param usage the counts so far */
  count(usage: Usage | undefined): void {
    if (usage !== undefined) this.fields.usage = usage;
  }

  /** @param usage added to the counts so far */
  countMore(usage: Usage | undefined): void {
    if (usage !== undefined) this.fields.usageDelta = usage;
  }

  /** @param reason `mapFinishReason(word, draft.called)` if the provider ends a call like a text */
  finish(word: string | undefined, reason: FinishReason = mapFinishReason(word ?? "stop")): void {
    this.fields.finishReason = reason;
    if (word !== undefined) this.fields.providerFinishReason = word;
    this.begun = this.finished = this.due = true;
  }

  /** Lets the fields wait no longer. */
  send(): void {
    this.due = true;
  }

  /** The next chunk, if one is due. */
  take(): MessageChunk | undefined {
    const { content, fields } = this;
    const any = hasFields(fields);
    if (content.length === 0 && !(any && (this.due || this.finished))) return undefined;
    this.due = false;
    this.content = [];
    if (!any) return { content };
    this.fields = {};
    return { content, ...fields };
  }

  /** Merging copies all metadata so far, so the keys of the message and its blocks are counted together. */
  private countKeys(metadata: Metadata | undefined): void {
    for (const key in metadata) this.keys.add(key);
    checkKeyCount(this.keys.size);
  }
}

interface PieceFields {
  readonly annotations?: readonly Annotation[] | undefined;
  readonly metadata?: Metadata | undefined;
  /** More metadata of the block, if this is its first piece. */
  readonly first?: Metadata | undefined;
}

/** One object, because most tokens have no fields. */
const noFields: PieceFields = {};

interface CallFields extends Pick<PieceFields, "metadata"> {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: string | undefined;
  /** Why no tool may run for the call. */
  readonly error?: string | undefined;
}
