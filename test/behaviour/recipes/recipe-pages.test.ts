import { nodeHandler } from "millrace/serve";
import { compile } from "svelte/compiler";
import { expect, test, vi } from "vitest";
import { compileScript, parse } from "vue/compiler-sfc";
import { inChromium } from "../browser/support/chromium.js";
import type { Listening } from "../browser/support/listen.js";
import { showing, siteOf } from "../browser/support/site.js";
import { writtenModel } from "../examples/support/model.js";
import { bundleFiles } from "./bundle-files.js";
import { recipeFiles } from "./recipe-files.js";
import { startRecipe } from "./recipe-servers.js";

/** A program that shows the page of a recipe, as its framework does. */
const programs: Readonly<Record<string, { readonly main: string; readonly code: string }>> = {
  next: { main: "app/main.tsx", code: react("./page") },
  "vite-hono": { main: "src/page.tsx", code: "" },
  sveltekit: {
    main: "src/main.ts",
    code: `import { mount } from "svelte"; import Page from "./routes/+page.svelte";
      mount(Page, { target: document.querySelector("main") });`,
  },
  nuxt: {
    main: "app/main.ts",
    code: `import { createApp } from "vue"; import App from "./app.vue"; createApp(App).mount("main");`,
  },
};

inChromium("the page of the recipe", (open) => {
  test.each(Object.entries(programs))(
    "%s fills in, resumes after a reload, and stops",
    async (name, program) => {
      const model = await writtenModel();
      vi.stubEnv("OPENAI_API_KEY", "none");
      vi.stubEnv("OPENAI_BASE_URL", model.baseURL);
      const server = await startRecipe(name);
      let site: Listening | undefined;
      try {
        const handle = nodeHandler((request) => server.fetch(pathOf(request), request));
        site = await siteOf(await documentOf(name, program), handle);
        const page = await open();
        await page.goto(site.url);
        await page.click("text=Write it");
        await model.write('{"title": "Leek');
        await showing(page, "h1", "Leek");
        await page.reload();
        await showing(page, "h1", "Leek");
        await model.write(' soup", "minutes": 40, "steps": ["Boil.", "Blend."]}');
        await model.end();
        await showing(page, "li:nth-child(2)", "Blend.");
        expect(model.requests).toHaveLength(1);

        await page.click("text=Write it");
        await model.write('{"title": "Onion');
        await showing(page, "h1", "Onion");
        await page.click("text=Stop");
        await expect.poll(model.left).toBe(1);
        expect(await page.textContent("h1")).toBe("Onion");
      } finally {
        await site?.close();
        await server.close();
        await model.stop();
      }
    },
  );
});

test.each([
  { recipe: "form", page: "app/page.tsx" },
  { recipe: "progress", page: "app/page.tsx" },
  { recipe: "items", page: "app/page.tsx" },
  { recipe: "chat-panel", page: "app/page.tsx" },
])("the page of the recipe $recipe renders on the server", async ({ recipe, page }) => {
  const files = new Map([...recipeFiles(recipe), ["app/main.tsx", rendering]]);
  expect(files.has(page)).toBe(true);
  const code = await bundleFiles(files, "app/main.tsx", {
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { html } = (await import(/* @vite-ignore */ url)) as { readonly html: string };
  expect(html).toMatch(/^<main/);
});

const rendering = `
import { renderToString } from "react-dom/server.browser";
import Page from "./page";
export const html = renderToString(<Page />);`;

function react(page: string): string {
  return `import { createRoot } from "react-dom/client"; import Page from "${page}";
    createRoot(document.querySelector("main")).render(<Page />);`;
}

async function documentOf(name: string, { main, code }: { main: string; code: string }): Promise<string> {
  const files = new Map(recipeFiles(name));
  if (code !== "") files.set(main, code);
  const script = await bundleFiles(files, main, {
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    conditions: ["browser", "production"],
    compile: (path, text) =>
      path.endsWith(".svelte") ? svelte(text) : path.endsWith(".vue") ? vue(text) : text,
  });
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><main></main><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
}

function svelte(text: string): string {
  return compile(text, { filename: "Page.svelte" }).js.code;
}

function vue(text: string): string {
  const { descriptor } = parse(text);
  return compileScript(descriptor, { id: "app", inlineTemplate: true }).content;
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
