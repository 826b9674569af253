import type { Annotation } from "../../messages/blocks/annotations.js";
import type { ContentBlock, ReasoningBlock, TextBlock } from "../../messages/blocks/blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { langChainMedium } from "../../messages/input/langchain-block.js";
import { fromOpenAIPart } from "../../messages/input/openai-part.js";
import { asNumber, isRecord, withoutUndefined, type Loose, nonEmptyText, scalarText } from "../loose.js";
import { argumentText, plainFields, plainJson } from "../wire/plain-json.js";
import { wordsIn } from "../../text/words-in.js";

/** Converts the content blocks of one LangChain.js message, except for tool calls. */
export class LangChainBlocks {
  private readonly nextBlock: () => number;
  /** Our block indexes by kind and LangChain index, which may be missing, a number or a name. */
  private readonly places = new Map<string, number>();

  /** @param nextBlock returns the index of a new block */
  constructor(nextBlock: () => number) {
    this.nextBlock = nextBlock;
  }

  text(text: string): TextBlock {
    return { type: "text", index: this.placeOf("text", undefined), text };
  }

  /** Reasoning that is stored beside the content. */
  reasoning(reasoning: string | undefined): ReasoningBlock | undefined {
    if (reasoning === undefined) return undefined;
    return { type: "reasoning", index: this.placeOf("reasoning", undefined), reasoning };
  }

  /** The blocks for a part of the content. */
  read(part: unknown): ContentBlock[] {
    if (typeof part === "string") return part === "" ? [] : [this.text(part)];
    if (!isRecord(part)) return part === null || part === undefined ? [] : [nonStandard(part)];
    switch (part["type"]) {
      case "text":
      case "text_delta":
        return this.readText(part);
      case "reasoning":
        return this.readReasoning(part, nonEmptyText(part["reasoning"]));
      case "thinking":
        return this.readReasoning(part, nonEmptyText(part["thinking"]));
      case "redacted_thinking":
        return this.readReasoning(part, undefined);
      case "server_tool_call":
      case "server_tool_call_chunk":
        return [this.serverCall(part)];
      case "server_tool_call_result":
        return [mapResult(part)];
      case "audio":
      case "image":
      case "video":
      case "file":
        return [this.medium(part)];
      case "image_url":
        return [fromOpenAIPart(part, "content") ?? nonStandard(part)];
      case "non_standard":
        return [nonStandard(part["value"])];
      default:
        return [nonStandard(part)];
    }
  }

  private readText(part: Loose): ContentBlock[] {
    const text = nonEmptyText(part["text"]) ?? "";
    const annotations = [part["annotations"], part["citations"]].flatMap((items) =>
      Array.isArray(items) ? items.map(mapAnnotation) : [],
    );
    const metadata = plainFields(part, textFields);
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

  /** Reads reasoning, with its signature or encrypted data as metadata. */
  private readReasoning(part: Loose, text: string | undefined): ContentBlock[] {
    const metadata = plainFields(part, reasoningFields);
    if (text === undefined && metadata === undefined) return [];
    const index = this.placeOf("reasoning", part["index"]);
    return [{ type: "reasoning", index, reasoning: text ?? "", ...withoutUndefined({ metadata }) }];
  }

  /** Each call has its own block. Later chunks find it by its index. */
  private serverCall({ id, name, args, index }: Loose): ContentBlock {
    return {
      type: "server_tool_call_chunk",
      index: this.placeOf("server_tool_call", index ?? nonEmptyText(id)),
      ...withoutUndefined({
        id: nonEmptyText(id),
        name: nonEmptyText(name),
        args: isRecord(args) ? argumentText(args) : nonEmptyText(args),
      }),
    };
  }

  private medium(part: Loose): ContentBlock {
    const { metadata, ...fields } = langChainMedium(part);
    const block = { ...fields, ...withoutUndefined({ metadata: plainFields(metadata) }) };
    return block.type === "audio" ? { ...block, index: this.placeOf("audio", part["index"]) } : block;
  }

  private placeOf(kind: string, index: unknown): number {
    const key = `${kind} ${typeof index} ${scalarText(index)}`;
    const place = this.places.get(key) ?? this.nextBlock();
    this.places.set(key, place);
    return place;
  }
}

const textFields: ReadonlySet<string> = new Set(["type", "index", "text", "annotations", "citations"]);
const reasoningFields: ReadonlySet<string> = new Set(["type", "index", "reasoning", "thinking"]);

/** Maps an annotation in the format of LangChain, OpenAI or Anthropic. */
function mapAnnotation(value: unknown): Annotation {
  if (!isRecord(value)) return { type: "non_standard_annotation", value: plainJson(value) };
  const url = nonEmptyText(value["url"]);
  const citedText = nonEmptyText(value["citedText"] ?? value["cited_text"]);
  if (value["type"] !== "citation" && url === undefined && citedText === undefined) {
    return { type: "non_standard_annotation", value: plainJson(value) };
  }
  const metadata: Metadata | undefined = plainFields(value, citationFields);
  return {
    type: "citation",
    ...withoutUndefined({
      url,
      title: nonEmptyText(value["title"] ?? value["document_title"]),
      citedText,
      startIndex: asNumber(value["startIndex"] ?? value["start_index"]),
      endIndex: asNumber(value["endIndex"] ?? value["end_index"]),
      metadata,
    }),
  };
}

const citationFields: ReadonlySet<string> = new Set(
  wordsIn(`
  type url title document_title citedText cited_text startIndex start_index endIndex end_index
`),
);

function mapResult({ toolCallId, status, output }: Loose): ContentBlock {
  return {
    type: "server_tool_result",
    toolCallId: scalarText(toolCallId),
    status: status === "error" ? "error" : "success",
    ...(output === undefined ? undefined : { output: plainJson(output) }),
  };
}

function nonStandard(value: unknown): ContentBlock {
  return { type: "non_standard", value: plainJson(value) };
}
