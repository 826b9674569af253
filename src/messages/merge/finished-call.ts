import { Arguments } from "./arguments.js";
import type { InvalidToolCallBlock, ToolCallBlock } from "../blocks/blocks.js";

/** A call that has ended: it can be run, or says why it cannot. */
export type FinishedCall = ToolCallBlock | InvalidToolCallBlock;

/** A call that is there as a whole, its arguments as the model wrote them. */
export function toolCallFrom(id: string, name: string, text: string): FinishedCall {
  const args = new Arguments();
  args.write(text);
  return finishedCall(id, name, args);
}

/** @param name "" where the model gave none */
export function finishedCall(id: string, name: string, written: Arguments): FinishedCall {
  const result = written.end();
  if ("args" in result && name !== "") return { type: "tool_call", id, name, args: result.args };
  const error = "error" in result ? result.error : "The call does not name a tool.";
  return {
    type: "invalid_tool_call",
    id,
    ...(name === "" ? undefined : { name }),
    args: written.text,
    error,
  };
}
