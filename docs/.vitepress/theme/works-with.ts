import { withBase } from "vitepress";
import { type FunctionalComponent, h } from "vue";

/** Names that visitors look for, and the pages that they lead to. */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Models: {
    OpenAI: "/reference/openai.html",
    Anthropic: "/reference/anthropic.html",
    Gemini: "/reference/gemini.html",
    Ollama: "/reference/ollama.html",
    Azure: "/reference/azure.html",
    "vLLM and llama.cpp": "/reference/local-servers.html",
    "AI SDK and LangChain models": "/reference/models.html",
  },
  Pages: {
    React: "/reference/client.html",
    Vue: "/learn/recipes/nuxt.html",
    Svelte: "/learn/recipes/sveltekit.html",
    Solid: "/reference/client.html",
    Next: "/learn/recipes/next.html",
    Hono: "/learn/recipes/vite-hono.html",
    Express: "/learn/recipes/express.html",
    Workers: "/learn/recipes/workers.html",
  },
};

/** The models and frameworks that the library works with, on the front page. */
export const WorksWith: FunctionalComponent = () =>
  h(
    "dl",
    { class: "works-with" },
    Object.entries(names).map(([kind, links]) =>
      h("div", [
        h("dt", kind),
        Object.entries(links).map(([name, page]) => h("dd", h("a", { href: withBase(page) }, name))),
      ]),
    ),
  );
