import { readProviderError, streamError } from "../../http/provider-error.js";
import { firstAnswer, isRecord, type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import type { MessageDecoder } from "../../wire/decoder-stage.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { wordsIn } from "../../../text/words-in.js";
import { PartReader } from "./part-reader.js";
import { Sources } from "./sources.js";
import { mapGeminiUsage } from "./usage.js";

/** Decodes one message, response by response. */
export class GeminiDecoder implements MessageDecoder {
  private readonly draft: ChunkDraft;
  private readonly parts: PartReader;
  private readonly sources = new Sources();

  constructor(draft: ChunkDraft) {
    this.draft = draft;
    this.parts = new PartReader(draft);
  }

  read(response: Loose): void {
    const { draft } = this;
    const { candidates, promptFeedback, usageMetadata } = response;
    const candidate = firstAnswer(candidates); // interleaved with others if `candidateCount` is above 1
    if (candidate === undefined || response["error"] !== undefined) {
      const error = readProviderError(response);
      if (error !== undefined) throw streamError(error);
    }
    if (candidate !== undefined || isRecord(promptFeedback)) draft.begun = true;
    else if (!isRecord(usageMetadata)) draft.unrecognised = true;
    draft.head(response["responseId"], response["modelVersion"]);
    this.note(response, headKeys);
    if (isRecord(usageMetadata)) {
      this.note(usageMetadata, usageKeys);
      const usage = mapGeminiUsage(usageMetadata);
      if (usage !== undefined && draft.isNew("usage", usage)) draft.count(usage);
    }
    if (candidate !== undefined) this.readCandidate(candidate);
    if (isRecord(promptFeedback)) this.readFeedback(promptFeedback);
  }

  /** Adds the sources that arrived after the finish reason. */
  end(complete: boolean): void {
    if (complete) this.addSources();
  }

  private readCandidate(candidate: Loose): void {
    const { draft } = this;
    const { content, finishReason, groundingMetadata, citationMetadata } = candidate;
    const parts = isRecord(content) ? content["parts"] : undefined;
    if (Array.isArray(parts)) for (const part of parts) this.parts.read(part);
    this.note(candidate, candidateKeys);
    if (groundingMetadata !== undefined || citationMetadata !== undefined) this.sources.read(candidate);
    draft.addLists(candidate["logprobsResult"]);
    const word = finishReason === unspecified ? undefined : nonEmptyText(finishReason);
    if (word === undefined) return;
    // Gemini sends STOP after a call, too.
    const reason = mapFinishReason(word, draft.called);
    // After any other reason an open call is cut and must not look complete.
    if (reason === "tool_calls") this.parts.end();
    // Each time, all texts are read again. So later sources wait for the end of the stream.
    if (!draft.finished) this.addSources();
    draft.finish(word, reason);
  }

  /** The prompt was refused, so no candidate will follow. */
  private readFeedback(feedback: Loose): void {
    const { draft } = this;
    draft.note("promptFeedback", feedback);
    const word = nonEmptyText(feedback["blockReason"]);
    if (word === undefined || draft.finished) return;
    draft.finish(word, "content_filter");
    draft.refuse(nonEmptyText(feedback["blockReasonMessage"]));
  }

  private addSources(): void {
    for (const block of this.sources.take(this.parts.texts)) this.draft.add(block);
  }

  private note(object: Loose, keys: readonly string[]): void {
    for (const key of keys) this.draft.noteNew(key, object[key]);
  }
}

const unspecified = "FINISH_REASON_UNSPECIFIED";

const headKeys: readonly string[] = ["createTime", "modelStatus"];

const usageKeys: readonly string[] = ["trafficType"];

const candidateKeys: readonly string[] = wordsIn(`
  finishMessage safetyRatings groundingMetadata citationMetadata urlContextMetadata avgLogprobs
  continuationToken
`);
