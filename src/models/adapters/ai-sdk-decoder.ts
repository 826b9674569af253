import type { Citation } from "../../messages/blocks/annotations.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { Usage } from "../../messages/usage.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { fieldOf } from "../../text/thrown.js";
import { ModelError } from "../contract/errors.js";
import {
  asNumber,
  isRecord,
  withoutUndefined,
  type Loose,
  asRecord,
  fieldsOrUndefined,
  nonEmptyText,
  scalarText,
} from "../loose.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { argumentText, plainFields, plainJson } from "../wire/plain-json.js";
import { unexpectedError } from "../wire/unexpected-error.js";

/** Decodes the parts of one AI SDK run. */
export class AiSdkDecoder {
  private blocks = 0;
  /** Blocks of the current step by id. The next step may reuse the ids. */
  private texts = new Map<unknown, number>();
  private reasonings = new Map<unknown, number>();
  private calls = new Map<unknown, SdkCall>();
  private lastText: number | undefined;
  /** Sources that arrived before any text. */
  private sources: Citation[] = [];
  private finished = false;

  /** Returns what the part adds to the message, if anything. */
  read(part: unknown): MessageChunk | undefined {
    if (!isRecord(part) || typeof part["type"] !== "string") {
      throw unexpectedError("a part of the AI SDK's fullStream", part);
    }
    switch (part["type"]) {
      case "start":
      case "raw":
      case "tool-input-end":
        return undefined;
      case "start-step":
        return this.startStep(part);
      case "text-start":
      case "text-delta":
      case "text-end":
        return this.readText(part);
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.readReasoning(part);
      case "tool-input-start":
        return content(this.beginCall(part["id"], part, part["inputEncoding"] === "text"));
      case "tool-input-delta":
        return this.readInput(part);
      case "tool-call":
        return this.readCall(part);
      case "tool-result":
      case "tool-error":
        return this.readResult(part);
      case "source":
        return this.readSource(part);
      case "file":
        return content(this.fileOf(part));
      case "finish-step":
        return this.finishStep(part);
      case "finish":
        return this.finish(part);
      case "error":
        throw mapError(part["error"]);
      case "abort":
        throw new DOMException(
          nonEmptyText(part["reason"]) ?? "The AI SDK's stream was aborted.",
          "AbortError",
        );
      default:
        return content({ type: "non_standard", value: plainJson(part) });
    }
  }

  end(): void {
    if (this.finished) return;
    throw new ModelError("cut", "The AI SDK's stream ended without its finish part.", { retryable: true });
  }

  private startStep({ warnings }: Loose): MessageChunk | undefined {
    this.texts = new Map();
    this.reasonings = new Map();
    this.calls = new Map();
    if (!Array.isArray(warnings) || warnings.length === 0) return undefined;
    return { content: [], metadata: { warnings: plainJson(warnings) } };
  }

  private readText(part: Loose): MessageChunk | undefined {
    const text = nonEmptyText(part["text"]) ?? "";
    const metadata = metadataOf(part);
    if (text === "" && metadata === undefined) return undefined;
    const index = indexOf(this.texts, part["id"], () => this.blocks++);
    this.lastText = index;
    const annotations = this.sources;
    this.sources = [];
    return content({
      type: "text",
      index,
      text,
      ...(annotations.length === 0 ? undefined : { annotations }),
      ...metadata,
    });
  }

  private readReasoning(part: Loose): MessageChunk | undefined {
    const reasoning = nonEmptyText(part["text"]) ?? "";
    const metadata = metadataOf(part);
    if (reasoning === "" && metadata === undefined) return undefined;
    const index = indexOf(this.reasonings, part["id"], () => this.blocks++);
    return content({ type: "reasoning", index, reasoning, ...metadata });
  }

  private beginCall(id: unknown, part: Loose, awaitsCompleteCall: boolean): CallChunk {
    const name = nonEmptyText(part["toolName"]);
    const type = part["providerExecuted"] === true ? "server_tool_call_chunk" : "tool_call_chunk";
    const call: SdkCall = { type, index: this.blocks++, awaitsCompleteCall, written: false };
    this.calls.set(id, call);
    return {
      type,
      index: call.index,
      ...withoutUndefined({ id: nonEmptyText(id), name }),
      ...metadataOf(part),
    };
  }

  private readInput(part: Loose): MessageChunk | undefined {
    const args = nonEmptyText(part["delta"]);
    const call = this.calls.get(part["id"]);
    if (args === undefined || call === undefined || call.awaitsCompleteCall) return undefined;
    call.written = true;
    return content({ type: call.type, index: call.index, args, ...metadataOf(part) });
  }

  /** Reads a complete call, which repeats streamed arguments. */
  private readCall(part: Loose): MessageChunk | undefined {
    const { toolCallId, input } = part;
    const before = this.calls.get(toolCallId);
    const begun = before === undefined ? this.beginCall(toolCallId, part, false) : undefined;
    const call = this.calls.get(toolCallId) as SdkCall;
    const metadata = metadataOf(part);
    const args =
      call.written || input === undefined ? undefined : argumentsOf(input, call.awaitsCompleteCall);
    call.written = true;
    if (begun === undefined && args === undefined && metadata === undefined) return undefined;
    return content({
      type: call.type,
      index: call.index,
      ...begun,
      ...withoutUndefined({ args }),
      ...metadata,
    });
  }

