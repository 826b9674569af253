/**
 * Words that people search for and that a page does not have, by its path from docs/. They are added to the text of the
 * page in the search index only.
 */
export const searchWords: Readonly<Record<string, string>> = {
  "learn/recipes/next.md": "nextjs next.js app router route handler",
  "learn/recipes/vite-hono.md": "vite hono cloudflare bun",
  "learn/recipes/express.md": "expressjs node server",
  "learn/recipes/sveltekit.md": "svelte kit",
  "learn/recipes/nuxt.md": "nuxtjs vue nitro",
  "learn/recipes/workers.md": "cloudflare workers wrangler edge",
  "learn/recipes/cost.md": "costs price pricing billing dollars tokens",
  "learn/recipes/progress.md": "progress bar percent loading spinner",
  "learn/recipes/chat-panel.md": "chatbot sidebar artifact canvas",
  "learn/recipes/index.md": "tailwind css shadcn style styling",
  "reference/models.md": "bedrock aws amazon groq mistral deepseek openrouter together",
  "reference/azure.md": "foundry microsoft",
  "reference/mcp.md": "model context protocol",
  "reference/devtools.md": "debug debugger inspector panel",
  "reference/client.md": "useobject hook frontend",
  "reference/telemetry.md": "opentelemetry otel tracing metrics",
};

/**
 * How the search box ranks: titles first, recipes before other pages, and the API reference last. The other values are
 * those of VitePress, which sends the function to the page as text.
 */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 6, text: 2, titles: 1 },
  boostDocument: (id: string): number => (id.includes("exports/") ? 0.3 : id.includes("recipes/") ? 1.5 : 1),
} as const;

/**
 * The text of a page in the search index. For pages of the API it has only the names, without "Parameters" and
 * "Returns" below them.
 */
export function searchText(text: string, page: string): string {
  if (page.startsWith("exports/")) return text.replaceAll(/^####+ .*$/gm, "");
  const words = searchWords[page];
  return words === undefined ? text : text.replace(/^# .*$/m, `$&\n\n${words}\n`);
}
