import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadUntyped } from "../../support/load-untyped.js";
import { listen, type Listening } from "../browser/support/listen.js";
import { recipeFiles } from "./recipe-files.js";

/** The server of a recipe, loaded into this process. */
export interface RecipeServer {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void> | void;
}

type Handle = (request: Request) => Promise<Response> | Response;
/** A function for each method, with the argument of its framework. */
type Methods = Readonly<Record<string, ((event: object) => Promise<Response> | Response) | undefined>>;

/** How each framework calls the files of its recipe. */
export const recipeServers: Readonly<Record<string, (load: Load) => Promise<RecipeServer>>> = {
  next: async (load) => byMethod(await load("app/api/recipe/route.ts"), (request) => request),
  "vite-hono": async (load) => {
    const app = (await load<{ readonly default: { readonly fetch: Handle } }>("src/api.ts")).default;
    return ofHandle((request) => app.fetch(request));
  },
  express: async (load) => {
    const { app } = await load<{ readonly app: Parameters<typeof listen>[0] }>("server.ts");
    return ofSite(await listen(app));
  },
  sveltekit: async (load) =>
    byMethod(await load("src/routes/api/recipe/+server.ts"), (request) => ({
      request,
      url: new URL(request.url),
    })),
  nuxt: async (load) => {
    const { createApp, toWebHandler } = await loadUntyped<H3>("h3");
    const { default: handler } = await load<{ readonly default: unknown }>("server/api/recipe.ts");
    return ofHandle(toWebHandler(createApp().use("/api/recipe", handler)));
  },
  workers: async (load) => {
    const worker = await load<Worker>("src/index.ts");
    const objects = new Map<string, { readonly fetch: Handle }>();
    const env = {
      RUNS: {
        getByName: (name: string) => {
          const found = objects.get(name) ?? new worker.Run();
          objects.set(name, found);
          return found;
        },
      },
    };
    return ofHandle((request) => worker.default.fetch(request, env));
  },
};

interface H3 {
  readonly createApp: () => { readonly use: (path: string, handler: unknown) => object };
  readonly toWebHandler: (app: object) => Handle;
}

interface Worker {
  readonly default: { readonly fetch: (request: Request, env: object) => Promise<Response> };
  readonly Run: new () => { readonly fetch: Handle };
}

/** Imports a file of a recipe. */
export type Load = <Module>(path: string) => Promise<Module>;

/** Writes the files of a recipe where packages are found, and starts its server. */
export async function startRecipe(page: string): Promise<RecipeServer> {
  const temp = join(import.meta.dirname, "../../../temp");
  mkdirSync(temp, { recursive: true });
  const folder = mkdtempSync(join(temp, `recipe-${page}-`));
  for (const [path, code] of recipeFiles(page)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // The tests choose the port.
    writeFileSync(join(folder, path), code.replace(/^\w+\.listen\(.*\n/m, ""));
  }
  const start = recipeServers[page];
  if (start === undefined) throw new Error(`Nothing starts the recipe ${page}.`);
  const server = await start(<Module>(path: string) => import(join(folder, path)) as Promise<Module>);
  return {
    ...server,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function ofHandle(handle: Handle): RecipeServer {
  return {
    fetch: async (path, init) => handle(new Request(`http://localhost${path}`, init)),
    close: () => {},
  };
}

function ofSite({ url, close }: Listening): RecipeServer {
  return { fetch: (path, init) => fetch(url + path, init), close };
}

function byMethod(methods: Methods, eventOf: (request: Request) => object): RecipeServer {
  return ofHandle((request) => {
    const handle = methods[request.method];
    return handle === undefined ? new Response(null, { status: 405 }) : handle(eventOf(request));
  });
}
