import { createEndpoint, type Endpoint, parseBaseURL, type ReadVariable } from "../http/endpoint.js";
import type { OllamaOptions } from "./options.js";

export function ollamaEndpoint(options: OllamaOptions, variable: ReadVariable): Endpoint {
  const address = options.baseURL ?? hostAddress(variable("OLLAMA_HOST") ?? "");
  return createEndpoint(options, {
    baseURL: parseBaseURL(address, options.baseURL === undefined ? "OLLAMA_HOST" : undefined),
    path: "/api/chat",
    key: options.apiKey,
    keyHeader: "authorization",
    streamType: "application/x-ndjson",
  });
}

/**
 * Converts `OLLAMA_HOST` to an address. It may be partial: `192.168.0.7`, `:11434`, `http://gpu:80`. `0.0.0.0` means
 * that the server listens on all addresses, so the client connects to this machine.
 */
export function hostAddress(host: string): string {
  const [, scheme, rest = ""] = /^([a-z]+:\/\/)?(.*)$/is.exec(host.trim()) ?? [];
  const [, name = "", port, path = ""] = /^(\[[^\]]*\]|[^:/]*)(:\d+)?(\/.*)?$/s.exec(rest) ?? [
    undefined,
    rest,
  ];
  const server = unspecified.get(name) ?? name;
  // A scheme implies its port.
  const defaultPort = scheme === undefined ? ":11434" : "";
  return `${scheme ?? "http://"}${server}${port ?? defaultPort}${path}`;
}

const unspecified: ReadonlyMap<string, string> = new Map([
  ["", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
]);
