import type { JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../blocks/blocks.js";
import { textBlocks } from "../blocks/read.js";
import type { Metadata } from "../blocks/metadata.js";
import { MessageError, contentError, textAt } from "../errors.js";
import { blockTypes } from "../is-message.js";
import { describe, isRecord, type Loose } from "../loose.js";
import type { Message } from "../message.js";
import { fromAnthropicPart } from "./anthropic-part.js";
import { toCall } from "./calls.js";
import { fromLangChainBlock } from "./langchain.js";
import { fromOpenAIPart } from "./openai-part.js";

/** Returns the same array if every part already is a block. */
export function toBlocks(
  content: unknown,
  role: Message["role"],
  place: string,
  read: typeof toBlock = toBlock,
): readonly ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  if (!Array.isArray(content)) throw contentError(place, "a string or an array of blocks", content);
  const blocks = Array.from(content, (part: unknown, index) => read(part, role, `${place}[${index}]`));
  return blocks.every((block, index) => block === content[index]) ? (content as ContentBlock[]) : blocks;
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

/** For a list in which every type is known: a block of an unknown one would not reach every model. */
export function toKnownBlock(part: unknown, role: Message["role"], place: string): ContentBlock {
  const block = toBlock(part, role, place);
  if (!isRecord(part)) return block;
  if (part["type"] === "tool_call") return { ...block, ...toCall(part, place) };
  if (block.type !== "non_standard" || part["type"] === "non_standard") return block;
  throw new MessageError(
    "invalid_content",
    `${place} has the type ${describe(part["type"])}, which is unknown here or does not belong to the role ${role}. Remove it, or write it as { type: "non_standard", value }. ${advice(part["type"])}`.trim(),
  );
}

/** Parts of the AI SDK that are only for the page. */
function advice(type: unknown): string {
  return typeof type === "string" && /^(?:source-|data-)/.test(type)
    ? "fromUiMessages() of millrace/serve removes what is only for the page."
    : "";
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
  const own = ownFields.get(block["type"]) ?? [];
  const isOwn = ([key, value]: [string, unknown]): boolean => own.includes(key) && typeof value === "string";
  const entries = Object.entries(added);
  const others = Object.fromEntries(entries.filter((entry) => !isOwn(entry)));
  return {
    ...Object.fromEntries(entries.filter(isOwn)),
    ...fields,
    ...(metadata === undefined && Object.keys(others).length === 0
      ? undefined
      : { metadata: { ...(metadata as Metadata | undefined), ...others } }),
  } as unknown as ContentBlock;
}

/** The fields of our blocks that other libraries have in `extras`. */
const ownFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["file", ["filename"]],
  ["image", ["detail"]],
  ["text-plain", ["title", "context"]],
]);
