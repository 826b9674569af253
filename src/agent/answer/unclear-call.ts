import type { InvalidToolCallBlock, ToolCallBlock } from "../../messages/blocks/blocks.js";

/** A call whose arguments can be read in two ways, as an invalid one. */
export function unclearCall({ id, name, args }: ToolCallBlock, problem: string): InvalidToolCallBlock {
  const error = `The arguments can be read in two ways: ${problem}`;
  return { type: "invalid_tool_call", id, name, args: JSON.stringify(args), error };
}
