import type { JsonObject } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `ollama()`. */
export interface OllamaOptions extends ProviderOptions {
  /** Not needed for a local server. */
  readonly apiKey?: string | undefined;
  /** Default: the environment variable `OLLAMA_HOST`, or `http://127.0.0.1:11434`. */
  readonly baseURL?: string | undefined;
}

/**
 * Additional request fields in the format of the API. Unlisted fields are sent too. `options` are merged with the other
 * options of the call; all other fields replace existing ones.
 */
export interface OllamaExtra extends AnyExtra {
  /** How long the model stays in memory: `"10m"`, or seconds. 0: not at all. Negative: forever. */
  readonly keep_alive?: string | number | undefined;
  /**
   * `true` or `false` for models that can turn thinking on and off; a level for models with levels (see `reasoning`).
   */
  readonly think?: boolean | "low" | "medium" | "high" | undefined;
  readonly options?: OllamaRunOptions | undefined;
}

/** Run options: the parameters of a Modelfile. Unlisted ones are sent too. */
export type OllamaRunOptions = JsonObject & {
  /** Context length in tokens. The server's default is usually far below the model's limit. */
  num_ctx?: number;
  top_k?: number;
  min_p?: number;
  repeat_penalty?: number;
  repeat_last_n?: number;
};
