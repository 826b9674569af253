import type { Annotation } from "../../messages/blocks/annotations.js";
import type { ContentBlock, ReasoningBlock, TextBlock } from "../../messages/blocks/blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { fromOpenAIPart } from "../../messages/openai-part.js";
import { asNumber, isRecord, withoutUndefined, type Loose, nonEmptyText } from "../loose.js";
import { plainFields, plainJson } from "../wire/plain-json.js";

/** The content blocks of one message of LangChain.js, but for its tool calls. */
export class LangChainBlocks {
  private readonly nextBlock: () => number;
  /** Blocks of ours by the kind and the index of LangChain's, which may be missing, a number or a name. */
  private readonly places = new Map<string, number>();

  /** @param nextBlock gives the index for a block that begins */
  constructor(nextBlock: () => number) {
    this.nextBlock = nextBlock;
  }

  text(text: string): TextBlock {
    return { type: "text", index: this.placeOf("text", undefined), text };
  }

  /** What a model thought, where it stands beside the content. */
  reasoning(reasoning: string | undefined): ReasoningBlock | undefined {
    if (reasoning === undefined) return undefined;
    return { type: "reasoning", index: this.placeOf("reasoning", undefined), reasoning };
  }

  /** What a part of the content adds. */
  read(part: unknown): ContentBlock[] {
    if (typeof part === "string") return part === "" ? [] : [this.text(part)];
    if (!isRecord(part)) return part === null || part === undefined ? [] : [other(part)];
    switch (part["type"]) {
      case "text":
      case "text_delta":
        return this.readText(part);
      case "reasoning":
        return this.readThought(part, nonEmptyText(part["reasoning"]));
      case "thinking":
        return this.readThought(part, nonEmptyText(part["thinking"]));
      case "redacted_thinking":
        return this.readThought(part, undefined);
      case "server_tool_call":
      case "server_tool_call_chunk":
        return [this.serverCall(part)];
      case "server_tool_call_result":
        return [resultOf(part)];
      case "audio":
      case "image":
      case "video":
      case "file":
        return [this.medium(part, part["type"])];
      case "image_url":
        return [fromOpenAIPart(part, "content") ?? other(part)];
      case "non_standard":
        return [other(part["value"])];
      default:
        return [other(part)];
    }
  }

  private readText(part: Loose): ContentBlock[] {
    const text = nonEmptyText(part["text"]) ?? "";
    const annotations = [part["annotations"], part["citations"]].flatMap((remarks) =>
      Array.isArray(remarks) ? remarks.map(annotationOf) : [],
    );
    const metadata = plainFields(part, readOfText);
    if (text === "" && annotations.length === 0 && metadata === undefined) return [];
    return [
      {
        type: "text",
        index: this.placeOf("text", part["index"]),
        text,
        ...(annotations.length === 0 ? undefined : { annotations }),
        ...withoutUndefined({ metadata }),
      },
    ];
  }

  /** With its signature, or its encrypted data, as metadata. */
  private readThought(part: Loose, thought: string | undefined): ContentBlock[] {
    const metadata = plainFields(part, readOfThought);
    if (thought === undefined && metadata === undefined) return [];
    const index = this.placeOf("reasoning", part["index"]);
    return [{ type: "reasoning", index, reasoning: thought ?? "", ...withoutUndefined({ metadata }) }];
  }

  /** Each call has its own block, which later chunks find by its index. */
  private serverCall({ id, name, args, index }: Loose): ContentBlock {
    return {
      type: "server_tool_call_chunk",
      index: this.placeOf("server_tool_call", index ?? nonEmptyText(id)),
      ...withoutUndefined({
        id: nonEmptyText(id),
        name: nonEmptyText(name),
        args: isRecord(args) ? JSON.stringify(args) : nonEmptyText(args),
      }),
    };
  }

  private medium(part: Loose, type: "audio" | "image" | "video" | "file"): ContentBlock {
    const { data, url, fileId, mimeType, transcript, metadata } = part;
    const fields = withoutUndefined({
      url: nonEmptyText(url),
      data: data instanceof Uint8Array ? base64(data) : nonEmptyText(data),
      fileId: nonEmptyText(fileId),
      mimeType: nonEmptyText(mimeType),
      metadata: plainFields(metadata),
    });
    if (type !== "audio") return { type, ...fields };
    const index = this.placeOf("audio", part["index"]);
    return { type, index, ...fields, ...withoutUndefined({ transcript: nonEmptyText(transcript) }) };
  }

  private placeOf(kind: string, index: unknown): number {
    const key = `${kind} ${typeof index} ${String(index)}`;
    const place = this.places.get(key) ?? this.nextBlock();
    this.places.set(key, place);
    return place;
  }
}

const readOfText: ReadonlySet<string> = new Set(["type", "index", "text", "annotations", "citations"]);
const readOfThought: ReadonlySet<string> = new Set(["type", "index", "reasoning", "thinking"]);

/** As LangChain writes it, or OpenAI, or Anthropic. */
function annotationOf(remark: unknown): Annotation {
  if (!isRecord(remark)) return { type: "non_standard_annotation", value: plainJson(remark) };
  const url = nonEmptyText(remark["url"]);
  const citedText = nonEmptyText(remark["citedText"] ?? remark["cited_text"]);
  if (remark["type"] !== "citation" && url === undefined && citedText === undefined) {
    return { type: "non_standard_annotation", value: plainJson(remark) };
  }
  const metadata: Metadata | undefined = plainFields(remark, readOfCitation);
  return {
    type: "citation",
    ...withoutUndefined({
      url,
      title: nonEmptyText(remark["title"] ?? remark["document_title"]),
      citedText,
      startIndex: asNumber(remark["startIndex"] ?? remark["start_index"]),
      endIndex: asNumber(remark["endIndex"] ?? remark["end_index"]),
      metadata,
    }),
  };
}

const readOfCitation: ReadonlySet<string> = new Set([
  "type",
  "url",
  "title",
  "document_title",
  "citedText",
  "cited_text",
  "startIndex",
  "start_index",
  "endIndex",
  "end_index",
]);

function resultOf({ toolCallId, status, output }: Loose): ContentBlock {
  return {
    type: "server_tool_result",
    toolCallId: String(toolCallId),
    status: status === "error" ? "error" : "success",
    ...(output === undefined ? undefined : { output: plainJson(output) }),
  };
}

function other(value: unknown): ContentBlock {
  return { type: "non_standard", value: plainJson(value) };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
