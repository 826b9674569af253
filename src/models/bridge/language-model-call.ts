import { isObject, withoutUndefined } from "../../json/value.js";
import type { CallOptions, ToolDefinition } from "../contract/chat-model.js";
import { invalidRequest, type ModelError } from "../contract/errors.js";
import { isRecord, type Loose, nonEmptyText } from "../loose.js";
import type { PromptTarget } from "./language-model-prompt.js";

/** The options of a call in the words of the AI SDK (`LanguageModelV2CallOptions`, V3 and V4). */
export function toSdkOptions(call: CallOptions, { version, provider }: PromptTarget): Loose {
  const { stop, tools, toolChoice, responseFormat, reasoning, extra } = call;
  const refuse = (option: string, advice: string): ModelError =>
    invalidRequest(`${provider}: the AI SDK has no option for ${option}. ${advice}`);
  const own = "Set it with extra, which is sent as providerOptions.";
  if (call.parallelToolCalls !== undefined) throw refuse("parallelToolCalls", own);
  if (reasoning?.maxTokens !== undefined) throw refuse("reasoning.maxTokens", own);
  if (reasoning?.effort !== undefined && version !== "v4") throw refuse(`reasoning.effort before V4`, own);
  if (responseFormat?.strict === false) throw refuse("responseFormat.strict", own);
  for (const [key, value] of Object.entries(extra ?? {})) {
    if (isObject(value) || value === undefined) continue;
    throw refuse(
      `extra.${key}`,
      `Write it under the name of its provider: extra: { ${provider.split(".")[0]}: { ${key}: … } }.`,
    );
  }
  return withoutUndefined({
    temperature: call.temperature,
    topP: call.topP,
    maxOutputTokens: call.maxTokens,
    stopSequences: typeof stop === "string" ? [stop] : stop,
    seed: call.seed,
    reasoning: reasoning?.effort,
    tools: tools?.map((tool) => toSdkTool(tool, version)),
    toolChoice: tools === undefined ? undefined : toSdkChoice(toolChoice),
    responseFormat: responseFormat && {
      type: "json",
      name: responseFormat.name,
      schema: responseFormat.schema,
    },
    providerOptions: extra && withoutUndefined(extra),
  });
}

/** V2 cannot ask for strict arguments, and its tools are never strict. */
function toSdkTool(tool: ToolDefinition, version: PromptTarget["version"]): Loose {
  const { name, description, parameters, strict, metadata = {} } = tool;
  if (strict === true && version === "v2") {
    throw invalidRequest(`The tool "${name}" is strict, which the AI SDK can ask for only since V3.`);
  }
  const options = Object.entries(metadata).filter(([, value]) => isObject(value));
  return withoutUndefined({
    type: "function",
    name,
    description,
    inputSchema: parameters,
    strict: version === "v2" ? undefined : strict,
    providerOptions: options.length === 0 ? undefined : Object.fromEntries(options),
  });
}

function toSdkChoice(choice: CallOptions["toolChoice"]): Loose | undefined {
  if (choice === undefined) return undefined;
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.name };
}

/** The packages only warn of an option that the model lacks. If the call has set it, that is an error. */
export function unsupportedError(
  warnings: readonly Loose[],
  sent: Loose,
  provider: string,
): ModelError | undefined {
  for (const { type, feature, setting, tool, details } of warnings) {
    if (type !== "unsupported" && type !== "unsupported-setting" && type !== "unsupported-tool") continue;
    const named = nonEmptyText(feature) ?? nonEmptyText(setting) ?? "tools";
    if (named === lostCalls)
      return invalidRequest(
        `${provider} leaves out the calls of the conversation and their results without tools. Pass the tools of the conversation, and no toolChoice "none".`,
      );
    if (!(named in sent) && !isRecord(tool)) continue;
    const why = nonEmptyText(details) ?? "It sent the request without it.";
    return invalidRequest(
      `${provider} does not support ${named}. ${why} With onUnsupported: "ignore", the answer is used all the same.`,
    );
  }
  return undefined;
}

const lostCalls = "toolContent";
