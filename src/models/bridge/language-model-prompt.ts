import type { MediumBlock } from "../../messages/blocks/media-blocks.js";
import { isObject, type JsonObject, withoutUndefined } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { isCallBlock, textOf } from "../../messages/blocks/read.js";
import type { Message, ToolMessage } from "../../messages/message.js";
import { quoted } from "../../text/cut.js";
import { invalidRequest } from "../contract/errors.js";
import { argumentsOfCall } from "../dialect/call-arguments.js";
import {
  callWriters,
  foreign,
  mediaWriters,
  noParts,
  writeContent,
  type Writers,
} from "../dialect/content.js";
import { isMistral, mistralId, plainId } from "../dialect/call-ids.js";
import { base64Of, required } from "../dialect/media.js";
import type { Loose } from "../loose.js";

export interface PromptTarget {
  readonly version: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly model: string;
  /** Patterns of the URLs that the provider reads itself, by media type. Others would have to be downloaded. */
  readonly urls: Readonly<Record<string, readonly RegExp[]>>;
}

/**
 * Converts messages to the prompt of a language model (`LanguageModelV2Prompt`, V3 and V4). The results of one turn are
 * one message. What a provider added to its own blocks goes back to it as `providerOptions`; reasoning and the calls of
 * another provider's own tools are left out.
 */
export function toPrompt(messages: readonly Message[], target: PromptTarget): Loose[] {
  const prompt: { role: string; content: string | Loose[] }[] = [];
  const names: PromptCalls = new Map();
  /** The place of each call among all, by its id as the provider gets it. Servers may use an id again. */
  const places = new Map<unknown, number>();
  let count = 0;
  const endTurn = (): void => {
    const last = prompt.at(-1);
    if (last?.role === "tool") sort(last.content as Loose[], places);
  };
  for (const message of messages) {
    if (message.role !== "tool") endTurn();
    if (message.role === "system") {
      writeContent(message, { text: noParts }, target.provider);
      prompt.push({ role: "system", content: textOf(message), ...optionsOf(message.metadata) });
      continue;
    }
    const isOwn = message.metadata?.["provider"] === target.provider;
    for (const block of message.content) {
      if (!(isCallBlock(block) || block.type === "server_tool_call") || block.id === undefined) continue;
      const sent = isOwn ? block.id : foreignId(block.id, target);
      names.set(block.id, { name: block.name, sent });
      places.set(sent, count++);
    }
    if (message.role === "tool") {
      const last = prompt.at(-1);
      const result = toResult(message, names.get(message.toolCallId), target);
      if (last?.role === "tool") (last.content as Loose[]).push(result);
      else prompt.push({ role: "tool", content: [result] });
      continue;
    }
    const writers = message.role === "user" ? inputWriters(target) : answerWriters(target, names, isOwn);
    const content = writeContent<Loose>(message, writers, target.provider);
    if (content.length > 0) prompt.push({ role: message.role, content });
  }
  endTurn();
  return prompt;
}

interface PromptCall {
  readonly name: string | undefined;
  readonly sent: string;
}

type PromptCalls = Map<string, PromptCall>;

/** The id of a call that another provider has made. Each provider takes its own back. */
function foreignId(id: string, { provider, model }: PromptTarget): string {
  return isMistral(`${provider} ${model}`) ? mistralId(id) : plainId(id);
}

/** The results of a turn in the order of their calls: Vertex matches them by position. */
function sort(results: Loose[], places: ReadonlyMap<unknown, number>): void {
  const placeOf = ({ toolCallId }: Loose): number => places.get(toolCallId) ?? -1;
  results.sort((a, b) => placeOf(a) - placeOf(b));
}

function inputWriters(target: PromptTarget): Writers<Loose> {
  return {
    text: ({ text, metadata }) => (text === "" ? [] : [{ type: "text", text, ...optionsOf(metadata) }]),
    ...mediaWriters((block) => [toFile(block, target)], textPart, target.provider),
  };
}

const textPart = (text: string): readonly Loose[] => [{ type: "text", text }];

