import { environmentVariable, parseBaseURL, type Endpoint, createEndpoint } from "../http/endpoint.js";
import { ModelError } from "../contract/errors.js";
import type { OpenAIOptions } from "./options.js";

/** The endpoint of one of OpenAI's APIs. */
export interface OpenAIEndpoint extends Endpoint {
  /** Whether this is OpenAI itself, not a compatible server. */
  readonly official: boolean;
}

/**
 * @param path path of the API, relative to the base URL
 * @throws {ModelError} `no_key`; `invalid_request` if the URL or a header is not valid
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
      "OpenAI requires an API key. Set OPENAI_API_KEY, or pass apiKey to openai().",
      {
        environmentVariable: "OPENAI_API_KEY",
      },
    );
  }
  return { ...endpoint, official };
}

const officialURL = "https://api.openai.com/v1";
