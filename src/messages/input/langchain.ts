import type { JsonValue } from "../../json/value.js";
import { base64 } from "../../text/bytes/base64.js";
import type { ContentBlock } from "../blocks/blocks.js";
import type { MediumBlock } from "../blocks/media-blocks.js";
import { wordSet, wordsIn } from "../../text/words-in.js";
import { isRecord, type Loose } from "../loose.js";

/** Media with `mime_type`, `source_type`, `base64`, `file_id` or bytes as `data`, and `server_tool_call_result`. */
export function fromLangChainBlock(part: Loose): ContentBlock | undefined {
  const { type, data } = part;
  if (type === "server_tool_call_result") return toServerResult(part);
  const isLangChain = mediaNames.some((name) => name in part) || data instanceof Uint8Array;
  return isLangChain && mediaTypes.has(type) ? langChainMedium(part) : undefined;
}

/** Converts a medium with the names of LangChain or with ours. */
export function langChainMedium(part: Loose): MediumBlock {
  const { type } = part;
  const { source_type, mime_type, base64: encoded, file_id, id, data, metadata } = part;
  const renamed = {
    data: data instanceof Uint8Array ? base64(data) : (data ?? encoded),
    mimeType: mime_type,
    fileId: file_id ?? (source_type === "id" ? id : undefined),
    filename: isRecord(metadata) ? (metadata["filename"] ?? metadata["name"]) : undefined,
  };
  const same = sameNames.map((name) => [name, part[name]] as const);
  const texts = [...Object.entries(renamed), ...same].filter(([, value]) => typeof value === "string");
  return {
    type: source_type === "text" ? "text-plain" : type,
    ...Object.fromEntries(texts),
    ...(isRecord(metadata) ? { metadata } : undefined),
  } as MediumBlock;
}

const mediaTypes = wordSet("image audio video file text-plain");
const mediaNames = wordsIn("source_type mime_type base64 file_id");
const sameNames = wordsIn("url mimeType fileId filename text title context detail transcript");

function toServerResult({ toolCallId, tool_call_id, status, output }: Loose): ContentBlock {
  const id = toolCallId ?? tool_call_id;
  return {
    type: "server_tool_result",
    toolCallId: typeof id === "string" ? id : "",
    status: status === "error" ? "error" : "success",
    ...(output === undefined ? undefined : { output: output as JsonValue }),
  };
}

export interface PlacedInput {
  readonly input: Loose;
  readonly place: string;
}

/** The fields of a message of LangChain as `JSON.stringify()` or `mapChatMessagesToStoredMessages()` write it. */
export function serialisedIn(input: Loose, place: string): PlacedInput {
  const { lc, id, kwargs, type, data } = input;
  if (lc === 1 && type === "constructor" && isRecord(kwargs) && Array.isArray(id))
    return { input: fieldsIn(kwargs, classType(id.at(-1))), place: `${place}.kwargs` };
  if (isRecord(data) && Object.keys(input).every((name) => name === "type" || name === "data"))
    return { input: fieldsIn(data, type), place: `${place}.data` };
  return { input, place };
}

/** A `ChatMessage` has a role of its own. */
function fieldsIn({ role, type: ownType, ...fields }: Loose, type: unknown): Loose {
  return { ...fields, type: role ?? ownType ?? type };
}

function classType(name: unknown): unknown {
  const type = /^(AI|Human|System|Tool)Message(?:Chunk)?$/.exec(String(name))?.[1];
  return type?.toLowerCase() ?? name;
}
