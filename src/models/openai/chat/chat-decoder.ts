import type { JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { AudioBlock } from "../../../messages/blocks/media-blocks.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import { hasFields, type MessageFields } from "../../../messages/merge/merge-fields.js";
import type { Mutable } from "../../../messages/merge/mutable.js";
import { added } from "../../../stream/added.js";
import { truncatedMessageError, noAnswerError } from "../../wire/truncation.js";
import type { MessageDecoder } from "../../wire/decoder-stage.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { addLogprobs, addMetadata, addMetadataLists } from "../../wire/metadata.js";
import {
  firstAnswer,
  asNumber,
  asRecord,
  fieldsOrUndefined,
  isRecord,
  type Loose,
  nonEmptyText,
  withoutUndefined,
} from "../../loose.js";
import type { ModelError } from "../../contract/errors.js";
import { type ProviderError, readProviderError, streamError } from "../../http/provider-error.js";
import { CallDeltas } from "../../wire/call-deltas.js";
import { mapOpenAIAnnotation } from "../annotations.js";
import { mapOpenAIUsage } from "../usage.js";
import { wordsIn } from "../../../text/words-in.js";

/** Decodes the payloads of one message. */
export class ChatDecoder implements MessageDecoder {
  failure: ModelError | undefined;
  /**
   * Fields to send with the next chunk. The first payload often has only a role and an id, which is not worth a chunk.
   */
  private pending: Mutable<MessageFields> = {};
  private id: unknown;
  private model: unknown;
  private readonly seenKeys = new Set<string>();

  /** Blocks of the current payload. */
  private content: ContentBlock[] = [];
  private blocks = 0;
  private text: number | undefined;
  private reasoning: number | undefined;
  private audio: number | undefined;
  private readonly calls = new CallDeltas(() => this.blocks++);

  private answered = false;
  private finished = false;

  read(payload: Loose): MessageChunk | undefined {
    const choice = firstAnswer(payload["choices"]);
    const error = errorIn(payload, choice);
    if (error !== undefined) this.failure = streamError(error);
    this.readIds(payload);
    this.content = [];
    this.calls.beginPayload();
    let addsContent = false;
    if (choice !== undefined) {
      this.answered = true;
      addsContent = this.readChoice(choice);
    }
    const counts = payload["usage"] ?? groqUsage(payload);
    const usage = isRecord(counts) ? mapOpenAIUsage(counts) : undefined;
    if (usage !== undefined) this.pending.usage = usage;
    if (!addsContent && usage === undefined) return undefined;
    const { content, pending } = this;
    if (!hasFields(pending)) return { content };
    this.pending = {};
    return { content, ...pending };
  }

  end(marked: boolean): undefined {
    if (this.finished || (marked && this.answered)) return;
    throw marked
      ? noAnswerError("no payload had a choice")
      : truncatedMessageError(this.answered, "without a finish reason");
  }

  private readIds(payload: Loose): void {
    const { id, model } = payload;
    if (id !== this.id && typeof id === "string" && id !== "") {
      this.id = id;
      this.pending.id = id;
    }
    if (model !== this.model && typeof model === "string" && model !== "") {
      this.model = model;
      this.pending.model = model;
    }
    for (const key in payload) {
      const value = payload[key];
      if (value !== null && value !== undefined && !payloadFields.has(key)) this.addMetadata(key, value);
    }
  }

  /** Adds an unknown field to the metadata. Strings, numbers and booleans are added only once. */
  private addMetadata(key: string, value: unknown): void {
    if (typeof value !== "object" && this.seenKeys.has(key)) return;
    this.seenKeys.add(key);
    addMetadata(this.pending, key, value);
  }

  private readChoice(choice: Loose): boolean {
    const delta = choice["delta"] ?? choice["message"];
    if (isRecord(delta)) this.readDelta(delta);
    const reason = finishReasonIn(choice);
    const ends = reason !== undefined;
    if (ends) {
      this.finished = true;
      this.pending.finishReason = mapFinishReason(reason);
      this.pending.providerFinishReason = reason;
    }
    for (const key in choice) {
      const value = choice[key];
      if (value !== null && value !== undefined && !choiceFields.has(key)) this.addMetadata(key, value);
    }
    addLogprobs(this.pending, choice["logprobs"]);
    const { refusal, metadataDelta } = this.pending;
    return ends || this.content.length > 0 || refusal !== undefined || metadataDelta !== undefined;
  }

  private readDelta(delta: Loose): void {
    const own = nonEmptyText(delta["reasoning_content"]);
    // Some servers send both fields, with the same text, or "" in the one that they do not use.
    this.addReasoning(
      own ?? delta["reasoning"],
      own === undefined ? undefined : { type: "reasoning_content" },
    );
    for (const key in delta) {
      const value = delta[key];
      if (value === null || value === undefined) continue;
      switch (key) {
        case "content":
          if (Array.isArray(value)) for (const part of value) this.readPart(part);
          else this.addText(value);
          break;
        case "tool_calls":
          if (Array.isArray(value)) for (const call of value) this.addCall(call);
          break;
        case "function_call": // replaced by tool_calls in November 2023, but some servers still use it
          this.addCall({ index: 0, function: value });
          break;
        case "refusal":
          if (typeof value === "string" && value !== "") {
            this.pending.refusal = (this.pending.refusal ?? "") + value;
          }
          break;
        case "audio":
          if (isRecord(value)) this.add(mapAudio(value, (this.audio ??= this.blocks++)));
          break;
        case "annotations":
          if (Array.isArray(value) && value.length > 0) {
            const annotations = value.map(mapOpenAIAnnotation);
            this.add({ type: "text", index: (this.text ??= this.blocks++), text: "", annotations });
          }
          break;
        case "images": // OpenRouter
          if (Array.isArray(value)) for (const image of value) this.add(mapImage(image));
          break;
        case "role":
        case "reasoning":
        case "reasoning_content":
          break;
        default: // lists such as OpenRouter's `reasoning_details` are deltas
          if (Array.isArray(value)) addMetadataLists(this.pending, { [key]: value });
          else this.addMetadata(key, value);
      }
    }
  }

  /** Mistral writes `{type: "text", text}` and `{type: "thinking", thinking: [{type: "text", text}]}`. */
  private readPart(part: unknown): void {
    if (typeof part === "string") this.addText(part);
    if (!isRecord(part)) return;
    const { type, thinking, text } = part;
    if (type === "thinking" && Array.isArray(thinking)) {
      for (const thought of thinking) if (isRecord(thought)) this.addReasoning(thought["text"]);
    } else if (type === "thinking") this.addReasoning(thinking);
    else if (typeof text === "string") this.addText(text);
    else this.add(mapPart(part));
  }

  private add(block: ContentBlock): void {
    this.content = added(this.content, block);
  }

  private addCall(call: unknown): void {
    const block = this.calls.read(call);
    if (block !== undefined) this.add(block);
  }

  private addText(text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.add({ type: "text", index: (this.text ??= this.blocks++), text });
  }

  /** @param metadata of the block that the reasoning begins */
  private addReasoning(reasoning: unknown, metadata?: Metadata): void {
    if (typeof reasoning !== "string" || reasoning === "") return;
    const begins = this.reasoning === undefined && metadata !== undefined;
    const index = (this.reasoning ??= this.blocks++);
    this.add({ type: "reasoning", index, reasoning, ...(begins ? { metadata } : undefined) });
  }
}

/**
 * The fields of a payload that are not metadata. Azure, for example, adds its filters, and Perplexity its sources.
 * `obfuscation` is random padding that hides the length of tokens.
 */
const payloadFields: ReadonlySet<string> = new Set(
  wordsIn("id model choices usage x_groq object obfuscation error"),
);

const choiceFields: ReadonlySet<string> = new Set(
  wordsIn("index delta message finish_reason logprobs error"),
);

/** The error of the payload, or, from OpenRouter, that of its choice. */
function errorIn(payload: Loose, choice: Loose | undefined): ProviderError | undefined {
  const ofAll =
    choice === undefined || payload["error"] !== undefined ? readProviderError(payload) : undefined;
  const ofChoice = choice?.["error"] ?? undefined;
  return ofAll ?? (ofChoice === undefined ? undefined : readProviderError({ error: ofChoice }));
}

/** OpenRouter calls an end "stop" that Gemini calls `MALFORMED_FUNCTION_CALL`. */
function finishReasonIn({ finish_reason, native_finish_reason }: Loose): string | undefined {
  const reason = nonEmptyText(finish_reason);
  const native = nonEmptyText(native_finish_reason) ?? "";
  return reason !== undefined && mapFinishReason(native) === "error" ? native : reason;
}

/** Older Groq servers report usage only here. */
function groqUsage(payload: Loose): unknown {
  const own = payload["x_groq"];
  return isRecord(own) ? own["usage"] : undefined;
}

/**
 * Maps `delta.audio`. Requests refer to earlier speech by its id. The format is the requested one (a stream supports
 * only `pcm16`, 24 kHz); responses do not repeat it.
 */
function mapAudio(audio: Loose, index: number): AudioBlock {
  const metadata = fieldsOrUndefined({
    id: nonEmptyText(audio["id"]),
    expires_at: asNumber(audio["expires_at"]),
  });
  return {
    type: "audio",
    index,
    ...withoutUndefined({
      data: nonEmptyText(audio["data"]),
      transcript: nonEmptyText(audio["transcript"]),
      metadata,
    }),
  };
}

/** Maps a generated image in the format of OpenRouter: `{type: "image_url", image_url: {url}}`. */
function mapImage(image: unknown): ContentBlock {
  const url = nonEmptyText(asRecord(asRecord(image)["image_url"])["url"]);
  return url === undefined ? { type: "non_standard", value: image as JsonValue } : { type: "image", url };
}

/** Maps a content part that is neither text nor reasoning. */
function mapPart(part: Loose): ContentBlock {
  return part["type"] === "image_url" ? mapImage(part) : { type: "non_standard", value: part as JsonValue };
}
