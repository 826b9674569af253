import { quoted } from "../text/cut.js";
import { kindName } from "../text/kind-name.js";
import type { ChatModel } from "./contract/chat-model.js";
import { ModelError } from "./contract/errors.js";
import type { anthropic } from "./anthropic/model.js";
import type { gemini } from "./gemini/model.js";
import type { ollama } from "./ollama/model.js";
import type { openai } from "./openai/model.js";
import type { ProviderOptions } from "./contract/provider-options.js";

/**
 * Creates a model from the name of a provider and a model: `initModel("openai:gpt-6.1-terra")`. The prefix may be left out
 * for names that show their provider: `gpt-…`, `o3…`, `claude-…` and `gemini-…`. Loads only the code of that provider.
 *
 * For a string literal, the types of the options and of `extra` are those of the provider. For any other string, they
 * are the options that all providers share.
 *
 * @throws {ModelError} `no_model` for no name, as of a variable that is not set, or for a provider alone;
 *   `unknown_provider` if the prefix is unknown, or missing where the name does not show the provider; also any error
 *   of the provider's own factory
 *
 * @example
 * ```ts
 * import { initModel, ModelError } from "millrace";
 *
 * const model = await initModel("openai:gpt-6.1-terra", { apiKey: "an example", api: "responses" });
 * console.log(model.provider, model.model); // "openai" "gpt-6.1-terra"
 * console.log((await initModel("claude-haiku-4-5")).provider); // "anthropic"
 *
 * await initModel("llama3.2").catch((error) => {
 *   console.log(error instanceof ModelError && error.message);
 * });
 * ```
 */
export async function initModel<const Name extends string>(
  name: Name,
  options?: InitModelOptions<Name>,
): Promise<InitializedModel<Name>> {
  const { provider, model } = readModelName(name);
  const create = await providers[provider]();
  return create({ ...options, model }) as InitializedModel<Name>;
}

/** Returns a function that returns the model. If `model` is a name, the first call loads it. */
export function modelLoader(model: ChatModel | string): () => ChatModel | Promise<ChatModel> {
  if (typeof model !== "string") return () => model;
  readModelName(model); // reports a wrong name now
  let loading: Promise<ChatModel> | undefined;
  return () =>
    (loading ??= initModel(model).catch((error: unknown) => {
      loading = undefined; // the code of a provider may load later
      throw error;
    }));
}

/** The options of `initModel()`: those of the named provider, or those that all providers share. */
export type InitModelOptions<Name extends string = string> = Omit<Parameters<CreateOf<Name>>[0], "model">;

/** The type of model that `initModel()` creates for a name. */
export type InitializedModel<Name extends string = string> = ReturnType<CreateOf<Name>>;

type CreateOf<Name extends string> = [ProviderOf<Name>] extends [never]
  ? CreateModel
  : Providers[ProviderOf<Name>];

type ProviderOf<Name extends string> = Name extends `${infer Provider extends keyof Providers}:${string}`
  ? Provider
  : Name extends `gpt-oss${string}`
    ? never
    : Name extends `${"" | "ft:"}gpt-${string}` | `chatgpt-${string}` | `o${number}${string}`
      ? "openai"
      : Name extends `claude-${string}`
        ? "anthropic"
        : Name extends `gemini-${string}`
          ? "gemini"
          : never;

type CreateModel = (options: ProviderOptions) => ChatModel;

/**
 * The providers of names such as `openai:gpt-6.1-terra`, loaded when a model is created, so nobody pays for the others. A
 * new one is a folder, of which `ollama/` is the smallest example, a line here, and, if its names of models show it, one
 * in `ProviderOf` and `families`. An entry of its own is a line in package.json and in tsconfig.json.
 */
const providers = {
  openai: async (): Promise<typeof openai> => (await import("./openai/index.js")).openai,
  anthropic: async (): Promise<typeof anthropic> => (await import("./anthropic/index.js")).anthropic,
  gemini: async (): Promise<typeof gemini> => (await import("./gemini/index.js")).gemini,
  ollama: async (): Promise<typeof ollama> => (await import("./ollama/index.js")).ollama,
};

type Providers = {
  readonly [Name in keyof typeof providers]: Awaited<ReturnType<(typeof providers)[Name]>>;
};

/** Names that show their provider. Anyone may serve gpt-oss. */
const families: readonly (readonly [RegExp, keyof Providers])[] = [
  [/^(?:(?:ft:)?gpt-(?!oss)|chatgpt-|o\d)/, "openai"],
  [/^claude-/, "anthropic"],
  [/^gemini-/, "gemini"],
];

/** @throws {ModelError} `unknown_provider` or `no_model` */
export function readModelName(name: string): { readonly provider: keyof Providers; readonly model: string } {
  if (typeof name !== "string") {
    const problem = `Expected the name of a model, such as "openai:gpt-6.1-terra", but found ${kindName(name)}.`;
    throw new ModelError("no_model", problem);
  }
  const colon = name.indexOf(":");
  const prefix = name.slice(0, Math.max(colon, 0));
  if (isProvider(prefix) && name.length > colon + 1)
    return { provider: prefix, model: name.slice(colon + 1) };
  const alone = prefix === "" ? name : prefix;
  if (isProvider(alone)) {
    throw new ModelError(
      "no_model",
      `${quoted(name)} is a provider. Write "${alone}:MODEL", such as "openai:gpt-6.1-terra".`,
    );
  }
  const family = families.find(([names]) => names.test(name));
  if (family !== undefined) return { provider: family[1], model: name };
  const known = Object.keys(providers).join(", ");
  const problem =
    colon < 0
      ? `The model name ${quoted(name)} does not show its provider. Write ${quoted(`ollama:${name}`)}, for example.`
      : `Unknown provider ${quoted(prefix)} in the model name ${quoted(name)}.`;
  throw new ModelError("unknown_provider", `${problem} Known providers: ${known}.`);
}

function isProvider(name: string): name is keyof typeof providers {
  return Object.hasOwn(providers, name);
}
