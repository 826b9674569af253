import { createEndpoint, type Endpoint, parseBaseURL, type ReadVariable } from "../http/endpoint.js";
import type { OpenAIOptions } from "./options.js";
import { isLocal, localServers, serverRules, type ServerRules } from "./request/servers.js";

export interface OpenAIEndpoint extends Endpoint {
  readonly rules: ServerRules;
}

export function openAIEndpoint(options: OpenAIOptions, path: string, variable: ReadVariable): OpenAIEndpoint {
  const { model, family = model, apiVersion, server } = options;
  const source = server === "azure" ? "AZURE_OPENAI_ENDPOINT" : "OPENAI_BASE_URL";
  const usual = isLocal(server) ? `http://127.0.0.1:${localServers[server].port}/v1` : officialURL;
  const address = options.baseURL ?? variable(source) ?? usual;
  const baseURL = parseBaseURL(address, options.baseURL === undefined ? source : undefined);
  const rules = serverRules(baseURL.hostname, family, server);
  const isAzure = rules.server === "azure";
  // The address of a resource alone: the v1 API, or with a version that of a deployment.
  if (isAzure && baseURL.pathname === "/")
    baseURL.pathname =
      apiVersion === undefined ? "/openai/v1" : `/openai/deployments/${encodeURIComponent(model)}`;
  if (apiVersion !== undefined) baseURL.searchParams.set("api-version", apiVersion);
  const fromEnvironment = isAzure ? variable("AZURE_OPENAI_API_KEY") : undefined;
  const endpoint = createEndpoint(options, {
    baseURL,
    path,
    key: options.apiKey ?? fromEnvironment ?? variable("OPENAI_API_KEY"),
    keyHeader: isAzure ? "api-key" : "authorization",
    keyNames: baseURL.hostname === new URL(officialURL).hostname ? keyNames : undefined,
    headers: { "openai-organization": options.organization, "openai-project": options.project },
  });
  return { ...endpoint, rules };
}

const keyNames = { provider: "OpenAI", factory: "openai", variable: "OPENAI_API_KEY" };
const officialURL = "https://api.openai.com/v1";
