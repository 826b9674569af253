import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MediaSource } from "../../messages/blocks/media-blocks.js";
import { documentText } from "../../messages/blocks/read.js";
import { base64Of } from "../../models/dialect/media.js";
import { jsonText } from "../../text/json-text.js";

/** A block of a result in the protocol. */
type ServedBlock = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Writes the content of a tool message for a client. Reasoning and calls are left out. */
export function servedContent(content: readonly ContentBlock[]): ServedBlock[] {
  return content.flatMap((block): ServedBlock[] => {
    switch (block.type) {
      case "text":
        return [{ type: "text", text: block.text }];
      case "text-plain": {
        const text = documentText(block);
        return text === undefined ? medium(block) : [{ type: "text", text }];
      }
      case "image":
      case "audio":
      case "video":
      case "file":
        return medium(block);
      case "non_standard":
        return [{ type: "text", text: jsonText(block.value).text }];
      default:
        return [];
    }
  });
}

function medium(block: MediaSource & { readonly type: string; readonly filename?: string }): ServedBlock[] {
  const { type, filename, url, mimeType } = block;
  const bytes = bytesOf(block);
  if (bytes !== undefined) {
    if (type === "image" || type === "audio") return [{ type, ...bytes }];
    const { data: blob, mimeType } = bytes;
    return [{ type: "resource", resource: { uri: uriOf(filename ?? type), blob, mimeType } }];
  }
  if (url === undefined || /^data:/i.test(url))
    return [{ type: "text", text: `[This ${type} cannot be sent]` }];
  return [
    { type: "resource_link", uri: url, name: filename ?? type, ...(mimeType !== undefined && { mimeType }) },
  ];
}

/** Clients in Python refuse a name that is no URI, and the whole result with it. */
function uriOf(name: string): string {
  return URL.canParse(name) ? name : `attachment:${encodeURIComponent(name.replace(/\p{Cs}/gu, "\ufffd"))}`;
}

/** `undefined` for data without a type, too, and for a URL that cannot be decoded. */
function bytesOf(block: MediaSource & { readonly type: string }): ReturnType<typeof base64Of> {
  try {
    return base64Of(block);
  } catch {
    return undefined;
  }
}
