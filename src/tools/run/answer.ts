import { textForModel } from "../../text/cut.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonObject } from "../../json/value.js";
import { isRecord, type Loose } from "../../messages/loose.js";
import type { ToolMessage } from "../../messages/message.js";
import type { AnyTool, ErrorHandling } from "./any-tool.js";
import { contentOf, plainData } from "./content.js";
import { ToolError } from "../errors.js";
import { resultIn } from "./own-state.js";
import type { ToolErrorEvent, ToolResultEvent } from "./events.js";
import type { ToolInvocation } from "./runtime.js";
import { safeText } from "./safe-text.js";
import { isInstance } from "../../text/thrown.js";

/**
 * Converts the result of a run to the tool message.
 *
 * @throws {ToolError} `result` if the value does not have the form of the tool's `output`, or cannot be written as JSON
 */
export function resultEvent(tool: AnyTool, call: ToolInvocation, given: unknown): ToolResultEvent {
  const { name } = tool;
  const { result: value, patch } = resultIn(given);
  const [returned, second] = tool.output === "content" ? [value] : pairIn(value, name);
  const { content, status, metadata, artifact }: Loose = isToolMessage(returned)
    ? returned
    : { content: returned, artifact: second };
  const message: ToolMessage = {
    role: "tool",
    content: contentOf(content, "The result of", name),
    toolCallId: call.id,
    name,
    status: status === "error" ? "error" : "success",
    ...(metadata !== undefined && { metadata: plainData(metadata, "The metadata of", name) as JsonObject }),
    ...(artifact !== undefined && { artifact: plainData(artifact, "The artifact of", name) }),
  };
  if (patch === undefined) return { type: "result", message, value };
  const statePatch: unknown = plainData(patch, "The change of the state by", name);
  return { type: "result", message, value, statePatch: statePatch as readonly AnyPatchOperation[] };
}

/**
 * Converts an error to the tool message, as the tool's `onError` or `onInvalidInput` says. Rejects if they do not
 * handle it.
 */
export async function errorEvent(
  tool: AnyTool,
  call: ToolInvocation,
  error: unknown,
): Promise<ToolErrorEvent> {
  const { name } = tool;
  const text = await textFor(tool, call, error);
  const shown = typeof text === "string" ? textForModel(text) : text;
  const content = contentOf(shown, "The error text of", name);
  return {
    type: "error",
    message: { role: "tool", content, toolCallId: call.id, name, status: "error" },
    error,
  };
}

function textFor(tool: AnyTool, call: ToolInvocation, error: unknown): unknown {
  const { name, onInvalidInput, onError } = tool;
  const isInvalid = isInstance(error, ToolError) && error.code === "invalid_input";
  const handling = isInvalid ? (onInvalidInput as ErrorHandling<unknown>) : onError;
  if (typeof handling === "function") return handling(error, call);
  if (handling === false) throw error;
  if (typeof handling === "string") return handling;
  // The message of `injection` describes values of the program, so the model does not get it.
  if (isInstance(error, ToolError) && error.code !== "injection") return error.message;
  const text = isInstance(error, ToolError) ? "" : safeText(error);
  return text === "" ? `The tool "${name}" failed.` : `The tool "${name}" failed: ${text}`;
}

function pairIn(value: unknown, tool: string): readonly [content: unknown, artifact: unknown] {
  if (Array.isArray(value) && value.length === 2) return value as [unknown, unknown];
  const found = Array.isArray(value)
    ? `an array of ${value.length}`
    : value === null
      ? "null"
      : `a value of type ${typeof value}`;
  throw new ToolError(
    "result",
    `"${tool}" has the output "content_and_artifact": its run must return [content, artifact], but returned ${found}.`,
    { tool },
  );
}

/** Whether the tool returned a whole message. Its content, status, metadata and artifact are kept. */
function isToolMessage(value: unknown): value is Loose {
  return isRecord(value) && value["role"] === "tool" && "content" in value;
}
