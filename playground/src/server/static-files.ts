import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { PlaygroundError } from "../playground-error.js";

/** Returns the response for a path, or `undefined` if there is no such file. */
export type StaticFiles = (path: string) => Response | undefined;

/**
 * Reads the page's files once. Requests are looked up in a map, so no path can leave the folder.
 *
 * @throws {PlaygroundError} `no_page`
 */
export async function staticFiles(folder: string): Promise<StaticFiles> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  try {
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      files.set(`/${relative(folder, path).replaceAll("\\", "/")}`, Uint8Array.from(await readFile(path)));
    }
  } catch {
    // reported below
  }
  if (!files.has("/index.html"))
    throw new PlaygroundError(
      "no_page",
      `The playground's page was not found in ${folder}. Run: npm run build.`,
    );
  return (path) => {
    const name = path === "/" ? "/index.html" : path;
    const bytes = files.get(name);
    if (bytes === undefined) return undefined;
    const type = types[extname(name)] ?? "application/octet-stream";
    // Vite puts a hash of the content into the names of assets.
    const cache = name.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-cache";
    return new Response(bytes, { headers: { "content-type": type, "cache-control": cache, ...security } });
  };
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page loads only its own files, and other sites cannot frame it. */
const security = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
