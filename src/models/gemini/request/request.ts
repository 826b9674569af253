import type { JsonObject } from "../../../json/value.js";
import type { Message } from "../../../messages/message.js";
import { withoutMarks } from "../../../schema/map-schema.js";
import type { CallOptions, ResponseFormat, ToolDefinition } from "../../contract/chat-model.js";
import { ModelError } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import { toGeminiContents } from "./contents.js";
import { withExtra } from "./extra.js";
import { geminiSchema } from "./schema.js";
import { thinkingConfigOf } from "./thinking.js";

/** The body of a request to `streamGenerateContent`. */
export function geminiRequest(model: string, messages: readonly Message[], call: CallOptions): JsonObject {
  const { tools = [], parallelToolCalls } = call;
  if (parallelToolCalls === false) {
    throw new ModelError(
      "invalid_request",
      "Gemini cannot be told to call one tool at a time (parallelToolCalls).",
    );
  }
  const request = requestFields({
    ...toGeminiContents(messages),
    tools: tools.length === 0 ? undefined : [{ functionDeclarations: tools.map(toFunction) }],
    toolConfig: toolConfigOf(call),
    generationConfig: generationConfigOf(model, call),
  });
  return call.extra === undefined ? request : withExtra(request, call.extra);
}

function generationConfigOf(model: string, call: CallOptions): JsonObject | undefined {
  const { stop } = call;
  const config = requestFields({
    temperature: call.temperature,
    topP: call.topP,
    maxOutputTokens: call.maxTokens,
    stopSequences: typeof stop === "string" ? [stop] : stop && [...stop],
    seed: call.seed,
    thinkingConfig: thinkingConfigOf(model, call.reasoning),
    ...(call.responseFormat === undefined ? undefined : formatOf(call.responseFormat)),
  });
  return Object.keys(config).length === 0 ? undefined : config;
}

/** Gemini holds the model to any schema that it is given. Unless that must be exact, it may overlook what it cannot do. */
function formatOf({ schema, strict = true }: ResponseFormat): JsonObject {
  return {
    responseMimeType: "application/json",
    responseJsonSchema: strict ? geminiSchema(schema) : withoutMarks(schema),
  };
}

/** The parameters are JSON Schema as it is; only where the model is to be held to them, what Gemini can do counts. */
function toFunction({ name, description, parameters, strict, metadata = {} }: ToolDefinition): JsonObject {
  const parametersJsonSchema = strict === true ? geminiSchema(parameters) : withoutMarks(parameters);
  const { behavior, response, responseJsonSchema } = metadata;
  const own = { behavior, response, responseJsonSchema };
  return requestFields({ name, description, parametersJsonSchema, ...own });
}

/**
 * A call that must come is held to its schema anyway (`ANY`). One that may come is, if some tool is strict (`VALIDATED`).
 */
function toolConfigOf({ toolChoice, tools = [] }: CallOptions): JsonObject | undefined {
  const mode = (mode: string, names?: string[]): JsonObject => ({
    functionCallingConfig: requestFields({ mode, allowedFunctionNames: names }),
  });
  const strict = tools.some((tool) => tool.strict === true);
  if (typeof toolChoice === "object") return mode("ANY", [toolChoice.name]);
  switch (toolChoice) {
    case "none":
      return mode("NONE");
    case "required":
      return mode("ANY");
    case "auto":
      return mode(strict ? "VALIDATED" : "AUTO");
    case undefined:
      return strict ? mode("VALIDATED") : undefined;
  }
}
