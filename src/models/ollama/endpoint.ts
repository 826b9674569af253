import { environmentVariable, type Endpoint, createEndpoint } from "../http/endpoint.js";
import { hostAddress } from "./host.js";
import type { OllamaOptions } from "./options.js";

/** @throws {ModelError} `invalid_request` for an invalid address or header */
export function ollamaEndpoint(options: OllamaOptions): Endpoint {
  const key = options.apiKey?.trim() ?? "";
  return createEndpoint({
    baseURL: options.baseURL ?? hostAddress(environmentVariable("OLLAMA_HOST") ?? ""),
    path: "/api/chat",
    headers: {
      accept: "application/x-ndjson",
      authorization: key === "" ? undefined : `Bearer ${key}`,
    },
    ownHeaders: options.headers,
    key,
  });
}
