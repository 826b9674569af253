/**
 * Words that people search for and that a page does not have, by its path from docs/. They are added to the text of the
 * page in the search index only.
 */
export const searchWords: Readonly<Record<string, string>> = {
  "recipes/next.md": "nextjs next.js app router route handler",
  "recipes/vite-hono.md": "vite hono cloudflare bun",
  "recipes/express.md": "expressjs node server",
  "recipes/sveltekit.md": "svelte kit",
  "recipes/nuxt.md": "nuxtjs vue nitro",
  "recipes/workers.md": "cloudflare workers wrangler edge",
  "recipes/cost.md": "costs price pricing billing dollars tokens",
  "recipes/progress.md": "progress bar percent loading spinner",
  "recipes/chat-panel.md": "chatbot sidebar artifact canvas",
  "devtools.md": "debug debugger inspector panel",
  "client.md": "useobject hook frontend",
  "telemetry.md": "opentelemetry otel tracing metrics",
};

/**
 * How the search box ranks: titles first, recipes before other pages, and the API reference last. The other values are
 * those of VitePress, which sends the function to the page as text.
 */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 6, text: 2, titles: 1 },
  boostDocument: (id: string): number =>
    id.includes("reference/") ? 0.3 : id.includes("recipes/") ? 1.5 : 1,
} as const;

/**
 * The text of a page in the search index. For pages of the API it has only the names, without "Parameters" and
 * "Returns" below them.
 */
export function searchText(text: string, page: string): string {
  if (page.startsWith("reference/")) return text.replaceAll(/^####+ .*$/gm, "");
  const words = searchWords[page];
  return words === undefined ? text : text.replace(/^# .*$/m, `$&\n\n${words}\n`);
}
