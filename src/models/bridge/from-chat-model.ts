import { from } from "../../stream/sources/from.js";
import { pipe } from "../../stream/pipe.js";
import { tap } from "../../stream/operators/tap.js";
import { excerpt } from "../../text/excerpt.js";
import { fieldOf, hasMethod } from "../../text/thrown.js";
import { type LangChainChunk, langChainWire } from "../adapters/from-langchain.js";
import type { CallOptions, ChatModel, ToolDefinition } from "../contract/chat-model.js";
import { invalidRequest } from "../contract/errors.js";
import { asNumber, isRecord, type Loose, nonEmptyText } from "../loose.js";
import { decoderStage } from "../wire/decoder-stage.js";
import { type BridgeOptions, bridgedModel, unknownProfile } from "./bridge.js";
import { toLangChainMessages } from "./chat-model-messages.js";
import { withoutUndefined } from "../../json/value.js";

/** A chat model of LangChain.js (`BaseChatModel`). */
export interface LangChainChatModel {
  stream(input: never, options?: never): PromiseLike<AsyncIterable<LangChainChunk>>;
  bindTools?(tools: never, options?: never): unknown;
}

/**
 * Makes a chat model of a chat model of LangChain.js, such as `ChatBedrockConverse` or `AzureChatOpenAI`. Does not load
 * LangChain.
 *
 * Create the model with `maxRetries: 0`: then this package retries, and its timeouts count. With LangChain's own retries
 * (6 by default) this package does not retry. Temperature, length and other settings belong to the constructor; a call
 * can have `stop`, `tools`, `toolChoice`, and `responseFormat` if `profile.structuredOutput` says that the model takes it.
 * `extra` is added to the call options of LangChain.
 *
 * @throws {TypeError} if it is not such a model. From the stream: `ModelError`, with `invalid_request` for an option that
 *   cannot be passed on
 *
 * @example
 * ```ts
 * import { textOf } from "millrace";
 * import { fromChatModel } from "millrace/models";
 *
 * // In a program: const chat = new ChatBedrockConverse({ model: "…", maxRetries: 0 }), of @langchain/aws.
 * const chat = {
 *   async stream() {
 *     return new ReadableStream({
 *       start(chunks) {
 *         chunks.enqueue({ content: "Hello" });
 *         chunks.enqueue({ content: "", response_metadata: { finish_reason: "stop" } });
 *         chunks.close();
 *       },
 *     });
 *   },
 * };
 * console.log(textOf(await fromChatModel(chat).invoke("Say hello"))); // Hello
 * ```
 */
export function fromChatModel(model: LangChainChatModel, options: BridgeOptions = {}): ChatModel {
  if (!isRecord(model) || typeof model.stream !== "function") {
    throw new TypeError(
      `fromChatModel() requires a chat model of LangChain.js, for example new ChatOpenAI(…), but got ${excerpt(model)}.`,
    );
  }
  const provider = providerOf(model);
  const name = nonEmptyText(fieldOf(model, "model")) ?? nonEmptyText(fieldOf(model, "modelName")) ?? provider;
  const retries = asNumber(fieldOf(fieldOf(model, "caller"), "maxRetries")) ?? 0;
  const profile = {
    ...unknownProfile,
    toolCalling: hasMethod(model, "bindTools"),
    ...options.profile,
  };
  const common = { ...(retries > 0 && { maxRetries: 0 }), ...options };
  return bridgedModel(common, {
    factory: "fromChatModel()",
    provider,
    model: name,
    profile,
    async open({ messages, call, signal }, received) {
      const options = { ...toLangChainOptions(call, provider, profile.structuredOutput), signal };
      const bound = bind(model, call, provider);
      const stream = await bound.stream(toLangChainMessages(messages, provider) as never, options as never);
      const source = from<LangChainChunk>(stream);
      return pipe(source, tap<LangChainChunk>(received), decoderStage(bridgedWire));
    },
  });
}

/** Its models say why an answer ended, so an answer without a reason was cut. */
const bridgedWire = { ...langChainWire, noEnd: "without a finish reason" };

/** `openai` for ChatOpenAI. */
function providerOf(model: LangChainChatModel): string {
  const type = (model as { readonly _llmType?: () => unknown })._llmType?.();
  return nonEmptyText(type) ?? "langchain";
}

function bind(model: LangChainChatModel, call: CallOptions, provider: string): LangChainChatModel {
  const { tools, toolChoice } = call;
  if (tools === undefined || tools.length === 0) return model;
  if (typeof model.bindTools !== "function") throw invalidRequest(`${provider} cannot call tools.`);
  const choice = withoutUndefined({ tool_choice: choiceOf(toolChoice, tools) });
  return model.bindTools(tools.map(toLangChainTool) as never, choice as never) as LangChainChatModel;
}

/** The name of the only tool, because the Responses API in LangChain drops `any`, the word for `required`. */
function choiceOf(choice: CallOptions["toolChoice"], tools: readonly ToolDefinition[]): string | undefined {
  if (typeof choice === "object") return choice.name;
  if (choice !== "required") return choice;
  return tools.length === 1 ? tools[0]?.name : "any";
}

/** Fields for a provider, such as `cache_control`, have a place in the form of LangChain's own tools only. */
function toLangChainTool({ name, description, parameters, strict, metadata }: ToolDefinition): Loose {
  if (metadata !== undefined) {
    return withoutUndefined({ name, description, schema: parameters, extras: metadata });
  }
  return { type: "function", function: withoutUndefined({ name, description, parameters, strict }) };
}

const ownOptions = ["temperature", "topP", "maxTokens", "seed", "parallelToolCalls", "reasoning"] as const;

function toLangChainOptions(call: CallOptions, provider: string, structured: boolean): Loose {
  for (const option of ownOptions) {
    if (call[option] === undefined) continue;
    throw invalidRequest(
      `${provider} takes ${option} only when the model is created: set it in the constructor of LangChain's model.`,
    );
  }
  const { stop, responseFormat, extra } = call;
  if (responseFormat !== undefined && !structured) {
    throw invalidRequest(
      `${provider} may ignore responseFormat. If the model enforces a schema, say so: fromChatModel(model, { profile: { structuredOutput: true } }).`,
    );
  }
  const { name, schema, strict = true } = responseFormat ?? {};
  return withoutUndefined({
    stop: typeof stop === "string" ? [stop] : stop,
    response_format: responseFormat && { type: "json_schema", json_schema: { name, schema, strict } },
    ...extra,
  });
}
