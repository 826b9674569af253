import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import type { MessageFields } from "../../../messages/merge/merge-fields.js";
import type { Mutable } from "../../../messages/merge/mutable.js";
import { jsonText } from "../../../text/json-text.js";
import { truncatedMessageError, noAnswerError } from "../../wire/truncation.js";
import { addMetadata, addMetadataLists } from "../../wire/metadata.js";
import { firstAnswer, isRecord, type Loose, nonEmptyText } from "../../loose.js";
import { readProviderError, streamError } from "../../http/provider-error.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { PartReader } from "./part-reader.js";
import { Sources } from "./sources.js";
import { mapGeminiUsage } from "./usage.js";
import { wordsIn } from "../../../text/words-in.js";

/** Decodes one message, response by response. */
export class GeminiDecoder {
  /**
   * Fields that changed since the last chunk. Each response repeats its head and counts, so they wait for a chunk with
   * content.
   */
  private pending: Mutable<MessageFields> = {};
  private readonly seen = new Map<string, string>();
  private readonly parts = new PartReader();
  private readonly sources = new Sources();
  private began = false;
  private unrecognised = false;
  private finished = false;

  /** Returns what the response adds to the message, if anything. */
  read(response: Loose): MessageChunk | undefined {
    const candidates: unknown = response["candidates"];
    const candidate = firstAnswer(candidates); // interleaved with others if `candidateCount` is above 1
    if (candidate === undefined || response["error"] !== undefined) {
      const error = readProviderError(response);
      if (error !== undefined) throw streamError(error);
    }
    const feedback = response["promptFeedback"];
    if (candidate !== undefined || isRecord(feedback)) this.began = true;
    else if (!isRecord(response["usageMetadata"])) this.unrecognised = true;

    this.readHead(response);
    const content = candidate === undefined ? [] : this.readCandidate(candidate);
    if (isRecord(feedback)) this.readFeedback(feedback);
    if (content.length === 0 && !(this.finished && Object.keys(this.pending).length > 0)) return undefined;
    const { pending } = this;
    this.pending = {};
    return { content, ...pending };
  }

  /**
   * Gemini sends no end marker. The end of the body is valid only after a finish reason.
   *
   * @returns the sources that arrived after the finish reason
   */
  end(): MessageChunk | undefined {
    if (this.finished) {
      const content = this.sources.take(this.parts.texts);
      return content.length === 0 ? undefined : { content };
    }
    if (this.unrecognised && !this.began) throw noAnswerError("no response had a candidate");
    throw truncatedMessageError(this.began, "without a finish reason");
  }

  private readHead(response: Loose): void {
    const { responseId, modelVersion, usageMetadata } = response;
    if (this.isNew("responseId", responseId)) this.pending.id = responseId;
    if (this.isNew("modelVersion", modelVersion)) this.pending.model = modelVersion;
    this.note(response, headKeys);
    if (!isRecord(usageMetadata)) return;
    this.note(usageMetadata, usageKeys);
    const usage = mapGeminiUsage(usageMetadata);
    if (usage !== undefined && this.isNew("usage", JSON.stringify(usage))) this.pending.usage = usage;
  }

  private readCandidate(candidate: Loose): ContentBlock[] {
    const { content, finishReason } = candidate;
    const blocks: ContentBlock[] = [];
    const parts = isRecord(content) ? content["parts"] : undefined;
    if (Array.isArray(parts)) for (const part of parts) this.parts.read(part, blocks);
    this.note(candidate, candidateKeys);
    if (candidate["groundingMetadata"] !== undefined || candidate["citationMetadata"] !== undefined) {
      this.sources.read(candidate);
    }

    const word = finishReason === unspecified ? undefined : nonEmptyText(finishReason);
    const ends = word !== undefined && !this.finished;
    if (word !== undefined) {
      // Gemini sends STOP after a call, too.
      const reason = mapFinishReason(word, this.parts.called);
      this.finished = true;
      this.pending.finishReason = reason;
      this.pending.providerFinishReason = word;
      // After any other reason an open call is cut and must not look complete.
      if (reason === "tool_calls") blocks.push(...this.parts.end());
    }
    addMetadataLists(this.pending, candidate["logprobsResult"]);
    // Each time, all texts are read again. So later sources wait for the end of the stream.
    return ends ? blocks.concat(this.sources.take(this.parts.texts)) : blocks;
  }

  /** The prompt was refused, so no candidate will follow. */
  private readFeedback(feedback: Loose): void {
    const { blockReason, blockReasonMessage } = feedback;
    addMetadata(this.pending, "promptFeedback", feedback);
    if (typeof blockReason !== "string" || blockReason === "" || this.finished) return;
    this.finished = true;
    this.pending.finishReason = "content_filter";
    this.pending.providerFinishReason = blockReason;
    const refusal = nonEmptyText(blockReasonMessage);
    if (refusal !== undefined) this.pending.refusal = refusal;
  }

  private note(object: Loose, keys: readonly string[]): void {
    for (const key of keys) {
      const value = object[key];
      if (value === undefined || value === null || !this.isNew(key, jsonText(value).text)) continue;
      addMetadata(this.pending, key, value);
    }
  }

  private isNew(key: string, value: unknown): value is string {
    if (typeof value !== "string" || value === "" || this.seen.get(key) === value) return false;
    this.seen.set(key, value);
    return true;
  }
}

const unspecified = "FINISH_REASON_UNSPECIFIED";

const headKeys: readonly string[] = ["createTime", "modelStatus"];

const usageKeys: readonly string[] = ["trafficType"];

const candidateKeys: readonly string[] = wordsIn(`
  finishMessage safetyRatings groundingMetadata citationMetadata urlContextMetadata avgLogprobs
  continuationToken
`);
