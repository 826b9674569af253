import { quoted } from "../text/cut.js";
import type { ChatModel } from "./contract/chat-model.js";
import { ModelError } from "./contract/errors.js";
import type { anthropic } from "./anthropic/anthropic.js";
import type { gemini } from "./gemini/gemini.js";
import type { ollama } from "./ollama/ollama.js";
import type { openai } from "./openai/openai.js";
import type { ProviderOptions } from "./contract/provider-options.js";

/**
 * Creates a model from the name of a provider and a model: `initModel("openai:gpt-5-mini")`. Loads only the code of that
 * provider. For a string literal, the types of the options and of `extra` are those of the provider. For any other string,
 * they are the options that all providers share.
 *
 * @throws {ModelError} `unknown_provider` if the prefix is missing or unknown; also any error of the provider's own
 *   factory
 *
 * @example
 * ```ts
 * import { initModel, ModelError } from "millrace";
 *
 * const model = await initModel("openai:gpt-5-mini", { apiKey: "an example", api: "responses" });
 * console.log(model.provider, model.model); // "openai" "gpt-5-mini"
 *
 * await initModel("gpt-5-mini").catch((error) => {
 *   console.log(error instanceof ModelError && error.message);
 * });
 * ```
 */
export async function initModel<const Name extends string>(
  name: Name,
  options?: InitModelOptions<Name>,
): Promise<InitializedModel<Name>> {
  const colon = name.indexOf(":");
  const provider = colon < 0 ? undefined : name.slice(0, colon);
  const model = name.slice(colon + 1);
  if (provider === undefined || !isProvider(provider)) throw unknownProvider(name, provider);
  const create = await providers[provider]();
  return create({ ...options, model }) as InitializedModel<Name>;
}

/** The options of `initModel()`: those of the named provider, or those that all providers share. */
export type InitModelOptions<Name extends string = string> = Omit<Parameters<CreateOf<Name>>[0], "model">;

/** The type of model that `initModel()` creates for a name. */
export type InitializedModel<Name extends string = string> = ReturnType<CreateOf<Name>>;

type CreateOf<Name extends string> = Name extends `${infer Provider extends keyof Providers}:${string}`
  ? Providers[Provider]
  : CreateModel;

type CreateModel = (options: ProviderOptions) => ChatModel;

/** Type-only imports, so no provider is loaded before it is needed. */
interface Providers {
  readonly openai: typeof openai;
  readonly anthropic: typeof anthropic;
  readonly gemini: typeof gemini;
  readonly ollama: typeof ollama;
}

const providers: { readonly [Name in keyof Providers]: () => Promise<Providers[Name]> } = {
  openai: async () => (await import("./openai/index.js")).openai,
  anthropic: async () => (await import("./anthropic/index.js")).anthropic,
  gemini: async () => (await import("./gemini/index.js")).gemini,
  ollama: async () => (await import("./ollama/index.js")).ollama,
};

function isProvider(name: string): name is keyof typeof providers {
  return Object.hasOwn(providers, name);
}

function unknownProvider(name: string, provider: string | undefined): ModelError {
  const known = Object.keys(providers).join(", ");
  const problem =
    provider === undefined
      ? `The model name ${quoted(name)} has no provider prefix. Write ${quoted(`openai:${name}`)}, for example.`
      : `Unknown provider ${quoted(provider)} in the model name ${quoted(name)}.`;
  return new ModelError("unknown_provider", `${problem} Known providers: ${known}.`);
}
