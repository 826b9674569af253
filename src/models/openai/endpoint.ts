import {
  acceptedTypes,
  createEndpoint,
  type Endpoint,
  parseBaseURL,
  type ReadVariable,
} from "../http/endpoint.js";
import type { OpenAIOptions } from "./options.js";
import { serverRules, type ServerRules } from "./request/servers.js";

/** The endpoint of one of OpenAI's APIs. */
export interface OpenAIEndpoint extends Endpoint {
  readonly rules: ServerRules;
}

/**
 * @param path path of the API, relative to the base URL
 * @throws {ModelError} `invalid_request` if the URL or a header is not valid
 */
export function openAIEndpoint(options: OpenAIOptions, path: string, variable: ReadVariable): OpenAIEndpoint {
  const baseURL = options.baseURL ?? variable("OPENAI_BASE_URL") ?? officialURL;
  const { hostname } = parseBaseURL(baseURL, options.baseURL === undefined ? "OPENAI_BASE_URL" : undefined);
  const key = (options.apiKey ?? variable("OPENAI_API_KEY"))?.trim() ?? "";
  const headers = {
    accept: acceptedTypes(options),
    authorization: key === "" ? undefined : `Bearer ${key}`,
    "openai-organization": options.organization,
    "openai-project": options.project,
  };
  const endpoint = createEndpoint({ baseURL, path, headers, ownHeaders: options.headers, key });
  const isMissing = hostname === new URL(officialURL).hostname && !endpoint.headers.has("authorization");
  return {
    ...endpoint,
    rules: serverRules(hostname, options.model),
    missingKey: isMissing ? keyNames : undefined,
  };
}

const keyNames = { provider: "OpenAI", factory: "openai", variable: "OPENAI_API_KEY" };
const officialURL = "https://api.openai.com/v1";