  private readResult(part: Loose): MessageChunk | undefined {
    if (part["preliminary"] === true) return undefined; // the final result repeats it
    if (part["providerExecuted"] !== true) return content({ type: "non_standard", value: plainJson(part) });
    const failed = part["type"] === "tool-error";
    const output = failed ? part["error"] : part["output"];
    return content({
      type: "server_tool_result",
      toolCallId: scalarText(part["toolCallId"]),
      status: failed ? "error" : "success",
      ...(output === undefined ? undefined : { output: plainJson(output) }),
      ...metadataOf(part),
    });
  }

  private readSource(part: Loose): MessageChunk | undefined {
    const citation = mapCitation(part);
    if (this.lastText !== undefined) {
      return content({ type: "text", index: this.lastText, text: "", annotations: [citation] });
    }
    this.sources.push(citation);
    return undefined;
  }

  private fileOf(part: Loose): ContentBlock {
    const file = asRecord(part["file"]);
    const media = withoutUndefined({
      data: nonEmptyText(file["base64"]),
      mimeType: nonEmptyText(file["mediaType"]),
    });
    const fields = { ...media, ...metadataOf(part) };
    switch (media.mimeType?.split("/")[0]) {
      case "image":
        return { type: "image", ...fields };
      case "video":
        return { type: "video", ...fields };
      case "audio":
        return { type: "audio", index: this.blocks++, ...fields };
      default:
        return { type: "file", ...fields };
    }
  }

  private finishStep(part: Loose): MessageChunk {
    const response = asRecord(part["response"]);
    const usageDelta = mapUsage(part["usage"]);
    const metadata = plainFields(part["providerMetadata"]);
    return {
      content: this.remainingSources(),
      ...withoutUndefined({ id: nonEmptyText(response["id"]), model: nonEmptyText(response["modelId"]) }),
      ...mapEnding(part),
      ...withoutUndefined({ usageDelta, metadata }),
    };
  }

  private finish(part: Loose): MessageChunk {
    this.finished = true;
    const usage = mapUsage(part["totalUsage"]);
    return { content: this.remainingSources(), ...mapEnding(part), ...withoutUndefined({ usage }) };
  }

  /** A block for citations that arrived without a text. */
  private remainingSources(): ContentBlock[] {
    const annotations = this.sources;
    this.sources = [];
    return annotations.length === 0 ? [] : [{ type: "text", index: this.blocks++, text: "", annotations }];
  }
}

type CallChunk = Extract<ContentBlock, { type: "tool_call_chunk" | "server_tool_call_chunk" }>;

interface SdkCall {
  readonly type: CallChunk["type"];
  readonly index: number;
  /** Its deltas are not JSON, so the arguments are taken from the complete call. */
  readonly awaitsCompleteCall: boolean;
  written: boolean;
}

function content(block: ContentBlock): MessageChunk {
  return { content: [block] };
}

function indexOf(blocks: Map<unknown, number>, id: unknown, next: () => number): number {
  const index = blocks.get(id) ?? next();
  blocks.set(id, index);
  return index;
}

function metadataOf(part: Loose): { readonly metadata: Metadata } | undefined {
  const metadata = plainFields(part["providerMetadata"]);
  return metadata === undefined ? undefined : { metadata };
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

function mapUsage(counts: unknown): Usage | undefined {
  if (!isRecord(counts)) return undefined;
  const input = asRecord(counts["inputTokenDetails"]);
  const output = asRecord(counts["outputTokenDetails"]);
  return fieldsOrUndefined({
    inputTokens: asNumber(counts["inputTokens"]),
    outputTokens: asNumber(counts["outputTokens"]),
    totalTokens: asNumber(counts["totalTokens"]),
    details: fieldsOrUndefined({
      cacheReadTokens: asNumber(input["cacheReadTokens"] ?? counts["cachedInputTokens"]),
      cacheWriteTokens: asNumber(input["cacheWriteTokens"]),
      reasoningTokens: asNumber(output["reasoningTokens"] ?? counts["reasoningTokens"]),
    }),
  });
}

/** The SDK calls words that it does not know "other". */
function mapEnding(part: Loose): Pick<MessageChunk, "finishReason" | "providerFinishReason"> {
  const word = nonEmptyText(part["finishReason"]);
  if (word === undefined) return {};
  const raw = nonEmptyText(part["rawFinishReason"]) ?? word;
  const reason = mapFinishReason(word);
  return { finishReason: reason === "other" ? mapFinishReason(raw) : reason, providerFinishReason: raw };
}

function mapError(cause: unknown): ModelError {
  const problem = excerpt(messageOf(cause));
  return new ModelError("provider", `The AI SDK reported an error in the stream: ${problem}`, {
    status: asNumber(fieldOf(cause, "statusCode")),
    retryable: fieldOf(cause, "isRetryable") === true,
    cause,
  });
}
