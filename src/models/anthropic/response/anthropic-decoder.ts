import type { JsonObject } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import { hasFields, type MessageFields } from "../../../messages/merge/merge-fields.js";
import type { Mutable } from "../../../messages/merge/mutable.js";
import { addUsage } from "../../../messages/usage.js";
import { truncatedMessageError } from "../../wire/truncation.js";
import type { MessageDecoder } from "../../wire/decoder-stage.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { addMetadata } from "../../wire/metadata.js";
import { ModelError } from "../../contract/errors.js";
import { withoutUndefined, type Loose, asRecord, nonEmptyText, scalarText } from "../../loose.js";
import { type BlockReader, blockReader } from "./block-readers.js";
import { errorIn } from "./stream-error.js";
import { usageFields, mapAnthropicUsage } from "./usage.js";

/**
 * Decodes a stream event by event. Several messages in one stream become one: their blocks are concatenated and their
 * usage is added.
 */
export class AnthropicDecoder implements MessageDecoder {
  failure: ModelError | undefined;
  private readonly first: boolean;
  /** Fields that changed since the last chunk. The fields at the start wait for the first chunk with content. */
  private pending: Mutable<MessageFields> | undefined;
  /** Number of blocks of earlier messages: the next message reuses their indexes. */
  private blocks = 0;
  private readonly open = new Map<unknown, BlockReader>();

  /** The usage of finished messages. */
  private earlier: MessageFields["usage"];
  /** The counts of the current message so far. Later events repeat some of them. */
  private counts: Loose = {};
  /** The explanation of the last refusal. Later events repeat it. */
  private refusal: string | undefined;
  private state: "none" | "begun" | "answered" | "stopped" = "none";

  /** @param options `first`: read only the first message */
  constructor({ first = false }: { readonly first?: boolean } = {}) {
    this.first = first;
  }

  get ended(): boolean {
    return this.first && this.state === "stopped";
  }

  read(event: Loose): MessageChunk | undefined {
    const error = errorIn(event);
    return error === undefined ? this.readEvent(event) : this.fail(error);
  }

  end(marked: boolean): MessageChunk | undefined {
    if (this.state === "answered" || this.state === "stopped") return this.rest();
    if (marked && this.state === "none") return this.fail(withoutMessage());
    return this.fail(truncatedMessageError(this.state === "begun", "without a stop reason"));
  }

  private readEvent(event: Loose): MessageChunk | undefined {
    const { type } = event;
    switch (type) {
      case "content_block_delta": {
        const delta = asRecord(event["delta"]);
        const begun = this.open.get(event["index"]);
        const block = (begun ?? this.begin(event["index"], late(delta))).read(delta);
        return block === undefined ? undefined : this.chunkOf([block]);
      }
      case "content_block_start": {
        const before = this.open.get(event["index"])?.end();
        const block = this.begin(event["index"], asRecord(event["content_block"])).begin();
        const content = [before, block].filter((block) => block !== undefined);
        return content.length === 0 ? undefined : this.chunkOf(content);
      }
      case "content_block_stop": {
        const block = this.open.get(event["index"])?.end();
        this.open.delete(event["index"]);
        return block === undefined ? undefined : this.chunkOf([block]);
      }
      case "message_start":
        return this.start(asRecord(event["message"]));
      case "message_delta":
        return this.change(event);
      case "message_stop":
        if (this.state === "none") throw withoutMessage();
        this.state = "stopped";
        return this.rest();
      case "ping":
        return undefined;
      default:
        // Anthropic adds new events. Unknown ones must be ignored.
        this.noteMetadata({ [String(type)]: withoutType(event) });
        return undefined;
    }
  }

  /** Returns everything still open. */
  private rest(): MessageChunk | undefined {
    const content = this.close((reader) => reader.end());
    return content.length > 0 || this.pending !== undefined ? this.chunkOf(content) : undefined;
  }

  /** Before the error, returns the partial content of blocks that otherwise appear only when complete. */
  private fail(error: ModelError): MessageChunk | undefined {
    this.failure = error;
    const content = this.close((reader) => reader.cut?.());
    return content.length > 0 ? this.chunkOf(content) : undefined;
  }

