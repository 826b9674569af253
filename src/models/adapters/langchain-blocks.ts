import type { Annotation } from "../../messages/blocks/annotations.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { langChainMedium } from "../../messages/input/langchain-block.js";
import { fromOpenAIPart } from "../../messages/input/openai-part.js";
import { asNumber, asRecord, isRecord, type Loose, nonEmptyText, scalarText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { argumentText, plainFields, plainJson } from "../wire/plain-json.js";
import { wordsIn } from "../../text/words-in.js";
import { withoutUndefined } from "../../json/value.js";

/** Converts the content blocks of one LangChain.js message, except for tool calls. */
export class LangChainBlocks {
  private readonly draft: ChunkDraft;

  /** @param draft to which the blocks are added */
  constructor(draft: ChunkDraft) {
    this.draft = draft;
  }

  /** Reasoning that is stored beside the content. */
  reasoning(reasoning: string | undefined): void {
    this.draft.write("reasoning", nameOf("reasoning", undefined), reasoning);
  }

  /** Adds the blocks for a part of the content. */
  read(part: unknown): void {
    const { draft } = this;
    if (part === "" || part === null || part === undefined) return;
    if (typeof part === "string") {
      draft.write("text", nameOf("text", undefined), part);
      return;
    }
    const { type, ...fields } = asRecord(part);
    switch (type) {
      case "text":
      case "text_delta":
        this.readText(fields);
        break;
      case "reasoning":
      case "thinking":
      case "redacted_thinking":
        this.readReasoning(fields, nonEmptyText(fields[type]));
        break;
      case "server_tool_call":
      case "server_tool_call_chunk":
        this.readServerCall(fields);
        break;
      case "server_tool_call_result":
        this.readResult(fields);
        break;
      case "audio":
      case "image":
      case "video":
      case "file":
        draft.add(this.medium(part as Loose));
        break;
      case "image_url":
        draft.add(
          fromOpenAIPart(part as Loose, "content") ?? { type: "non_standard", value: plainJson(part) },
        );
        break;
      case "non_standard":
        draft.addOther(plainJson(fields["value"]));
        break;
      default:
        draft.addOther(plainJson(part));
    }
  }

  private readText(part: Loose): void {
    const annotations = [part["annotations"], part["citations"]].flatMap((items) =>
      Array.isArray(items) ? items.map(mapAnnotation) : [],
    );
    const more = {
      annotations: annotations.length === 0 ? undefined : annotations,
      metadata: plainFields(part, textFields),
    };
    this.draft.write("text", nameOf("text", part["index"]), nonEmptyText(part["text"]), more);
  }

  /** Reads reasoning, with its signature or encrypted data as metadata. */
  private readReasoning(part: Loose, text: string | undefined): void {
    const metadata = plainFields(part, reasoningFields);
    this.draft.write("reasoning", nameOf("reasoning", part["index"]), text, { metadata });
  }

  /** Each call has its own block. Later chunks find it by its index. */
  private readServerCall({ id, name, args, index }: Loose): void {
    const place = this.draft.placeOf(nameOf("server_tool_call", index ?? nonEmptyText(id)));
    const text = isRecord(args) ? argumentText(args) : nonEmptyText(args);
    const fields = { id: nonEmptyText(id), name: nonEmptyText(name), args: text };
    this.draft.addCall(place, fields, "server_tool_call_chunk");
  }

  private readResult({ toolCallId, status, output }: Loose): void {
    const plain = output === undefined ? undefined : plainJson(output);
    this.draft.addResult(scalarText(toolCallId), status === "error", plain);
  }

  private medium(part: Loose): ContentBlock {
    const { metadata, ...fields } = langChainMedium(part);
    const block = { ...fields, ...withoutUndefined({ metadata: plainFields(metadata) }) };
    return block.type === "audio"
      ? { ...block, index: this.draft.placeOf(nameOf("audio", part["index"])) }
      : block;
  }
}

/** The name of a block. @param index of LangChain, which may be missing, a number or a name */
function nameOf(kind: string, index: unknown): string {
  return `${kind} ${typeof index} ${scalarText(index)}`;
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
