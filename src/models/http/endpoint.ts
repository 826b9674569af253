import { ModelError } from "../contract/errors.js";

/** Where requests go, and what they carry. */
export interface Endpoint {
  readonly url: URL;
  readonly headers: Headers;
  /** What no error may show. */
  readonly secrets: readonly string[];
}

export interface EndpointOptions {
  readonly baseURL: string;
  /** What comes behind it, as `/chat/completions`. */
  readonly path: string;
  /** Those of the provider; `undefined` is left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Those of the user, which win. */
  readonly ownHeaders: Readonly<Record<string, string>> | undefined;
  readonly key: string | undefined;
}

/** @throws {ModelError} `invalid_request` for an address or a header that cannot be */
export function createEndpoint({ baseURL, path, headers, ownHeaders = {}, key }: EndpointOptions): Endpoint {
  const url = parseBaseURL(baseURL);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  const all = new Headers();
  put(all, "content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) put(all, name, value);
  for (const [name, value] of Object.entries(ownHeaders)) put(all, name, value);
  const secrets = [key ?? "", url.password, ...Object.values(ownHeaders)];
  return { url, headers: all, secrets: secrets.filter((secret) => secret.length >= shortestSecret) };
}

/** What is shorter is no key, and would take words out of sentences. */
const shortestSecret = 8;

/** @throws {ModelError} `invalid_request` if it is none */
export function parseBaseURL(baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new ModelError(
    "invalid_request",
    `The baseURL ${JSON.stringify(baseURL)} is no http or https address.`,
  );
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

/**
 * A variable of the environment, where there is one: not in a browser, and not where Deno is not allowed to read it. An empty
 * one counts as absent.
 */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Record<string, string | undefined> };
  };
  try {
    const value = process?.env?.[name]?.trim();
    return value === "" ? undefined : value;
  } catch {
    return undefined;
  }
}
