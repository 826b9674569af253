import { RequestError } from "./request-error.js";

/**
 * Checks the origin of a request. Browsers send the `Origin` header; other clients need not, and pass.
 *
 * The same host is always allowed. Only hosts are compared, because a proxy may terminate `https:` before the server.
 *
 * @param origins other allowed origins, such as `https://app.example`; `*` allows all
 * @returns the CORS headers that let a page of another origin read the response
 * @throws {RequestError} `forbidden_origin`
 */
export function checkOrigin(request: Request, origins: readonly string[]): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || isSameHost(origin, request)) return { vary: "origin" };
  if (!origins.includes(origin) && !origins.includes("*")) {
    throw new RequestError("forbidden_origin", "This origin is not allowed.");
  }
  return { vary: "origin", "access-control-allow-origin": origin };
}

/** The response to a CORS preflight request. */
export function preflight(request: Request, headers: Record<string, string>, methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "content-type",
    },
  });
}

function isSameHost(origin: string, { url, headers }: Request): boolean {
  if (!URL.canParse(origin)) return false; // pages without an origin send "null"
  const { protocol, host } = new URL(origin);
  const defaultPort = protocol === "https:" ? /:443$/ : /:80$/;
  const isSame = (other: string): boolean => other.toLowerCase().replace(defaultPort, "") === host;
  // Behind `next start`, the URL of each request has the host "localhost".
  return isSame(new URL(url).host) || isSame(headers.get("host") ?? "");
}
