import { base64 } from "./bytes/base64.js";

/**
 * Removes the user and the password from a URL, because `fetch()` refuses a URL that has them.
 *
 * @returns the `Authorization` header that sends them (RFC 7617); `undefined` without a user
 */
export function takeCredentials(url: URL): string | undefined {
  const { username, password } = url;
  if (username === "" && password === "") return undefined;
  url.username = "";
  url.password = "";
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return `Basic ${base64(new TextEncoder().encode(credentials))}`;
}

/** The text itself if it is not percent-encoded correctly. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
