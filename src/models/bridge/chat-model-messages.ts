import type { MediumBlock } from "../../messages/blocks/media-blocks.js";
import { isCallBlock, textOf } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { argumentsOfCall } from "../dialect/call-arguments.js";
import {
  callWriters,
  foreign,
  mediaWriters,
  noParts,
  writeContent,
  type Writers,
} from "../dialect/content.js";
import { base64Of, required } from "../dialect/media.js";
import type { Loose } from "../loose.js";
import { withoutUndefined } from "../../json/value.js";

/** Media are LangChain's older data blocks (`source_type`), which the packages for OpenAI and Bedrock both convert. */
export function toLangChainMessages(messages: readonly Message[], provider: string): Loose[] {
  return messages.map((message) => toLangChainMessage(message, provider));
}

function toLangChainMessage(message: Message, provider: string): Loose {
  const { role, content, id, name, metadata } = message;
  const common = withoutUndefined({ role, id, name });
  const write = (writers: Writers<Loose>): string | Loose[] => {
    const parts = writeContent(message, writers, provider);
    return parts.every(({ type }) => type === "text") ? textOf(message) : parts;
  };
  if (role === "system") return { ...common, content: write({ text }) };
  if (role === "user") return { ...common, content: write(inputWriters(provider)) };
  if (role === "tool") {
    const { toolCallId: tool_call_id, status } = message;
    return {
      ...common,
      content: write(inputWriters(provider)),
      tool_call_id,
      ...withoutUndefined({ status }),
    };
  }
  const calls = content.filter(isCallBlock).map((block) => ({
    type: "tool_call",
    id: block.id ?? "",
    name: block.name ?? "unknown",
    args: argumentsOfCall(block),
  }));
  // LangChain keeps what it needs for the next request in these fields. Its reader joins them.
  const kept = metadata && { response_metadata: metadata, additional_kwargs: metadata };
  return { ...common, content: write(answerWriters), tool_calls: calls, ...kept };
}

const textPart = (text: string): readonly Loose[] => [{ type: "text", text }];
const text = ({ text }: { readonly text: string }): readonly Loose[] => textPart(text);

function inputWriters(provider: string): Writers<Loose> {
  return { text, ...mediaWriters((block) => [toDataBlock(block, provider)], textPart, provider) };
}

/** Reasoning without a signature is dropped: no provider takes it back. */
const answerWriters: Writers<Loose> = {
  ...foreign,
  text,
  ...callWriters(noParts),
  reasoning: ({ reasoning, metadata }) =>
    metadata?.["signature"] === undefined
      ? []
      : [{ type: "reasoning", reasoning, signature: metadata["signature"] }],
  non_standard: noParts,
};

function toDataBlock(block: MediumBlock, provider: string): Loose {
  const { type, url, fileId, mimeType } = block;
  const filename = block.type === "file" ? block.filename : undefined;
  const metadata = filename === undefined ? undefined : { filename };
  const known = base64Of(block);
  const fields = withoutUndefined({ type, mime_type: known?.mimeType ?? mimeType, metadata });
  if (known !== undefined) return { ...fields, source_type: "base64", data: known.data };
  if (url !== undefined) return { ...fields, source_type: "url", url };
  return { ...fields, source_type: "id", id: required(fileId, block, provider, "a url, data or a fileId") };
}
