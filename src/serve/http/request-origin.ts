import { RequestError } from "./request-error.js";

/**
 * Whose pages may ask. A browser says in `Origin` which page sends a request; what is no browser need not say it, and is not
 * kept out by this.
 *
 * A page of the same host may always ask. The host alone is compared, without `https:`, which the server does not see
 * where a proxy takes it off.
 *
 * @param origins others that may, as `https://app.example`; `*`: all
 * @returns the headers of an answer that lets a page of another origin read it
 * @throws {RequestError} `forbidden_origin`
 */
export function admit(request: Request, origins: readonly string[]): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || isOwn(origin, request.url)) return { vary: "origin" };
  if (!origins.includes(origin) && !origins.includes("*")) {
    throw new RequestError("forbidden_origin", "Pages of this origin may not ask here.");
  }
  return { vary: "origin", "access-control-allow-origin": origin };
}

/** The answer to a browser that asks beforehand what a page of another origin may send. */
export function preflight(request: Request, headers: Record<string, string>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "content-type",
    },
  });
}

function isOwn(origin: string, url: string): boolean {
  // "null" is what a page without an origin of its own sends.
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}
