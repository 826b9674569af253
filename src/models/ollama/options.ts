import type { JsonObject } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `ollama()`. */
export interface OllamaOptions extends ProviderOptions {
  /** A server of one's own needs none. */
  readonly apiKey?: string | undefined;
  /** Default: the environment's `OLLAMA_HOST`, or `http://127.0.0.1:11434`. */
  readonly baseURL?: string | undefined;
}

/**
 * Further fields of a request, as the API has them. Those not named here go through too. `options` are joined with those
 * that the other options of a call say; all else takes the place of what was there.
 */
export interface OllamaExtra extends AnyExtra {
  /** How long the model stays in memory: `"10m"`, or seconds; 0 not at all, a negative number for ever. */
  readonly keep_alive?: string | number | undefined;
  /** For models that think or do not, `true` or `false`; for those with levels, one of these (as `reasoning` says it). */
  readonly think?: boolean | "low" | "medium" | "high" | undefined;
  readonly options?: OllamaRunOptions | undefined;
}

/** How the model is run: the parameters of a Modelfile. Those not named here go through too. */
export type OllamaRunOptions = JsonObject & {
  /** How many tokens the model sees: the default of the server is often far less than the model can. */
  num_ctx?: number;
  top_k?: number;
  min_p?: number;
  repeat_penalty?: number;
  repeat_last_n?: number;
};
