import type { ChatModel } from "./chat-model.js";
import { ModelError } from "./errors.js";
import type { ProviderOptions } from "./provider-options.js";

/**
 * A model by the names of its provider and its own: `initModel("openai:gpt-5-mini")`. Loads the code of that provider
 * alone. The options are those that all providers share.
 *
 * @throws {ModelError} `unknown_provider` if the name has no provider in front, or one that is not known; what the
 *   provider throws
 *
 * @example
 * ```ts
 * import { initModel, ModelError } from "millrace";
 *
 * const model = await initModel("openai:gpt-5-mini", { apiKey: "an example" });
 * console.log(model.provider, model.model); // "openai" "gpt-5-mini"
 *
 * await initModel("gpt-5-mini").catch((error) => {
 *   console.log(error instanceof ModelError && error.message);
 * });
 * ```
 */
export async function initModel(name: string, options: InitModelOptions = {}): Promise<ChatModel> {
  const colon = name.indexOf(":");
  const provider = colon < 0 ? undefined : name.slice(0, colon);
  const model = name.slice(colon + 1);
  if (provider === undefined || !isProvider(provider)) throw unknownProvider(name, provider);
  const create = await providers[provider]();
  return create({ ...options, model });
}

/** The options of `initModel()`: those that all providers share. */
export type InitModelOptions = Omit<ProviderOptions, "model">;

type CreateModel = (options: ProviderOptions) => ChatModel;

const providers = {
  openai: async (): Promise<CreateModel> => (await import("./openai/openai.js")).openai,
  anthropic: async (): Promise<CreateModel> => (await import("./anthropic/anthropic.js")).anthropic,
  gemini: async (): Promise<CreateModel> => (await import("./gemini/gemini.js")).gemini,
  ollama: async (): Promise<CreateModel> => (await import("./ollama/ollama.js")).ollama,
} as const;

function isProvider(name: string): name is keyof typeof providers {
  return Object.hasOwn(providers, name);
}

function unknownProvider(name: string, provider: string | undefined): ModelError {
  const known = Object.keys(providers).join(", ");
  const problem =
    provider === undefined
      ? `The model name ${JSON.stringify(name)} does not say whose model it is: write "openai:${name}", for example.`
      : `There is no provider ${JSON.stringify(provider)}, as ${JSON.stringify(name)} asks for.`;
  return new ModelError("unknown_provider", `${problem} Known providers: ${known}.`);
}
