import type { MediaSource, PlainTextBlock } from "../../messages/blocks/media-blocks.js";
import { ModelError } from "../contract/errors.js";
import { unreadableBlockError } from "./request-errors.js";

type Medium = MediaSource & { readonly type: string };

/** The address of a medium: its own, or a `data:` URL. `undefined` if it is a file at the provider. */
export function urlOf(block: Medium): string | undefined {
  if (block.url !== undefined) return block.url;
  const { data, mimeType } = base64Of(block) ?? {};
  return data === undefined ? undefined : `data:${mimeType};base64,${data}`;
}

/** The bytes of a medium in base64, also out of a `data:` URL. `undefined` if it is somewhere else. */
export function base64Of(block: Medium): { readonly data: string; readonly mimeType: string } | undefined {
  const { url, data, mimeType } = block;
  if (data !== undefined) {
    if (mimeType !== undefined) return { data, mimeType };
    throw new ModelError("invalid_request", `A block of the type "${block.type}" has data, but no mimeType.`);
  }
  const [, type = "", bytes] = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(url ?? "") ?? [];
  return bytes === undefined ? undefined : { data: bytes, mimeType: mimeType ?? type };
}

/** A document that is text, for a provider that has no form for it. */
export function plainTextOf(block: PlainTextBlock, provider: string): string {
  const { text, title, context } = block;
  if (text === undefined) throw unreadableBlockError(block, provider, "its text");
  return [title, context, text].filter((part) => part !== undefined).join("\n\n");
}