  private start(message: Loose): MessageChunk | undefined {
    // Some gateways start a message twice. A new message follows only after a stop.
    if (this.state === "stopped") this.earlier = this.usage();
    this.counts = {};
    this.state = "begun";
    const { id, model, content, usage, stop_reason, ...others } = message;
    const { type: _, role: __, ...fields } = others;
    this.note(withoutUndefined({ id: nonEmptyText(id), model: nonEmptyText(model) }));
    this.noteMetadata(fields);
    this.count(asRecord(usage));
    const blocks = Array.isArray(content) ? content.flatMap((block) => this.whole(asRecord(block))) : [];
    const answered = this.finish(stop_reason);
    return blocks.length > 0 || answered ? this.chunkOf(blocks) : undefined;
  }

  private change(event: Loose): MessageChunk | undefined {
    const { delta, usage, ...others } = event;
    const { stop_reason, ...fields } = asRecord(delta);
    this.noteMetadata(withoutType(others));
    this.noteMetadata(fields);
    const refusal = nonEmptyText(asRecord(fields["stop_details"])["explanation"]);
    if (refusal !== undefined && refusal !== this.refusal) this.note({ refusal });
    this.refusal = refusal ?? this.refusal;
    this.count(asRecord(usage));
    this.finish(stop_reason);
    if (this.state === "answered") return this.rest();
    return this.pending === undefined ? undefined : this.chunkOf([]);
  }

  private finish(reason: unknown): boolean {
    if (typeof reason !== "string") return false;
    this.state = "answered";
    this.note({ finishReason: mapFinishReason(reason), providerFinishReason: reason });
    return true;
  }

  private begin(place: unknown, start: Loose): BlockReader {
    if (this.state === "none") this.state = "begun";
    const reader = blockReader(start, this.blocks++);
    this.open.set(place, reader);
    return reader;
  }

  /** Converts a block of a message that starts with content, as when a provider's tool has called one of ours. */
  private whole(start: Loose): ContentBlock[] {
    const reader = blockReader(start, this.blocks++);
    return [reader.begin(), reader.end()].filter((block) => block !== undefined);
  }

  private close(last: (reader: BlockReader) => ContentBlock | undefined): ContentBlock[] {
    const content = [...this.open.values()].map(last).filter((block) => block !== undefined);
    this.open.clear();
    return content;
  }

  private count(counts: Loose): void {
    const known = Object.entries(counts).filter(([, value]) => value !== null);
    this.counts = { ...this.counts, ...Object.fromEntries(known) };
    const usage = known.length === 0 ? undefined : this.usage();
    if (usage !== undefined) this.note({ usage });
    this.noteMetadata(Object.fromEntries(known.filter(([name]) => !usageFields.has(name))));
  }

  private usage(): MessageFields["usage"] {
    return addUsage(this.earlier, mapAnthropicUsage(this.counts));
  }

  private noteMetadata(fields: Loose): void {
    for (const [name, value] of Object.entries(fields)) {
      if (value !== null && value !== undefined) addMetadata((this.pending ??= {}), name, value);
    }
  }

  private note(fields: MessageFields): void {
    if (hasFields(fields)) this.pending = { ...this.pending, ...fields };
  }

  private chunkOf(content: readonly ContentBlock[]): MessageChunk {
    const { pending } = this;
    if (pending === undefined) return { content };
    this.pending = undefined;
    return { content, ...pending };
  }
}

function withoutMessage(): ModelError {
  return new ModelError("protocol", "The stream ended without a message.");
}

/** Creates the missing start of a block from its first delta. */
function late(delta: Loose): Loose {
  const type = scalarText(delta["type"]);
  return { type: startOf.get(type) ?? type };
}

const startOf: ReadonlyMap<string, string> = new Map([
  ["text_delta", "text"],
  ["citations_delta", "text"],
  ["thinking_delta", "thinking"],
  ["signature_delta", "thinking"],
  ["input_json_delta", "tool_use"],
]);

function withoutType({ type: _, ...fields }: Loose): JsonObject {
  return fields as JsonObject;
}
