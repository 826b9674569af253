import { parseBaseURL, type Endpoint, createEndpoint, environmentVariable } from "../http/endpoint.js";
import { ModelError } from "../contract/errors.js";
import type { AnthropicOptions } from "./options.js";

/** @throws {ModelError} `no_key`; `invalid_request` for an invalid address or header */
export function anthropicEndpoint(options: AnthropicOptions): Endpoint {
  const baseURL = options.baseURL ?? environmentVariable("ANTHROPIC_BASE_URL") ?? officialURL;
  const { hostname, pathname } = parseBaseURL(baseURL);
  const key = (options.apiKey ?? environmentVariable("ANTHROPIC_API_KEY"))?.trim() ?? "";
  const { version = "2023-06-01", betas = [] } = options;
  const headers = {
    accept: "text/event-stream",
    "anthropic-version": version,
    "anthropic-beta": betas.length === 0 ? undefined : betas.join(","),
    "x-api-key": key === "" ? undefined : key,
  };
  // Anthropic's own clients expect the base URL without the API version, most others with it.
  const path = /\/v1\/*$/.test(pathname) ? "/messages" : "/v1/messages";
  const endpoint = createEndpoint({ baseURL, path, headers, ownHeaders: options.headers, key });
  const { headers: sent } = endpoint;
  if (hostname === new URL(officialURL).hostname && !sent.has("x-api-key") && !sent.has("authorization")) {
    throw new ModelError(
      "no_key",
      "Anthropic needs an API key. Set ANTHROPIC_API_KEY, or pass apiKey to anthropic().",
      {
        environmentVariable: "ANTHROPIC_API_KEY",
      },
    );
  }
  return endpoint;
}

const officialURL = "https://api.anthropic.com";
