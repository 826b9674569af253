import { parseBaseURL } from "../../models/http/endpoint.js";
import { type InitModelOptions, readModelName } from "../../models/init-model.js";
import type { HelpSection } from "../terminal/help.js";
import type { Io } from "../terminal/io.js";

/** The environment variables for each provider. The first variable with a value wins. */
const variables: Readonly<
  Partial<Record<string, { readonly key: readonly string[]; readonly baseURL?: string }>>
> = {
  openai: { key: ["OPENAI_API_KEY"], baseURL: "OPENAI_BASE_URL" },
  anthropic: { key: ["ANTHROPIC_API_KEY"], baseURL: "ANTHROPIC_BASE_URL" },
  gemini: { key: ["GEMINI_API_KEY", "GOOGLE_API_KEY"] },
};

/** The section of help about the environment. @param addresses what the addresses of servers are for */
export function environmentHelp(addresses: string): HelpSection {
  return {
    heading: "Environment",
    rows: [
      ["OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY", "the provider's API key"],
      ["OPENAI_BASE_URL, ANTHROPIC_BASE_URL, OLLAMA_HOST", addresses],
    ],
  };
}

/**
 * Returns the API key and base URL for a model, from `--base-url` and the environment.
 *
 * @param model a name as for `initModel()`, such as `openai:gpt-6.1-terra`
 * @throws {ModelError} `unknown_provider`, or `invalid_request` if the base URL is not a URL
 */
export function connection(model: string, env: Io["env"], baseURL: string | undefined): InitModelOptions {
  const names = variables[readModelName(model).provider];
  const variable = names?.baseURL;
  const value = variable === undefined ? undefined : env[variable]?.trim();
  const url = baseURL ?? (value === "" ? undefined : value);
  if (url !== undefined) parseBaseURL(url, baseURL === undefined ? variable : "--base-url");
  if (names === undefined) return { baseURL: url };
  const found = names.key.map((name) => env[name]).find((key) => key !== undefined && key.trim() !== "");
  // An empty key stops the provider from looking for one elsewhere.
  return { apiKey: found ?? "", baseURL: url };
}
