import { environment } from "../environment.js";
import { ModelError } from "../errors.js";
import type { OpenAIOptions } from "./options.js";

/** Where requests go, and what they carry. */
export interface Endpoint {
  readonly url: URL;
  readonly headers: Headers;
  /** What no error may show. */
  readonly secrets: readonly string[];
  /** OpenAI itself, and not a server that speaks the same. */
  readonly official: boolean;
}

/** @throws {ModelError} `no_key`; `invalid_request` for an address or a header that cannot be */
export function endpointOf(options: OpenAIOptions): Endpoint {
  const url = urlOf(options.baseURL ?? environment("OPENAI_BASE_URL") ?? officialURL);
  const official = url.hostname === new URL(officialURL).hostname;
  const key = (options.apiKey ?? environment("OPENAI_API_KEY"))?.trim() ?? "";
  const headers = new Headers();
  put(headers, "content-type", "application/json");
  put(headers, "accept", "text/event-stream");
  if (key !== "") put(headers, "authorization", `Bearer ${key}`);
  if (options.organization !== undefined) put(headers, "openai-organization", options.organization);
  if (options.project !== undefined) put(headers, "openai-project", options.project);
  const own = Object.entries(options.headers ?? {});
  for (const [name, value] of own) put(headers, name, value);
  if (official && !headers.has("authorization")) {
    throw new ModelError(
      "no_key",
      "OpenAI needs an API key: set OPENAI_API_KEY, or give openai() an apiKey.",
    );
  }
  const secrets = [key, url.password, ...own.map(([, value]) => value)];
  return { url, headers, official, secrets: secrets.filter((secret) => secret.length >= shortestSecret) };
}

const officialURL = "https://api.openai.com/v1";

/** What is shorter is no key, and would take words out of sentences. */
const shortestSecret = 8;

function urlOf(baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new ModelError(
      "invalid_request",
      `The baseURL ${JSON.stringify(baseURL)} is no http or https address.`,
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

/** What `Headers` throws holds the value, which may be a key. */
function put(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ModelError(
      "invalid_request",
      `The header ${JSON.stringify(name)} has a name or a value that HTTP forbids.`,
    );
  }
}
