import type { JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { AudioBlock } from "../../../messages/blocks/media-blocks.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import type { FinishReason } from "../../../messages/finish-reason.js";
import { hasFields, type MessageFields } from "../../../messages/merge/merge-fields.js";
import type { Mutable } from "../../../messages/merge/mutable.js";
import { added } from "../../../stream/added.js";
import { truncatedMessageError, noAnswerError } from "../../wire/truncation.js";
import type { MessageDecoder } from "../../wire/decoder-stage.js";
import { addLogprobs, addMetadataLists } from "../../wire/metadata-lists.js";
import {
  asNumber,
  asRecord,
  fieldsOrUndefined,
  isRecord,
  type Loose,
  nonEmptyText,
  withoutUndefined,
} from "../../loose.js";
import { readProviderError, streamError } from "../../http/provider-error.js";
import { CallDeltas } from "../../wire/call-deltas.js";
import { mapOpenAIAnnotation } from "../annotations.js";
import { mapOpenAIUsage } from "../usage.js";

/** One message, payload by payload. */
export class ChatDecoder implements MessageDecoder {
  /** New since the last chunk. The first payload is often a role and an id alone: its news wait for a chunk that says more. */
  private news: Mutable<MessageFields> = {};
  private id: unknown;
  private model: unknown;
  private readonly told = new Set<string>();

  /** Of the payload that is being read. */
  private content: ContentBlock[] = [];
  private blocks = 0;
  private text: number | undefined;
  private reasoning: number | undefined;
  private audio: number | undefined;
  private readonly calls = new CallDeltas(() => this.blocks++);

  private answered = false;
  private finished = false;

  read(payload: Loose): MessageChunk | undefined {
    const choices = payload["choices"];
    const choice = Array.isArray(choices) ? firstChoice(choices) : undefined;
    if (choice === undefined || payload["error"] !== undefined) {
      const error = readProviderError(payload);
      if (error !== undefined) throw streamError(error);
    }
    this.readHead(payload);
    this.content = [];
    let says = false;
    if (choice !== undefined) {
      this.answered = true;
      says = this.readChoice(choice);
    }
    const counts = payload["usage"] ?? groqUsage(payload);
    const usage = isRecord(counts) ? mapOpenAIUsage(counts) : undefined;
    if (usage !== undefined) this.news.usage = usage;
    if (!says && usage === undefined) return undefined;
    const { content, news } = this;
    if (!hasFields(news)) return { content };
    this.news = {};
    return { content, ...news };
  }

  end(marked: boolean): undefined {
    if (this.finished || (marked && this.answered)) return;
    throw marked
      ? noAnswerError("no payload had a choice")
      : truncatedMessageError(this.answered, "without a finish reason");
  }

  private readHead(payload: Loose): void {
    const { id, model } = payload;
    if (id !== this.id && typeof id === "string" && id !== "") {
      this.id = id;
      this.news.id = id;
    }
    if (model !== this.model && typeof model === "string" && model !== "") {
      this.model = model;
      this.news.model = model;
    }
    for (const key in payload) {
      const value = payload[key];
      if (value !== null && value !== undefined && !isReadElsewhere(key)) this.tell(key, value);
    }
  }

  /** What has no other place: told once, unless there is more to it than a word or a number. */
  private tell(key: string, value: unknown): void {
    if (typeof value !== "object" && this.told.has(key)) return;
    this.told.add(key);
    this.news.metadata = { ...this.news.metadata, [key]: value as JsonValue };
  }

  private readChoice(choice: Loose): boolean {
    const delta = choice["delta"] ?? choice["message"];
    if (isRecord(delta)) this.readDelta(delta);
    const reason = choice["finish_reason"];
    const ends = typeof reason === "string" && reason !== "";
    if (ends) {
      this.finished = true;
      this.news.finishReason = mapFinishReason(reason);
      this.news.providerFinishReason = reason;
    }
    for (const key in choice) {
      const value = choice[key];
      if (value !== null && value !== undefined && !isReadInChoice(key)) this.tell(key, value);
    }
    addLogprobs(this.news, choice["logprobs"]);
    const { refusal, metadataDelta } = this.news;
    return ends || this.content.length > 0 || refusal !== undefined || metadataDelta !== undefined;
  }

  private readDelta(delta: Loose): void {
    this.addReasoning(reasoningIn(delta));
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
        case "function_call": // what the tool_calls were before November 2023; some servers still have it
          this.addCall({ index: 0, function: value });
          break;
        case "refusal":
          if (typeof value === "string" && value !== "") {
            this.news.refusal = (this.news.refusal ?? "") + value;
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
        default: // lists such as OpenRouter's `reasoning_details` are deltas here
          if (Array.isArray(value)) addMetadataLists(this.news, { [key]: value });
          else this.tell(key, value);
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

  private addReasoning(reasoning: unknown): void {
    if (typeof reasoning !== "string" || reasoning === "") return;
    this.add({ type: "reasoning", index: (this.reasoning ??= this.blocks++), reasoning });
  }
}

/** A payload says the rest about the message as a whole, such as Azure its filters and Perplexity its sources. */
function isReadElsewhere(key: string): boolean {
  switch (key) {
    case "id":
    case "model":
    case "choices":
    case "usage":
    case "x_groq":
    case "object":
    case "obfuscation": // noise against guessing tokens from the length of packets
    case "error":
      return true;
    default:
      return false;
  }
}

function isReadInChoice(key: string): boolean {
  switch (key) {
    case "index":
    case "delta":
    case "message":
    case "finish_reason":
    case "logprobs":
      return true;
    default:
      return false;
  }
}

/** With `n` above 1 the choices come mixed; without an index there is one. */
function firstChoice(choices: readonly unknown[]): Loose | undefined {
  for (const choice of choices) if (isRecord(choice) && (choice["index"] ?? 0) === 0) return choice;
  return undefined;
}

/** Some servers send both, with the same text; and "" in the one that they do not use. */
function reasoningIn({ reasoning_content, reasoning }: Loose): unknown {
  return typeof reasoning_content === "string" && reasoning_content !== "" ? reasoning_content : reasoning;
}

/** Groq's older servers report only here. */
function groqUsage(payload: Loose): unknown {
  const own = payload["x_groq"];
  return isRecord(own) ? own["usage"] : undefined;
}

/**
 * `delta.audio`: what a piece of speech adds. Its id is how it goes back to the model. The format is the one that was
 * asked for (a stream has `pcm16` only, 24 kHz), and not named in the answer.
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

/** A picture that the model made, as OpenRouter sends it: `{type: "image_url", image_url: {url}}`. */
function mapImage(image: unknown): ContentBlock {
  const url = nonEmptyText(asRecord(asRecord(image)["image_url"])["url"]);
  return url === undefined ? { type: "non_standard", value: image as JsonValue } : { type: "image", url };
}

/** A part of a content that is neither text nor thought. */
function mapPart(part: Loose): ContentBlock {
  return part["type"] === "image_url" ? mapImage(part) : { type: "non_standard", value: part as JsonValue };
}

/** The word of an OpenAI-compatible server in our vocabulary. */
function mapFinishReason(word: string): FinishReason {
  return words.get(word) ?? "other";
}

const words: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["eos", "stop"], // Together
  ["length", "length"],
  ["model_length", "length"], // Mistral: the context is full
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["error", "error"], // Mistral, OpenRouter
  ["insufficient_system_resource", "error"], // DeepSeek
]);
