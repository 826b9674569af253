import { from } from "../../stream/sources/from.js";
import { pipe } from "../../stream/pipe.js";
import { tap } from "../../stream/operators/tap.js";
import { excerpt } from "../../text/excerpt.js";
import type { JsonObject } from "../../json/value.js";
import type { ChatModel } from "../contract/chat-model.js";
import { isRecord, type Loose } from "../loose.js";
import { decoderStage } from "../wire/decoder-stage.js";
import { type BridgeOptions, bridgedModel, unknownProfile } from "./bridge.js";
import { toSdkOptions, unsupportedError } from "./language-model-call.js";
import { languageModelWire } from "./language-model-parts.js";
import { type PromptTarget, toPrompt } from "./language-model-prompt.js";

/** A model of a provider package of the AI SDK: `LanguageModelV2`, `LanguageModelV3` or `LanguageModelV4`. */
export interface SdkLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls?: unknown;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** The options of `fromLanguageModel()`. */
export interface FromLanguageModelOptions extends BridgeOptions {
  /**
   * How a warning of the package is handled that the model does not support an option of the call: `error` ends the answer with
   * `invalid_request` at its first part, `ignore` uses the answer. The warnings are in the metadata of the message.
   * Default: `error`
   */
  readonly onUnsupported?: "error" | "ignore";
}

/** `providerOptions` of the AI SDK: fields under the name of the provider, such as `{ bedrock: { … } }`. */
export type SdkProviderOptions = Readonly<Record<string, JsonObject | undefined>>;

/**
 * Makes a chat model of a model of the AI SDK's provider packages, such as those for Amazon Bedrock, Google Vertex,
 * Azure, Mistral and Cohere. Reads the specifications V2, V3 and V4, and does not load the SDK. Retries and timeouts are
 * those of this package; the SDK's are in `ai`, which is not involved.
 *
 * The SDK does not say what a model can do. The profile has tool calls and all kinds of input, no structured output; set
 * `profile` for what you know of the model. `extra` is sent as `providerOptions`. What a provider adds to its blocks, such
 * as signatures of reasoning and ids of items, is in their metadata and goes back to the same provider.
 *
 * @throws {TypeError} if it is not such a model. From the stream: `ModelError`, with `invalid_request` for an option that
 *   the SDK has no word for or that the model does not support
 *
 * @example
 * ```ts
 * import { textOf } from "millrace";
 * import { fromLanguageModel } from "millrace/models";
 *
 * // In a program: const bedrock = createAmazonBedrock(…)("anthropic.claude-sonnet-5-5"), of @ai-sdk/amazon-bedrock.
 * const bedrock = {
 *   specificationVersion: "v3",
 *   provider: "amazon-bedrock",
 *   modelId: "anthropic.claude-sonnet-5-5",
 *   async doStream() {
 *     const finishReason = { unified: "stop", raw: "end_turn" };
 *     return {
 *       stream: new ReadableStream({
 *         start(parts) {
 *           parts.enqueue({ type: "text-delta", id: "0", delta: "Hello" });
 *           parts.enqueue({ type: "finish", finishReason, usage: { inputTokens: { total: 3 } } });
 *           parts.close();
 *         },
 *       }),
 *     };
 *   },
 * };
 * const message = await fromLanguageModel(bedrock).invoke("Say hello");
 * console.log(textOf(message), message.usage); // Hello { inputTokens: 3 }
 * ```
 */
export function fromLanguageModel(
  model: SdkLanguageModel,
  options: FromLanguageModelOptions = {},
): ChatModel<SdkProviderOptions> {
  const version = versionOf(model);
  const { onUnsupported = "error", ...common } = options;
  if (onUnsupported !== "error" && onUnsupported !== "ignore") {
    throw new TypeError(`onUnsupported must be "error" or "ignore", but is ${excerpt(onUnsupported)}.`);
  }
  const { provider, modelId } = model;
  return bridgedModel<SdkProviderOptions>(common, {
    factory: "fromLanguageModel()",
    provider,
    model: modelId,
    profile: unknownProfile,
    async open({ messages, call, signal }, received) {
      const urls = await urlsOf(model);
      const target: PromptTarget = { version, provider, model: modelId, urls };
      const sent = toSdkOptions(call, target);
      const request = { ...sent, prompt: toPrompt(messages, target), abortSignal: signal };
      const { stream } = await model.doStream(request as never);
      const wire = languageModelWire(provider, (warnings) => {
        const error = onUnsupported === "error" ? unsupportedError(warnings, sent, provider) : undefined;
        if (error !== undefined) throw error;
      });
      return pipe(from<unknown>(stream), tap<unknown>(received), decoderStage(wire));
    },
  });
}

function versionOf(model: SdkLanguageModel): PromptTarget["version"] {
  const { specificationVersion: version, doStream } = (isRecord(model) ? model : {}) as Loose;
  if (typeof doStream === "function" && (version === "v2" || version === "v3" || version === "v4"))
    return version;
  const found = version === undefined ? excerpt(model) : `the version ${excerpt(version)}`;
  throw new TypeError(
    `fromLanguageModel() requires a language model of the AI SDK of version "v2", "v3" or "v4", but got ${found}. Pass what a provider package returns, for example mistral("mistral-large-latest").`,
  );
}

async function urlsOf({ supportedUrls }: SdkLanguageModel): Promise<PromptTarget["urls"]> {
  const urls: unknown = await supportedUrls;
  return isRecord(urls) ? (urls as PromptTarget["urls"]) : {};
}
