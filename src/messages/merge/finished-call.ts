import { Arguments } from "./arguments.js";
import type { FinishedCall } from "../blocks/read.js";

export function toolCallFrom(id: string, name: string, text: string): FinishedCall {
  const args = new Arguments();
  args.write(text);
  return finishedCall(id, name, args);
}

/**
 * @param name "" if the model sent no name
 * @param raw the text of an invalid call, if the model did not write it as JSON
 */
export function finishedCall(
  id: string,
  name: string,
  written: Arguments,
  raw: string = written.text,
): FinishedCall {
  const result = written.end();
  if ("args" in result && name !== "") {
    return { type: "tool_call", id, name, args: result.args, ...written.repairs };
  }
  const error = "error" in result ? result.error : "The call does not name a tool.";
  return {
    type: "invalid_tool_call",
    id,
    ...(name === "" ? undefined : { name }),
    args: raw,
    error,
  };
}
