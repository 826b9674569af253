import {
  collect,
  type ContentBlock,
  from,
  pipe,
  textToolCalls,
  type TextToolCallsOptions,
  toAssistantMessage,
} from "millrace";
import { everyCut, fixedSizes } from "millrace/testing";
import { expectSame } from "../../../json/support/same-json.js";

type Options = Omit<TextToolCallsOptions, "createId">;

export async function readBlocks(
  chunks: readonly string[],
  options: Options,
): Promise<readonly ContentBlock[]> {
  let count = 0;
  const stage = textToolCalls({ ...options, createId: () => `${++count}` });
  return toAssistantMessage(...(await collect(pipe(from(chunks), stage)))).content;
}

/** A call as `name` and its arguments; text as it is. */
function short(block: ContentBlock): unknown {
  if (block.type === "text") return block.text;
  if (block.type === "tool_call") return [block.name, block.args];
  if (block.type === "invalid_tool_call") return ["invalid", block.name, block.args];
  return block;
}

/** Reads the text in many cuts, or in a few. */
export async function expectBlocks(
  text: string,
  options: Options,
  blocks: readonly unknown[],
  cuts: Iterable<readonly string[]> = [...everyCut(text), ...fixedSizes(text, [1, 2, 3, 7])],
): Promise<void> {
  for (const chunks of [[text], ...cuts]) {
    expectSame((await readBlocks(chunks, options)).map(short), blocks);
  }
}
