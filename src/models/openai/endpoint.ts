import {
  acceptedTypes,
  createEndpoint,
  type Endpoint,
  type MissingKey,
  parseBaseURL,
  type ReadVariable,
} from "../http/endpoint.js";
import type { OpenAIOptions } from "./options.js";
import {
  isLocal,
  localServers,
  type OpenAIServer,
  serverRules,
  type ServerRules,
} from "./request/servers.js";

/** The endpoint of one of OpenAI's APIs. */
export interface OpenAIEndpoint extends Endpoint {
  readonly rules: ServerRules;
}

/**
 * @param path path of the API, relative to the base URL
 * @throws {ModelError} `invalid_request` if the URL or a header is not valid
 */
export function openAIEndpoint(options: OpenAIOptions, path: string, variable: ReadVariable): OpenAIEndpoint {
  const { model, family = model, apiVersion } = options;
  const source = options.server === "azure" ? "AZURE_OPENAI_ENDPOINT" : "OPENAI_BASE_URL";
  const baseURL = options.baseURL ?? variable(source) ?? defaultURL(options.server);
  const { hostname } = parseBaseURL(baseURL, options.baseURL === undefined ? source : undefined);
  const rules = serverRules(hostname, family, options.server);
  const isAzure = rules.server === "azure";
  const fromEnvironment = isAzure ? variable("AZURE_OPENAI_API_KEY") : undefined;
  const key = (options.apiKey ?? fromEnvironment ?? variable("OPENAI_API_KEY"))?.trim() ?? "";
  const sent = key === "" ? undefined : key;
  const headers = {
    accept: acceptedTypes(options),
    ...(isAzure ? { "api-key": sent } : { authorization: sent && `Bearer ${sent}` }),
    "openai-organization": options.organization,
    "openai-project": options.project,
  };
  const endpoint = createEndpoint({
    baseURL: isAzure ? azureURL(baseURL, options) : baseURL,
    ...{ path, headers, ownHeaders: options.headers, key },
  });
  if (apiVersion !== undefined) endpoint.url.searchParams.set("api-version", apiVersion);
  const hasKey = endpoint.headers.has("authorization") || endpoint.headers.has("api-key");
  return { ...endpoint, rules, missingKey: hasKey ? undefined : keyNames.get(hostname) };
}

/** The address of a resource alone: the v1 API, or with a version that of a deployment. */
function azureURL(baseURL: string, { model, apiVersion }: OpenAIOptions): string {
  const url = new URL(baseURL);
  if (url.pathname !== "/") return baseURL;
  url.pathname = apiVersion === undefined ? "/openai/v1" : `/openai/deployments/${encodeURIComponent(model)}`;
  return url.href;
}

function defaultURL(server: OpenAIServer | undefined): string {
  return isLocal(server) ? localServers[server].baseURL : officialURL;
}

const officialURL = "https://api.openai.com/v1";

const keyNames: ReadonlyMap<string, MissingKey> = new Map([
  ["api.openai.com", { provider: "OpenAI", factory: "openai", variable: "OPENAI_API_KEY" }],
]);
