import { createEndpoint, type Endpoint, parseBaseURL, type ReadVariable } from "../http/endpoint.js";
import type { AnthropicOptions } from "./options.js";

export function anthropicEndpoint(options: AnthropicOptions, variable: ReadVariable): Endpoint {
  const address = options.baseURL ?? variable("ANTHROPIC_BASE_URL") ?? officialURL;
  const baseURL = parseBaseURL(address, options.baseURL === undefined ? "ANTHROPIC_BASE_URL" : undefined);
  const { version = "2023-06-01", betas = [] } = options;
  return createEndpoint(options, {
    baseURL,
    // Anthropic's own clients expect the base URL without the API version, most others with it.
    path: /\/v1\/*$/.test(baseURL.pathname) ? "/messages" : "/v1/messages",
    key: options.apiKey ?? variable("ANTHROPIC_API_KEY"),
    keyHeader: "x-api-key",
    keyNames: baseURL.hostname === new URL(officialURL).hostname ? keyNames : undefined,
    headers: {
      "anthropic-version": version,
      "anthropic-beta": betas.length === 0 ? undefined : betas.join(","),
    },
  });
}

const keyNames = { provider: "Anthropic", factory: "anthropic", variable: "ANTHROPIC_API_KEY" };
const officialURL = "https://api.anthropic.com";
