import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import type { CallOptions, ResponseFormat, ToolDefinition } from "../contract/chat-model.js";
import { invalidRequest, ModelError } from "../contract/errors.js";
import { asRecord, fieldsOrUndefined, isRecord, nonEmptyText, requestFields } from "../loose.js";
import { formatSubject } from "../dialect/refuse.js";
import { writeParameters, writeSchema } from "../dialect/write-schema.js";
import { ownFieldsIn } from "./own-fields.js";
import { anthropicFormat, anthropicStrictTool, anthropicTool } from "./schema.js";
import { thinkingFor } from "./request/thinking.js";
import { toTurns } from "./messages.js";

/** @param longest the maximum output tokens of the model, if known: Anthropic requires a limit */
export function messagesRequest(
  model: string,
  longest: number | undefined,
  messages: readonly Message[],
  call: CallOptions,
): JsonObject {
  const { temperature, topP, stop, tools = [], responseFormat, extra = {} } = call;
  if (call.seed !== undefined) throw invalidRequest("Anthropic does not support seed.");
  const maxTokens = call.maxTokens ?? longest ?? defaultMaxTokens + (call.reasoning?.maxTokens ?? 0);
  const { thinking, effort } = thinkingFor(model, call, maxTokens);
  const { system, turns } = toTurns(messages);
  if (turns.length === 0) {
    throw new ModelError("no_prompt", "Anthropic needs at least one message besides system messages.");
  }
  return requestFields({
    model,
    max_tokens: maxTokens,
    system,
    messages: turns,
    stream: true,
    temperature,
    top_p: topP,
    stop_sequences: stop === undefined ? undefined : [stop].flat(),
    tool_choice: toolChoiceOf(call),
    thinking,
    tools: tools.length === 0 ? undefined : tools.map(toTool),
    ...extra,
    output_config: outputConfig(effort, responseFormat, extra),
    container: containerOf(messages, extra),
  });
}

const defaultMaxTokens = 4_096;

/** Merges the fields: an effort set here must not remove the response format. */
function outputConfig(
  effort: string | undefined,
  format: ResponseFormat | undefined,
  extra: Extra,
): JsonObject | undefined {
  const { output_config } = extra;
  if (Object.hasOwn(extra, "output_config") && output_config === undefined) return undefined;
  return fieldsOrUndefined({
    effort,
    format: format && { type: "json_schema", schema: formatSchema(format) },
    ...asRecord(output_config),
  });
}

/** Anthropic refuses to continue a turn without the container where the code of a server tool waits. */
function containerOf(messages: readonly Message[], extra: Extra): JsonValue | undefined {
  const { container } = extra;
  if (Object.hasOwn(extra, "container") && !isObject(container)) return container;
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const last = turn.findLast(({ metadata }) => isRecord(metadata?.["container"]));
  const id = nonEmptyText(asRecord(last?.metadata?.["container"])["id"]);
  if (id === undefined) return container;
  return isObject(container) ? { id, ...container } : id;
}

type Extra = NonNullable<CallOptions["extra"]>;

/** The API has no field for the name, so it goes into the schema. */
function formatSchema({ name, schema }: ResponseFormat): JsonObject {
  return { title: name, ...writeSchema(schema, anthropicFormat, formatSubject(name)) };
}

function toTool(tool: ToolDefinition): JsonObject {
  const { name, description, strict, metadata, forms } = tool;
  return (
    forms?.["anthropic"] ??
    requestFields({
      name,
      description,
      input_schema: writeParameters(tool, strict === true ? anthropicStrictTool : anthropicTool),
      strict,
      ...ownFieldsIn(metadata),
    })
  );
}

function toolChoiceOf({ toolChoice, parallelToolCalls, tools = [] }: CallOptions): JsonObject | undefined {
  const single =
    parallelToolCalls === undefined ? undefined : { disable_parallel_tool_use: !parallelToolCalls };
  switch (toolChoice) {
    case undefined:
      return single === undefined || tools.length === 0 ? undefined : { type: "auto", ...single };
    case "none":
      return { type: "none" };
    case "auto":
      return { type: "auto", ...single };
    case "required":
      return { type: "any", ...single };
    default:
      return { type: "tool", name: toolChoice.name, ...single };
  }
}
