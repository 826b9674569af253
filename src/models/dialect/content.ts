import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { type CallBlock, isCallBlock } from "../../messages/blocks/read.js";
import type { MediumBlock } from "../../messages/blocks/media-blocks.js";
import type { Message } from "../../messages/message.js";
import { invalidRequest } from "../contract/errors.js";
import { plainTextOf } from "./media.js";

/** The blocks that a provider can send, with the parts of a request that each becomes. */
export type Writers<Part> = {
  readonly [Type in ContentBlock["type"]]?: (block: Extract<ContentBlock, { type: Type }>) => readonly Part[];
};

/** @throws {ModelError} `invalid_request` for a block without a writer */
export function writeContent<Part>({ content, role }: Content, writers: Writers<Part>, api: string): Part[] {
  return content.flatMap((block) => {
    const write = writers[block.type] as ((block: ContentBlock) => readonly Part[]) | undefined;
    if (write !== undefined) return write(block);
    const accepted = Object.entries(writers).flatMap(([type, it]) => (it === noParts ? [] : [type]));
    const found = isCallBlock(block)
      ? `contains a ${block.type}. Only assistant messages can contain tool calls.`
      : `contains a block of type "${block.type}", but ${api} accepts only ${accepted.join(", ")} there.`;
    throw invalidRequest(`A message with role "${role}" ${found}`);
  });
}

export type Content = Pick<Message, "content" | "role">;

export function callWriters<Part>(write: (block: CallBlock) => readonly Part[]): Writers<Part> {
  return { tool_call: write, tool_call_chunk: write, invalid_tool_call: write };
}

/** A plain-text document without a text is a medium, too. */
export function mediaWriters<Part>(
  medium: (block: MediumBlock) => readonly Part[],
  text: (text: string) => readonly Part[],
  provider: string,
): Writers<Part> {
  return {
    image: medium,
    audio: medium,
    video: medium,
    file: medium,
    "text-plain": (block) => (block.text === undefined ? medium(block) : text(plainTextOf(block, provider))),
  };
}

/** Leaves a block out. */
export function noParts(): readonly never[] {
  return [];
}

/** The blocks that only their own provider can read. Other providers leave them out. */
export const foreign = {
  reasoning: noParts,
  server_tool_call: noParts,
  server_tool_call_chunk: noParts,
  server_tool_result: noParts,
} satisfies Writers<never>;
