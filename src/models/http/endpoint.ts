import { ModelError } from "../contract/errors.js";

/** The URL and headers of requests. */
export interface Endpoint {
  readonly url: URL;
  readonly headers: Headers;
  /** Values that no error may contain. */
  readonly secrets: readonly string[];
}

export interface EndpointOptions {
  readonly baseURL: string;
  /** Path appended to the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** Headers of the provider. `undefined` values are left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Headers of the user. They take precedence. */
  readonly ownHeaders: Readonly<Record<string, string>> | undefined;
  readonly key: string | undefined;
}

/** @throws {ModelError} `invalid_request` if the URL or a header is not valid */
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

/** Shorter values are not keys, and removing them would damage ordinary words in messages. */
const shortestSecret = 8;

/** @throws {ModelError} `invalid_request` if it is not an http or https URL */
export function parseBaseURL(baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new ModelError(
    "invalid_request",
    `The baseURL ${JSON.stringify(baseURL)} is not an http or https URL.`,
  );
}

/** Replaces the error of `Headers`, because that contains the value, which may be a key. */
function put(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ModelError(
      "invalid_request",
      `The header ${JSON.stringify(name)} has a name or value that HTTP does not allow.`,
    );
  }
}

/**
 * The value of an environment variable. `undefined` if it is absent or empty, in a browser, and in Deno without the
 * permission to read it.
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
