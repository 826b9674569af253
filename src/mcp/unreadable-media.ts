import type { ContentBlock } from "../messages/blocks/blocks.js";
import type { Message } from "../messages/message.js";
import type { ModelProfile } from "../models/contract/chat-model.js";

/**
 * Replaces media in tool messages by a text where the model cannot read them. The request would be refused, and a server
 * may send anything.
 */
export function withReadableMedia(messages: readonly Message[], { input }: ModelProfile): readonly Message[] {
  const isReadable = ({ type }: ContentBlock): boolean =>
    !(media.has(type) && !input.some((modality) => modality === type));
  if (messages.every(({ role, content }) => role !== "tool" || content.every(isReadable))) return messages;
  return messages.map((message) =>
    message.role === "tool"
      ? { ...message, content: message.content.map((it) => (isReadable(it) ? it : wordsFor(it))) }
      : message,
  );
}

const media: ReadonlySet<string> = new Set(["image", "audio", "video", "file"]);

function wordsFor(block: ContentBlock): ContentBlock {
  const { mimeType = block.type } = block as { readonly mimeType?: string };
  return { type: "text", text: `[The tool returned ${mimeType}, which this model cannot read.]` };
}
