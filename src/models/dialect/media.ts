import type { MediaSource, PlainTextBlock } from "../../messages/blocks/media-blocks.js";
import { documentText } from "../../messages/blocks/read.js";
import { base64 } from "../../text/bytes/base64.js";
import { invalidRequest } from "../contract/errors.js";

export type Medium = MediaSource & { readonly type: string };

export interface MediumData {
  readonly data: string;
  readonly mimeType: string;
}

/** The URL of a medium, or its data as a `data:` URL. `undefined` for a file stored at the provider. */
export function mediaUrl(block: Medium): string | undefined {
  if (block.url !== undefined) return block.url;
  const { data, mimeType } = base64Of(block) ?? {};
  return data === undefined ? undefined : `data:${mimeType};base64,${data}`;
}

/** Also from a `data:` URL. `undefined` if the block has another kind of source. */
export function base64Of(block: Medium): MediumData | undefined {
  const { url, data } = block;
  const { mimeType = typeOfData(data ?? "") } = block;
  if (data !== undefined) {
    if (mimeType !== undefined) return { data, mimeType };
    throw invalidRequest(`A block of type "${block.type}" has data, but no mimeType.`);
  }
  const [, type = "", parameters = "", text] = /^data:([^;,]*)([^,]*),(.*)$/is.exec(url ?? "") ?? [];
  if (text === undefined) return undefined;
  const bytes = /;base64$/i.test(parameters) ? text : encoded(text, block.type);
  // "data:,Hi" is plain text (RFC 2397).
  return { data: bytes, mimeType: mimeType ?? (type === "" ? "text/plain" : type) };
}

/** The type of a medium by its first bytes, which base64 shows. */
function typeOfData(data: string): string | undefined {
  return firstBytes.find(([bytes]) => bytes.test(data))?.[1];
}

const firstBytes: readonly (readonly [RegExp, type: string])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGODdh|^R0lGODlh/, "image/gif"],
  [/^UklGR.{6}XRUJQ/, "image/webp"],
  [/^JVBERi/, "application/pdf"],
];

function encoded(text: string, type: string): string {
  try {
    return base64(new TextEncoder().encode(decodeURIComponent(text)));
  } catch (cause) {
    const problem = `The data: URL of a block of type "${type}" is not percent-encoded UTF-8. Use base64.`;
    throw invalidRequest(problem, { cause });
  }
}

export function plainTextOf(block: PlainTextBlock, provider: string): string {
  return required(documentText(block), block, provider, "its text");
}

/** @param forms the sources that the provider supports, for the error */
export function required<T>(source: T | undefined, { type }: Medium, provider: string, forms: string): T {
  if (source !== undefined) return source;
  throw invalidRequest(`${provider} requires a block of type "${type}" to have ${forms}.`);
}
