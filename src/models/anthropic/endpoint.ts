import {
  acceptedTypes,
  createEndpoint,
  type Endpoint,
  parseBaseURL,
  type ReadVariable,
} from "../http/endpoint.js";
import type { AnthropicOptions } from "./options.js";

/** @throws {ModelError} `invalid_request` for an invalid address or header */
export function anthropicEndpoint(options: AnthropicOptions, variable: ReadVariable): Endpoint {
  const baseURL = options.baseURL ?? variable("ANTHROPIC_BASE_URL") ?? officialURL;
  const source = options.baseURL === undefined ? "ANTHROPIC_BASE_URL" : undefined;
  const { hostname, pathname } = parseBaseURL(baseURL, source);
  const key = (options.apiKey ?? variable("ANTHROPIC_API_KEY"))?.trim() ?? "";
  const { version = "2023-06-01", betas = [] } = options;
  const headers = {
    accept: acceptedTypes(options),
    "anthropic-version": version,
    "anthropic-beta": betas.length === 0 ? undefined : betas.join(","),
    "x-api-key": key === "" ? undefined : key,
  };
  // Anthropic's own clients expect the base URL without the API version, most others with it.
  const path = /\/v1\/*$/.test(pathname) ? "/messages" : "/v1/messages";
  const endpoint = createEndpoint({ baseURL, path, headers, ownHeaders: options.headers, key });
  const { headers: sent } = endpoint;
  const hasKey = sent.has("x-api-key") || sent.has("authorization");
  const isMissing = hostname === new URL(officialURL).hostname && !hasKey;
  return { ...endpoint, missingKey: isMissing ? keyNames : undefined };
}

const keyNames = { provider: "Anthropic", factory: "anthropic", variable: "ANTHROPIC_API_KEY" };
const officialURL = "https://api.anthropic.com";
