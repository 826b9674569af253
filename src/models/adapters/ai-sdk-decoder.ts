import type { Citation } from "../../messages/blocks/annotations.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { Usage } from "../../messages/usage.js";
import { noop } from "../../stream/core/result.js";
import { mediaKind } from "../../text/bytes/media-kind.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { fieldOf } from "../../text/thrown.js";
import { ModelError } from "../contract/errors.js";
import { asNumber, type Loose, asRecord, nonEmptyText, scalarText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import type { MessageDecoder } from "../wire/decoder-stage.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { argumentText, plainFields, plainJson } from "../wire/plain-json.js";
import { usageReader } from "../wire/usage-reader.js";
import { withoutUndefined } from "../../json/value.js";

/** Decodes the parts of one AI SDK run. */
export class AiSdkDecoder implements MessageDecoder {
  private readonly draft: ChunkDraft;
  /** The next step may reuse the ids. */
  private step = 0;
  private calls = new Map<unknown, SdkCall>();
  private lastText: number | undefined;
  /** Sources that arrived before any text. */
  private readonly sources: Citation[] = [];
  /** The reader of each type of part. Other parts become `non_standard`. */
  private readonly readers = new Map<unknown, (part: Loose) => void>([
    ["start", noop],
    ["raw", noop],
    ["start-step", (part) => this.startStep(part)],
    ["text-start", (part) => this.readText(part)],
    ["text-delta", (part) => this.readText(part)],
    ["text-end", (part) => this.readText(part)],
    ["reasoning-start", (part) => this.readReasoning(part)],
    ["reasoning-delta", (part) => this.readReasoning(part)],
    ["reasoning-end", (part) => this.readReasoning(part)],
    ["tool-input-start", (part) => this.beginCall(part["id"], part, part["inputEncoding"] === "text")],
    ["tool-input-delta", (part) => this.readInput(part)],
    ["tool-input-end", noop],
    ["tool-call", (part) => this.readCall(part)],
    ["tool-result", (part) => this.readResult(part)],
    ["tool-error", (part) => this.readResult(part)],
    ["source", (part) => this.readSource(part)],
    ["file", (part) => this.readFile(part)],
    ["finish-step", (part) => this.finish(part)],
    ["finish", (part) => this.finish(part)],
    ["error", ({ error }) => fail(mapError(error))],
    ["abort", ({ reason }) => fail(abortError(reason))],
  ]);

  constructor(draft: ChunkDraft) {
    this.draft = draft;
  }

  read(part: Loose): void {
    const reader = this.readers.get(part["type"]);
    if (reader === undefined) this.draft.addOther(plainJson(part));
    else reader(part);
  }

  private startStep({ warnings }: Loose): void {
    this.step++;
    this.calls = new Map();
    if (!Array.isArray(warnings) || warnings.length === 0) return;
    this.draft.note("warnings", plainJson(warnings));
    this.draft.send();
  }

  private readText(part: Loose): void {
    const piece = nonEmptyText(part["text"]);
    const metadata = metadataOf(part);
    if (piece === undefined && metadata === undefined) return;
    this.lastText = this.draft.placeOf(`${this.step} text ${scalarText(part["id"])}`);
    this.draft.write("text", this.lastText, piece, { metadata, annotations: this.takeSources() });
  }

  private readReasoning(part: Loose): void {
    const place = `${this.step} reasoning ${scalarText(part["id"])}`;
    this.draft.write("reasoning", place, nonEmptyText(part["text"]), { metadata: metadataOf(part) });
  }

  private beginCall(id: unknown, part: Loose, awaitsCompleteCall: boolean): SdkCall {
    const type = part["providerExecuted"] === true ? "server_tool_call_chunk" : "tool_call_chunk";
    const call: SdkCall = { type, index: this.draft.nextBlock(), awaitsCompleteCall, written: false };
    this.calls.set(id, call);
    const names = { id: nonEmptyText(id), name: nonEmptyText(part["toolName"]) };
    this.draft.addCall(call.index, { ...names, metadata: metadataOf(part) }, type);
    return call;
  }

  private readInput(part: Loose): void {
    const args = nonEmptyText(part["delta"]);
    const call = this.calls.get(part["id"]);
    if (args === undefined || call === undefined || call.awaitsCompleteCall) return;
    call.written = true;
    this.draft.addCall(call.index, { args, metadata: metadataOf(part) }, call.type);
  }

  /** Reads a complete call, which repeats streamed arguments. */
  private readCall(part: Loose): void {
    const { toolCallId, input } = part;
    const before = this.calls.get(toolCallId);
    const call = before ?? this.beginCall(toolCallId, part, false);
    const metadata = before === undefined ? undefined : metadataOf(part);
    const args =
      call.written || input === undefined ? undefined : argumentsOf(input, call.awaitsCompleteCall);
    call.written = true;
    if (args !== undefined || metadata !== undefined)
      this.draft.addCall(call.index, { args, metadata }, call.type);
  }

  private readResult(part: Loose): void {
    if (part["preliminary"] === true) return; // the final result repeats it
    if (part["providerExecuted"] !== true) {
      this.draft.addOther(plainJson(part));
      return;
    }
    const failed = part["type"] === "tool-error";
    const output = failed ? part["error"] : part["output"];
    const plain = output === undefined ? undefined : plainJson(output);
    this.draft.addResult(scalarText(part["toolCallId"]), failed, plain, metadataOf(part));
  }

  private readSource(part: Loose): void {
    this.sources.push(mapCitation(part));
    if (this.lastText !== undefined) this.addSources(this.lastText);
  }

  private readFile(part: Loose): void {
    const { base64, mediaType } = asRecord(part["file"]);
    const mimeType = nonEmptyText(mediaType);
    const type = mediaKind(mimeType ?? "");
    const index = type === "audio" ? this.draft.nextBlock() : undefined;
    const fields = { index, data: nonEmptyText(base64), mimeType, metadata: metadataOf(part) };
    this.draft.add({ type, ...withoutUndefined(fields) });
  }

  /** The usage of steps is added up, then replaced by the total. */
  private finish(part: Loose): void {
    const { draft } = this;
    // A block for citations that arrived without a text.
    if (this.sources.length > 0) this.addSources(draft.nextBlock());
    const response = asRecord(part["response"]);
    draft.head(response["id"], response["modelId"]);
    draft.noteAll(plainFields(part["providerMetadata"]));
    draft.countMore(mapSdkUsage(part["usage"]));
    draft.count(mapSdkUsage(part["totalUsage"]));
    const word = nonEmptyText(part["finishReason"]);
    const raw = nonEmptyText(part["rawFinishReason"]) ?? word;
    // The SDK calls words that it does not know "other", and a turn that only pauses "stop".
    const said = mapFinishReason(raw ?? "other");
    const known = mapFinishReason(word ?? "other");
    const isOverruled = known === "other" || said === "pause" || said === "error";
    if (word !== undefined) draft.finish(raw, isOverruled ? said : known);
    draft.finished = part["type"] === "finish";
    draft.send();
  }

  private addSources(block: number): void {
    this.draft.write("text", block, undefined, { annotations: this.takeSources() });
  }

  private takeSources(): readonly Citation[] | undefined {
    const sources = this.sources.splice(0);
    return sources.length === 0 ? undefined : sources;
  }
}

interface SdkCall {
  readonly type: CallChunkBlock["type"];
  readonly index: number;
  /** Its deltas are not JSON, so the arguments are taken from the complete call. */
  readonly awaitsCompleteCall: boolean;
  written: boolean;
}

function metadataOf(part: Loose): Metadata | undefined {
  return plainFields(part["providerMetadata"]);
}

/** @param isText whether the input was streamed as text, so that a string is not JSON */
function argumentsOf(input: unknown, isText: boolean): string {
  return typeof input === "string" && !isText ? input : argumentText(input);
}

function mapCitation(part: Loose): Citation {
  const { url, title, id, mediaType, filename, providerMetadata } = part;
  const metadata = plainFields({ id, mediaType, filename, ...asRecord(providerMetadata) });
  return {
    type: "citation",
    ...withoutUndefined({ url: nonEmptyText(url), title: nonEmptyText(title), metadata }),
  };
}

/** Maps the usage of the SDK, or of its language models: V2 has numbers, and since V3 the counts are split up. */
export const mapSdkUsage: (counts: unknown) => Usage | undefined = usageReader({
  inputTokens: "inputTokens inputTokens.total",
  outputTokens: "outputTokens outputTokens.total",
  totalTokens: "totalTokens",
  cacheReadTokens: "inputTokenDetails.cacheReadTokens inputTokens.cacheRead cachedInputTokens",
  cacheWriteTokens: "inputTokenDetails.cacheWriteTokens inputTokens.cacheWrite",
  reasoningTokens: "outputTokenDetails.reasoningTokens outputTokens.reasoning reasoningTokens",
});

function mapError(cause: unknown): ModelError {
  const problem = excerpt(messageOf(cause));
  return new ModelError("provider", `The AI SDK reported an error in the stream: ${problem}`, {
    status: asNumber(fieldOf(cause, "statusCode")),
    retryable: fieldOf(cause, "isRetryable") === true,
    cause,
  });
}

function abortError(reason: unknown): DOMException {
  return new DOMException(nonEmptyText(reason) ?? "The AI SDK's stream was aborted.", "AbortError");
}

function fail(error: Error): never {
  throw error;
}
