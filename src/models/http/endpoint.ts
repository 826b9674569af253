import { quoted } from "../../text/cut.js";
import { Redactor } from "../../text/redactor.js";
import { percentDecoded, takeCredentials } from "../../text/url-credentials.js";
import { invalidRequest, ModelError } from "../contract/errors.js";
import type { ProviderOptions } from "../contract/provider-options.js";

export interface Endpoint {
  readonly url: URL;
  readonly headers: Headers;
  readonly redactor: Redactor;
  /** The key that the provider requires and that nobody has set. */
  readonly missingKey?: MissingKey | undefined;
}

export interface MissingKey {
  readonly provider: string;
  readonly factory: string;
  readonly variable: string;
}

export type ReadVariable = (name: string) => string | undefined;

export function checkKey({ missingKey }: Endpoint): void {
  if (missingKey === undefined) return;
  const { provider, factory, variable } = missingKey;
  throw new ModelError(
    "no_key",
    `${provider} requires an API key. Set ${variable}, or pass apiKey to ${factory}().`,
    { environmentVariable: variable },
  );
}

export interface EndpointParts {
  /** It becomes the URL of the requests, with the path and without credentials. */
  readonly baseURL: URL;
  readonly path: string;
  readonly key: string | undefined;
  /** The header of the key. In `authorization` it is a bearer token. */
  readonly keyHeader: string;
  readonly keyNames?: MissingKey | undefined;
  /** Other headers of the provider. `undefined` values are left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The type of a stream. Default: `text/event-stream` */
  readonly streamType?: string;
}

/** The headers of the user take precedence. */
export function createEndpoint(
  { headers: ownHeaders = {}, stream = true }: Pick<ProviderOptions, "headers" | "stream">,
  { baseURL: url, path, keyHeader, keyNames, headers = {}, ...parts }: EndpointParts,
): Endpoint {
  const key = parts.key?.trim() ?? "";
  const redactor = new Redactor([
    key,
    ...secretsInURL(url),
    ...Object.entries(ownHeaders).flatMap(secretsInHeader),
  ]);
  const basic = takeCredentials(url);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  const all = new Headers();
  putHeader(all, "content-type", "application/json");
  putHeader(all, "accept", stream ? (parts.streamType ?? "text/event-stream") : "application/json");
  if (key !== "") putHeader(all, keyHeader, keyHeader === "authorization" ? `Bearer ${key}` : key);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) putHeader(all, name, value);
  if (basic !== undefined && all.has("authorization")) {
    const advice = 'To send no key, pass apiKey: "".';
    throw invalidRequest(
      `The base URL has a user, and there is an API key. Both would be sent in the header Authorization. Remove one of them. ${advice}`,
      { advice },
    );
  }
  if (basic !== undefined) putHeader(all, "authorization", basic);
  for (const [name, value] of Object.entries(ownHeaders)) putHeader(all, name, value);
  const hasKey = keyHeaders.some((name) => all.has(name));
  return { url, headers: all, redactor, missingKey: hasKey ? undefined : keyNames };
}

export const keyHeaders: readonly string[] = ["authorization", "api-key", "x-api-key", "x-goog-api-key"];

/** The password, also as it is sent, and the values of parameters that are named like a credential. */
function secretsInURL(url: URL): string[] {
  const { username, password, searchParams } = url;
  // With a password, the user is only a name.
  const own = password === "" ? username : password;
  const basic = takeCredentials(new URL(url))?.split(" ") ?? [];
  const parameters = [...searchParams].filter(([name]) => credential.test(name)).map(([, value]) => value);
  return [own, percentDecoded(own), ...basic, ...parameters];
}

const credential = /key|token|secret|sig|auth|pass|code/i;

/** The words of a value, such as the token after `Bearer`, or the parts of a URL but its host. */
function secretsInHeader([name, value]: readonly [string, string]): string[] {
  if (publicHeader.test(name)) return [];
  if (!/^https?:/i.test(value) || !URL.canParse(value)) return value.split(/\s+/);
  const url = new URL(value);
  return [...secretsInURL(url), ...url.pathname.split("/"), ...url.searchParams.values()];
}

/** Headers that are not secret. Servers mention their values in errors. */
const publicHeader =
  /^(?:accept|accept-.*|content-.*|user-agent|referer|http-referer|origin|x-title|anthropic-beta|anthropic-version|openai-beta)$/i;

/** @param source where the user set it, such as an environment variable */
export function parseBaseURL(baseURL: string, source = "The baseURL"): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  // A user, a password or a parameter may be a secret.
  const shown = /[@?#]/.test(baseURL) ? "" : ` ${quoted(baseURL)}`;
  throw invalidRequest(`${source}${shown} is not an http or https URL.`);
}

/** Replaces the error of `Headers`, because that contains the value, which may be a key. */
export function putHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw invalidRequest(`The header ${quoted(name)} has a name or value that HTTP does not allow.`);
  }
}

/** `undefined` if it is absent or empty, in a browser, and in Deno without the permission to read it. */
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
