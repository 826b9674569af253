import { environmentVariable, parseBaseURL, type Endpoint, createEndpoint } from "../http/endpoint.js";
import { ModelError } from "../contract/errors.js";
import type { OpenAIOptions } from "./options.js";

/** The endpoint of one of OpenAI's APIs, and whether it is OpenAI itself and not a server that speaks the same. */
export interface OpenAIEndpoint extends Endpoint {
  readonly official: boolean;
}

/**
 * @param path of the API, behind the base
 * @throws {ModelError} `no_key`; `invalid_request` for an address or a header that cannot be
 */
export function openAIEndpoint(options: OpenAIOptions, path: string): OpenAIEndpoint {
  const baseURL = options.baseURL ?? environmentVariable("OPENAI_BASE_URL") ?? officialURL;
  const official = parseBaseURL(baseURL).hostname === new URL(officialURL).hostname;
  const key = (options.apiKey ?? environmentVariable("OPENAI_API_KEY"))?.trim() ?? "";
  const headers = {
    accept: "text/event-stream",
    authorization: key === "" ? undefined : `Bearer ${key}`,
    "openai-organization": options.organization,
    "openai-project": options.project,
  };
  const endpoint = createEndpoint({ baseURL, path, headers, ownHeaders: options.headers, key });
  if (official && !endpoint.headers.has("authorization")) {
    throw new ModelError(
      "no_key",
      "OpenAI needs an API key: set OPENAI_API_KEY, or give openai() an apiKey.",
    );
  }
  return { ...endpoint, official };
}

const officialURL = "https://api.openai.com/v1";