/** @param isOwn whether the provider wrote the message, so that it reads what it added */
function answerWriters(target: PromptTarget, names: PromptCalls, isOwn: boolean): Writers<Loose> {
  const input = inputWriters(target);
  const answer: Writers<Loose> = {
    ...input,
    ...foreign,
    text: ({ text, metadata }) => {
      const options = isOwn ? optionsOf(metadata) : undefined;
      return text === "" && options === undefined ? [] : [{ type: "text", text, ...options }];
    },
    ...callWriters((block) => [
      {
        type: "tool-call",
        toolCallId: names.get(block.id ?? "")?.sent ?? "",
        toolName: block.name ?? "unknown",
        input: argumentsOfCall(block),
        ...(isOwn && optionsOf(block.metadata)),
      },
    ]),
  };
  if (!isOwn) return answer;
  return {
    ...answer,
    reasoning: ({ reasoning, metadata }) => [{ type: "reasoning", text: reasoning, ...optionsOf(metadata) }],
    server_tool_call: ({ id, name, args, metadata }) => [
      {
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: args,
        providerExecuted: true,
        ...optionsOf(metadata),
      },
    ],
    server_tool_result: ({ toolCallId, status, output = null, metadata }) => [
      {
        type: "tool-result",
        toolCallId,
        toolName: names.get(toolCallId)?.name ?? "unknown",
        output: { type: status === "error" ? "error-json" : "json", value: output },
        ...optionsOf(metadata),
      },
    ],
  };
}

function toFile(block: MediumBlock, target: PromptTarget): Loose {
  const { url, fileId, metadata } = block;
  const filename = block.type === "file" ? block.filename : undefined;
  const known = base64Of(block);
  const type = known?.mimeType ?? block.mimeType ?? mediaTypes[block.type];
  const mediaType = required(type, block, target.provider, "a mimeType");
  const fields = { type: "file", mediaType, ...withoutUndefined({ filename }), ...optionsOf(metadata) };
  const isV4 = target.version === "v4";
  if (known !== undefined) return { ...fields, data: isV4 ? { type: "data", data: known.data } : known.data };
  const forms = fileId === undefined ? "a url or data" : "a url or data: files by id are not possible";
  const address = required(url, block, target.provider, forms);
  if (!readsUrl(address, mediaType, target)) {
    throw invalidRequest(
      `${target.provider} cannot load the ${block.type} from ${quoted(address)}. Download it, and pass its bytes as data with a mimeType.`,
    );
  }
  return { ...fields, data: isV4 ? { type: "url", url: new URL(address) } : new URL(address) };
}

/** Types of files whose exact type does not matter to providers. */
const mediaTypes: Readonly<Record<string, string | undefined>> = {
  image: "image/*",
  "text-plain": "text/plain",
};

/** The keys are media types: `application/pdf`, `image/*`, `*`. */
function readsUrl(url: string, mediaType: string, { urls }: PromptTarget): boolean {
  if (!URL.canParse(url)) return false;
  return Object.entries(urls).some(([type, patterns]) => {
    const isMeant = type === "*" || type === "*/*" || type === mediaType;
    const isKind = type.endsWith("/*") && mediaType.startsWith(type.slice(0, -1));
    return (
      (isMeant || isKind) &&
      patterns.some((pattern) => new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "")).test(url))
    );
  });
}

function toResult(message: ToolMessage, call: PromptCall | undefined, target: PromptTarget): Loose {
  const { toolCallId, content, status, metadata } = message;
  const name = call?.name ?? message.name;
  if (name === undefined) {
    throw invalidRequest(
      `The tool message for the call ${quoted(toolCallId)} needs a name: no earlier call has this id.`,
    );
  }
  const isText = content.every(({ type }) => type === "text");
  const output = isText
    ? { type: status === "error" ? "error-text" : "text", value: textOf(message) }
    : { type: "content", value: writeContent(message, resultWriters(target), target.provider) };
  const sent = call?.sent ?? foreignId(toolCallId, target);
  return { type: "tool-result", toolCallId: sent, toolName: name, output, ...optionsOf(metadata) };
}

function resultWriters(target: PromptTarget): Writers<Loose> {
  const medium = (block: MediumBlock): readonly Loose[] => [
    toResultPart(toFile(block, target), block, target),
  ];
  return { text: ({ text }) => textPart(text), ...mediaWriters(medium, textPart, target.provider) };
}

/** V2 has `media` with data, V3 a type for each kind of source, V4 the file part of messages. */
function toResultPart(file: Loose, block: MediumBlock, { version, provider }: PromptTarget): Loose {
  if (version === "v4") return file;
  const { data, mediaType } = file;
  const isUrl = data instanceof URL;
  if (version === "v2") {
    const bytes = required(isUrl ? undefined : data, block, provider, "data in the result of a tool");
    return { type: "media", data: bytes, mediaType };
  }
  const kind = block.type === "image" ? "image" : "file";
  return isUrl ? { type: `${kind}-url`, url: data.href } : { type: `${kind}-data`, data, mediaType };
}

/** Only fields under the name of a provider are its options. */
function optionsOf(metadata: Metadata | undefined): { readonly providerOptions: JsonObject } | undefined {
  const options = Object.entries(metadata ?? {}).filter(([, value]) => isObject(value));
  return options.length === 0 ? undefined : { providerOptions: Object.fromEntries(options) };
}
