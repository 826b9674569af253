import type { JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../blocks/blocks.js";
import type { Metadata } from "../blocks/metadata.js";
import { blockTypes } from "../is-message.js";
import { isRecord, type Loose } from "../loose.js";
import type { Message } from "../message.js";
import { fromAnthropicPart } from "./anthropic-part.js";
import { contentError, textAt } from "./content-error.js";
import { fromLangChainBlock } from "./langchain-block.js";
import { fromOpenAIPart } from "./openai-part.js";

/** Converts the content of a message. Returns the same array if every part already is a block. */
export function toBlocks(content: unknown, role: Message["role"], place: string): readonly ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  if (!Array.isArray(content)) throw contentError(place, "a string or an array of blocks", content);
  const blocks = content.map((part: unknown, index) => toBlock(part, role, `${place}[${index}]`));
  return blocks.every((block, index) => block === content[index]) ? (content as ContentBlock[]) : blocks;
}

export function textBlocks(text: string): ContentBlock[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function toBlock(part: unknown, role: Message["role"], place: string): ContentBlock {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isRecord(part) || typeof part["type"] !== "string")
    throw contentError(place, "a block with a type", part);
  const block =
    fromOpenAIPart(part, place) ?? fromAnthropicPart(part, role, place) ?? fromLangChainBlock(part);
  if (block !== undefined) return withMetadata(block as unknown as Loose, part);
  if (part["type"] === "text") checkText(part, place);
  return blockTypes.has(part["type"])
    ? withMetadata(part, part)
    : { type: "non_standard", value: part as JsonValue };
}

function checkText({ text, annotations = [] }: Loose, place: string): void {
  textAt(`${place}.text`, text);
  if (!Array.isArray(annotations)) throw contentError(`${place}.annotations`, "an array", annotations);
}

/** Anthropic and LangChain mark blocks with `cache_control`; LangChain has `extras` for fields of a provider. */
function withMetadata(block: Loose, { cache_control, extras }: Loose): ContentBlock {
  const added: Loose = {
    ...(isRecord(extras) ? extras : undefined),
    ...(isRecord(cache_control) ? { cache_control } : undefined),
  };
  if (Object.keys(added).length === 0) return block as unknown as ContentBlock;
  const { cache_control: _mark, extras: _extras, metadata, ...fields } = block;
  return {
    ...fields,
    metadata: { ...(metadata as Metadata | undefined), ...added },
  } as unknown as ContentBlock;
}
